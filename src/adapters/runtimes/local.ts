// Runs agents as processes of this machine, each in a group of its own, and ends them with all they launched
// (SPEC sections 4 and 11). Knows bytes and signals, nothing of the protocol.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { ok, type Failure, type Result } from '../../core/errors.ts';
import type { AgentDefinition } from '../../core/config.ts';
import type { AgentProcess, Clock, Exit, Log, ProcessLauncher, ProcessListener } from '../../core/ports.ts';
import { agentEnvironment, markVariable, type Environment } from './environment.ts';
import { launchFailure, type Attempt } from './launch-failure.ts';
import { stopTimes, type Leader, type Marked, type StopTimes } from './leader.ts';
import { processTable, shared, StartedWith, startOf, type ProcessTable } from './process-table.ts';
import { Reaper } from './reaper.ts';
import { stopGroup, type Stopping } from './stopping.ts';

export interface LocalOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Shorter in tests. */
  readonly times?: StopTimes;
  readonly table?: ProcessTable;
  readonly environment?: Environment;
}

/** How long output may still come after the exit: a descendant can hold it open for ever. */
const lastOutputMs = 200;

/** What of a definition runs. */
export type Program = Pick<AgentDefinition, 'command' | 'args' | 'env'> & {
  /** What it runs inside a container or sandbox: ended there, should this process be killed. */
  readonly inside?: Marked;
};

export interface LocalLauncher extends ProcessLauncher {
  launch(program: Program, cwd: string, listener: ProcessListener): AgentProcess;
}

export function localProcesses(options: LocalOptions): LocalLauncher {
  return new LocalProcesses(options);
}

class LocalProcesses implements LocalLauncher {
  readonly #stopping: Stopping;
  readonly #reaper: Reaper;
  readonly #environment: Environment;
  readonly #running = new Set<AgentProcess>();
  #leaving = false;

  constructor({ clock, log, times = stopTimes, table = processTable, environment = process.env }: LocalOptions) {
    const marks = new StartedWith(markVariable);
    this.#stopping = { clock, log, times, table: shared(table), marks, isLeaving: () => this.#leaving };
    this.#reaper = new Reaper(times, log, environment);
    this.#environment = environment;
  }

  launch({ command, args, env, inside }: Program, cwd: string, listener: ProcessListener): AgentProcess {
    const mark = randomUUID();
    const attempt = { command, cwd, env: agentEnvironment(this.#environment, env, cwd, mark) };
    const child = start(attempt, args);
    const pid = child.ok ? child.value.pid : undefined;
    if (!child.ok || pid === undefined) return this.#notStarted(attempt, child, listener);
    const leader = { pid, started: startOf(pid), mark, ...(inside && { inside }) };
    this.#reaper.watch(leader);
    const running = new LocalProcess(child.value, leader, listener, this.#stopping, () => {
      this.#reaper.forget(pid);
      this.#running.delete(running);
    });
    this.#running.add(running);
    return running;
  }

  async dispose(): Promise<void> {
    this.#leaving = true;
    await Promise.all([...this.#running].map((running) => running.stop()));
    this.#reaper.dispose();
  }

  #notStarted(attempt: Attempt, child: Started, listener: ProcessListener): AgentProcess {
    const tell = (cause: unknown): void => {
      void launchFailure(attempt, cause).then((failure) => listener.failed(failure));
    };
    if (child.ok) child.value.on('error', tell);
    else tell(child.error.cause);
    return { write: () => Promise.resolve(false), stop: () => Promise.resolve() };
  }
}

type Started = Result<ChildProcessWithoutNullStreams>;

/** Some causes are thrown (a NUL in an argument), most come as an event. */
function start({ command, cwd, env }: Attempt, args: readonly string[]): Started {
  try {
    return ok(spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true }));
  } catch (cause) {
    return { ok: false, error: { code: 'unavailable', text: 'agent.notLaunched', cause } satisfies Failure };
  }
}

class LocalProcess implements AgentProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #leader: Leader;
  readonly #listener: ProcessListener;
  readonly #stopping: Stopping;
  /** Settles when the end was told. */
  readonly #exited: Promise<void>;
  readonly #onGone: () => void;
  #stop: Promise<void> | undefined;
  #told = false;

  constructor(
    child: ChildProcessWithoutNullStreams,
    leader: Leader,
    listener: ProcessListener,
    stopping: Stopping,
    onGone: () => void,
  ) {
    this.#child = child;
    this.#leader = leader;
    this.#listener = listener;
    this.#stopping = stopping;
    this.#onGone = onGone;
    this.#exited = this.#listen();
  }

  write(text: string): Promise<boolean> {
    const { stdin } = this.#child;
    if (!stdin.writable) return Promise.resolve(false);
    return new Promise((resolve) => stdin.write(text, (error) => resolve(!error)));
  }

  stop(): Promise<void> {
    this.#stop ??= this.#end();
    return this.#stop;
  }

  async #end(): Promise<void> {
    const gone = await stopGroup(this.#leader, () => this.#child.stdin.end(), this.#stopping);
    if (gone) await this.#exited;
    this.#onGone();
  }

  #listen(): Promise<void> {
    const { stdin, stdout, stderr } = this.#child;
    stdout.on('data', (chunk: Uint8Array) => this.#told || this.#listener.output(chunk));
    stderr.on('data', (chunk: Uint8Array) => this.#told || this.#listener.errors(chunk));
    stdout.on('end', () => this.#told || this.#listener.outputClosed());
    // What is written to a process that ended fails there; the end itself is told below.
    for (const stream of [stdin, stdout, stderr]) stream.on('error', () => stream.destroy());
    this.#child.on('error', (cause) => this.#stopping.log.write(`process ${String(this.#leader.pid)}`, cause));
    return new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => this.#ended({ code: code ?? -1, signal: signal ?? '' }, resolve));
    });
  }

  /** Whatever the process leaves behind is ended too; nobody has to ask for it. */
  #ended(exit: Exit, then: () => void): void {
    const tell = (): void => {
      if (this.#told) return;
      this.#told = true;
      cancel();
      this.#listener.ended(exit);
      then();
    };
    const cancel = this.#stopping.clock.after(lastOutputMs, tell);
    this.#child.once('close', tell);
    void this.stop();
  }
}

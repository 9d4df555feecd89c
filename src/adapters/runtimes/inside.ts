// Runs agents inside containers and sandboxes through their command line programs, and ends them there with all they launched
// (SPEC sections 4 and 11). What runs inside is no child of anything here: it is found there by the mark it carries.
import { randomUUID } from 'node:crypto';
import type { AgentDefinition } from '../../core/config.ts';
import type { AgentProcess, Log, ProcessLauncher, ProcessListener } from '../../core/ports.ts';
import { folderInside, insideWords } from '../../core/runtime.ts';
import { markVariable, type Environment } from './environment.ts';
import { stopTimes, type Marked, type StopTimes } from './leader.ts';
import type { LocalLauncher } from './local.ts';
import { sweep } from './sweep.ts';

export interface InsideOptions {
  readonly processes: LocalLauncher;
  readonly log: Log;
  /** Shorter in tests. */
  readonly times?: StopTimes;
  readonly environment?: Environment;
}

/** The command line program needs no folder of this machine, and the agent's may not exist here. */
const anyFolder = '/';

export function insideProcesses(options: InsideOptions): ProcessLauncher {
  const { processes, log, times = stopTimes, environment = process.env } = options;
  const running = new Set<AgentProcess>();

  function launch(definition: AgentDefinition, cwd: string, listener: ProcessListener): AgentProcess {
    const marked = { inside: definition.runtime, mark: randomUUID() };
    const end = once(() => sweep(processes, marked, times, log));
    const child = processes.launch(programInside(definition, cwd, marked, environment), anyFolder, {
      ...listener,
      failed: (failure) => {
        running.delete(agent);
        listener.failed(failure);
      },
      ended: (exit) => {
        listener.ended(exit);
        void stop(); // nobody asks for what it leaves behind
      },
    });
    const stop = once(async () => {
      await Promise.all([child.stop(), end()]);
      running.delete(agent);
    });
    const agent: AgentProcess = { write: (text) => child.write(text), stop };
    running.add(agent);
    return agent;
  }

  return {
    launch,
    dispose: async () => {
      await Promise.all([...running].map((agent) => agent.stop()));
    },
  };
}

function once(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= action());
}

/**
 * The agent's own variables go inside, and none of this machine. A value goes by the environment of the command line program,
 * where no list of processes shows it, unless that program would take it for its own.
 */
function programInside(
  { command, args, env, runtime }: AgentDefinition,
  cwd: string,
  { mark }: Marked,
  environment: Environment,
) {
  const isOurs = (name: string): boolean => environment[name] !== undefined && environment[name] !== env[name];
  const variables = Object.entries(env).map(([name, value]) => (isOurs(name) ? `${name}=${value}` : name));
  const options = { folder: folderInside(runtime, cwd), env: [...variables, `${markVariable}=${mark}`] };
  const [program = '', ...words] = insideWords(runtime, [command, ...args], options);
  const unseen = Object.fromEntries(Object.entries(env).filter(([name]) => !isOurs(name)));
  return { command: program, args: words, env: unseen, inside: { inside: runtime, mark } };
}

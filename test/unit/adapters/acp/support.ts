// What the tests of the ACP adapter share: a scripted agent as a real process, and a listener that remembers all it hears.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { createAgentLauncher, type AcpOptions } from '../../../../src/adapters/acp/launcher.ts';
import { localProcesses } from '../../../../src/adapters/runtimes/local.ts';
import { clock } from '../../../../src/adapters/system/clock.ts';
import type { AgentDefinition } from '../../../../src/core/config.ts';
import { fail, ok, type Failure, type Result } from '../../../../src/core/errors.ts';
import type {
  AgentConnection,
  AgentListener,
  AuthMethod,
  Exit,
  PermissionOutcome,
  PermissionRequest,
  QuestionOutcome,
  QuestionRequest,
  ReadRequest,
  SessionUpdate,
} from '../../../../src/core/ports.ts';
import { wordFailure } from '../../../../src/core/texts/index.ts';
import { script, scriptedAgent, wireLog, type Step } from '../../../agents/scripted.ts';
import { definition, quickStop } from '../runtimes/definition.ts';
import { temporaryFolder } from '../runtimes/support.ts';

export interface Asked {
  readonly sessionId: string;
  readonly request: PermissionRequest;
  readonly answer: (outcome: PermissionOutcome) => void;
  readonly withdrawn: AbortSignal;
}

export interface Questioned {
  readonly sessionId: string;
  readonly request: QuestionRequest;
  readonly answer: (outcome: QuestionOutcome) => void;
  readonly withdrawn: AbortSignal;
}

/** Everything an agent tells, in one order; tests wait for what they expect to hear. */
export class Ears implements AgentListener {
  readonly heard: (readonly [what: string, detail?: unknown])[] = [];
  readonly asked: Asked[] = [];
  readonly questioned: Questioned[] = [];
  readonly logs: string[] = [];
  readonly exits: Exit[] = [];
  /** What files answer; a test may put its own. */
  read: (request: ReadRequest) => Promise<Result<string>> = () => Promise.resolve(ok('text\n'));
  write: (path: string, content: string) => Promise<Result<undefined>> = () => Promise.resolve(ok(undefined));

  updated(_session: string, update: SessionUpdate): void {
    this.heard.push([update.type, update]);
  }

  permissionRequested(
    sessionId: string,
    request: PermissionRequest,
    answer: (outcome: PermissionOutcome) => void,
    withdrawn: AbortSignal,
  ): void {
    this.heard.push(['permission', request]);
    this.asked.push({ sessionId, request, answer, withdrawn });
  }

  questionAsked(
    sessionId: string,
    request: QuestionRequest,
    answer: (outcome: QuestionOutcome) => void,
    withdrawn: AbortSignal,
  ): void {
    this.heard.push(['question', request]);
    this.questioned.push({ sessionId, request, answer, withdrawn });
  }

  readFile(_session: string, request: ReadRequest): Promise<Result<string>> {
    this.heard.push(['read', request]);
    return this.read(request);
  }

  writeFile(_session: string, file: string, content: string): Promise<Result<undefined>> {
    this.heard.push(['write', { path: file, content }]);
    return this.write(file, content);
  }

  signInNeeded(methods: readonly AuthMethod[]): void {
    this.heard.push(['signIn', methods]);
  }

  logged(line: string): void {
    this.logs.push(line);
  }

  exited(exit: Exit): void {
    this.heard.push(['exited', exit]);
    this.exits.push(exit);
  }

  broke(failure: Failure): void {
    this.heard.push(['broke', failure.text]);
  }

  get order(): string[] {
    return this.heard.map(([what]) => what);
  }

  /** All text of the agent's messages, put together. */
  get text(): string {
    return this.updates('text').map((update) => update.text).join(''); // prettier-ignore
  }

  updates<T extends SessionUpdate['type']>(type: T): Extract<SessionUpdate, { type: T }>[] {
    const isOf = (one: unknown): one is Extract<SessionUpdate, { type: T }> =>
      typeof one === 'object' && one !== null && 'type' in one && one.type === type;
    return this.heard.map(([, detail]) => detail).filter(isOf);
  }
}

export const until = <T>(look: () => T): Promise<T> => vi.waitFor(look, { timeout: 15_000, interval: 10 });

export interface Agent {
  readonly ears: Ears;
  readonly connection: AgentConnection;
  readonly folder: string;
  /** What the agent received. */
  readonly received: () => Record<string, unknown>[];
}

type More = Partial<AgentDefinition> & Partial<Pick<AcpOptions, 'timeouts' | 'maxMessage'>>;

export function launch(command: string, args: readonly string[], more: More = {}, folder = temporaryFolder()): Agent {
  const { timeouts, maxMessage, ...rest } = more;
  const unexpected: unknown[] = [];
  const log = { write: (text: string, cause?: unknown) => void unexpected.push([text, cause]) };
  const launcher = createAgentLauncher({
    processes: localProcesses({ clock, log, times: quickStop }),
    clock,
    log,
    version: '9.9.9',
    ...(timeouts && { timeouts }),
    ...(maxMessage !== undefined && { maxMessage }),
  });
  onTestFinished(async () => {
    await launcher.dispose();
    expect(unexpected).toEqual([]);
  });
  const ears = new Ears();
  const connection = launcher.launch(definition(command, args, rest), folder, ears);
  const received = (): Record<string, unknown>[] =>
    wireLog(path.join(folder, 'wire')).flatMap(({ dir, msg }) => (dir === 'in' && msg ? [msg] : []));
  return { ears, connection, folder, received };
}

export function launchScripted(args: readonly string[] = [], more: More = {}): Agent {
  const folder = temporaryFolder();
  return launch(process.execPath, [scriptedAgent, '--log', path.join(folder, 'wire'), ...args], more, folder);
}

export interface Session extends Agent {
  readonly sessionId: string;
  /** Runs these steps as one turn. */
  readonly turn: (...steps: Step[]) => ReturnType<AgentConnection['prompt']>;
}

export async function openSession(args: readonly string[] = [], more: More = {}): Promise<Session> {
  const agent = launchScripted(args, more);
  const { sessionId } = value(await agent.connection.newSession(agent.folder));
  const turn = (...steps: Step[]): ReturnType<AgentConnection['prompt']> =>
    agent.connection.prompt(sessionId, [{ type: 'text', text: script(...steps) }]);
  return { ...agent, sessionId, turn };
}

export function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(wordFailure('en', result.error));
  return result.value;
}

export const words = (result: Result<unknown>): string => (result.ok ? 'ok' : wordFailure('en', result.error));

export const missing = (file: string): Result<never> => fail('not-found', 'file.missing', { path: file });

export const writeScript = (folder: string, text: string): string => {
  const file = path.join(folder, 'agent.sh');
  fs.writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
};

// What goes wrong between us and an agent, as failures with their true cause and the agent's own words. Words nothing itself.
import type { AgentDefinition } from '../../core/config.ts';
import { causeText, fail, type Failure } from '../../core/errors.ts';
import type { AuthMethod, Exit } from '../../core/ports.ts';
import { harmless } from '../../core/harmless.ts';
import { objectOf, textOf } from './json.ts';

export const authRequired = -32000;
export const notFound = -32002;
export const requestCancelled = -32800;

/** Why the connection ended; every open request is rejected with it. */
export class Ended extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.text);
    this.failure = failure;
  }
}

export const exitFailure = (exit: Exit): Failure =>
  exit.signal === ''
    ? fail('unavailable', 'agent.exited', { code: exit.code }).error
    : fail('unavailable', 'agent.killed', { signal: exit.signal }).error;

export const startExitFailure = (exit: Exit, output: string): Failure =>
  exit.signal === ''
    ? fail('unavailable', 'agent.startExited', { code: exit.code, output }).error
    : fail('unavailable', 'agent.startKilled', { signal: exit.signal, output }).error;

/** What an agent answered instead of a result. */
export function answerFailure(error: unknown): Failure {
  if (error instanceof Ended) return error.failure;
  const code = errorCode(error) === notFound ? 'not-found' : 'unavailable';
  return fail(code, 'agent.said', { what: agentWords(error) }, error).error;
}

export const errorCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** The message, and what `data` adds to it (ACP.md 5.6). */
export function agentWords(error: unknown): string {
  const message = causeText(error);
  const data = error instanceof Error && 'data' in error ? error.data : undefined;
  const { details, message: more, error: inner } = objectOf(data);
  const added = [data, details, more, inner].map(textOf).find((text) => text !== '' && !message.includes(text));
  return harmless(added === undefined ? message : `${message}: ${added}`).trim();
}

/** Names the agent's own ways and the command to run (SPEC section 4); Sidekicks keeps no credential. */
export function signInFailure(error: unknown, ways: readonly AuthMethod[], definition: AgentDefinition): Failure {
  const what = agentWords(error).replace(/[.\s]+$/, '');
  const terminal = ways.find((way) => way.terminal)?.terminal;
  const command = terminal ? commandLine([terminal.command, ...terminal.args], terminal.env) : ownCommand(definition);
  const names = ways.map((way) => way.name || way.id).join(', ');
  if (names === '') return fail('unavailable', 'agent.signIn', { what, command }, error).error;
  const values = { what, ways: names, command, agent: definition.name };
  return fail('unavailable', terminal ? 'agent.signInTerminal' : 'agent.signInWays', values, error).error;
}

/** As it is typed in a shell. */
export function commandLine(words: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  return harmless([...settings, ...words.map(quoted)].join(' '));
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The program without what makes it speak ACP: started so, most agents offer their sign-in. */
export const ownCommand = ({ command, args }: AgentDefinition): string =>
  commandLine([command, ...args.filter((word) => !/^(--?)?(experimental-)?acp(=.*)?$/.test(word))]);

// What Sidekicks and an agent say of themselves in `initialize`. Announces only what is handled (SPEC section 18).
import type { InitializeRequest } from '@agentclientprotocol/sdk';
import type { AgentDefinition } from '../../core/config.ts';
import { fail, ok, type Result } from '../../core/errors.ts';
import type { AgentInfo, AuthMethod } from '../../core/ports.ts';
import { harmless } from '../../core/harmless.ts';
import { folderInside, insideWords, runsInside } from '../../core/runtime.ts';
import { isObject, listOf, objectOf, textOf, textsOf, textTableOf, type Json } from './json.ts';

const protocolVersion = 1;

export const introduction = (version: string): InitializeRequest => ({
  protocolVersion,
  clientInfo: { name: 'sidekicks', title: 'Sidekicks', version },
  clientCapabilities: {
    fs: { readTextFile: true, writeTextFile: true },
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    elicitation: { form: {}, url: {} },
    auth: { terminal: true },
    _meta: { terminal_output: true, 'terminal-auth': true },
  },
});

/** The SDK checks nothing of an answer, and agents that know version 2 may answer with it (ACP.md 1). */
export function readIntroduction(value: unknown, definition: AgentDefinition): Result<AgentInfo> {
  const answer = objectOf(value);
  const version = answer['protocolVersion'];
  if (version !== protocolVersion) return fail('unavailable', 'agent.wrongVersion', { version: shown(version) });
  const info = objectOf(answer['agentInfo']);
  const capabilities = objectOf(answer['agentCapabilities']);
  const prompt = objectOf(capabilities['promptCapabilities']);
  const mcp = objectOf(capabilities['mcpCapabilities']);
  return ok({
    name: textOf(info['name']),
    version: textOf(info['version']),
    loadSession: capabilities['loadSession'] === true,
    resumeSession: isObject(objectOf(capabilities['sessionCapabilities'])['resume']),
    prompt: {
      image: prompt['image'] === true,
      audio: prompt['audio'] === true,
      embeddedContext: prompt['embeddedContext'] === true,
    },
    mcp: { http: mcp['http'] === true, sse: mcp['sse'] === true },
    authMethods: readAuthMethods(answer['authMethods'], definition),
  });
}

const shown = (version: unknown): string =>
  harmless(typeof version === 'string' ? version : JSON.stringify(version ?? null)).slice(0, 40);

export const readAuthMethods = (value: unknown, definition: AgentDefinition): readonly AuthMethod[] =>
  listOf(value)
    .filter(isObject)
    .flatMap((method) => authMethod(method, definition));

function authMethod(method: Json, definition: AgentDefinition): AuthMethod[] {
  const id = textOf(method['id']);
  const offered = readyCommand(method) ?? ownCommand(method, definition);
  const terminal = offered && isPlain(offered) ? whereItRuns(offered, definition) : undefined;
  if (id === '') return [];
  const name = harmless(textOf(method['name']));
  return [{ id, name, description: harmless(textOf(method['description'])), ...(terminal && { terminal }) }];
}

type Terminal = NonNullable<AuthMethod['terminal']>;

/** An agent inside a container or sandbox signs in there; the values of its own variables are not shown. */
function whereItRuns(terminal: Terminal, definition: AgentDefinition): Terminal {
  if (!runsInside(definition)) return terminal;
  const { runtime, workspace } = definition;
  const variables = Object.entries(terminal.env).map(([name, value]) => `${name}=${value}`);
  const [command = '', ...args] = insideWords(runtime, [terminal.command, ...terminal.args], {
    folder: folderInside(runtime, workspace),
    env: [...Object.keys(definition.env), ...variables],
    terminal: true,
  });
  return { command, args, env: {} };
}

/** A person allows the command they see: one with a word that does not show as what it is runs nowhere. */
function isPlain({ command, args, env }: Terminal): boolean {
  const words = [command, ...args, ...Object.values(env)];
  return words.every((word) => !hidden.test(word)) && Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name));
}

/** Control characters, and what turns, joins or hides others. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Some agents give a whole command line (ACP.md 5.2). */
function readyCommand(method: Json): AuthMethod['terminal'] {
  const ready = objectOf(objectOf(method['_meta'])['terminal-auth']);
  const command = textOf(ready['command']);
  return command === '' ? undefined : { command, args: textsOf(ready['args']), env: textTableOf(ready['env']) };
}

/** Others name what is added to the command they were launched by. */
function ownCommand(method: Json, { command, args }: AgentDefinition): AuthMethod['terminal'] {
  if (method['type'] !== 'terminal') return undefined;
  return { command, args: [...args, ...textsOf(method['args'])], env: textTableOf(method['env']) };
}

// Owns the agents that tests configure: the scripted one of test/agents and the demo agent. It starts none of them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as scripted from '../../agents/scripted.ts';
import type { Step, WireLine } from '../../agents/scripted.ts';
import { ROOT } from './nvim.ts';
import type { Place } from './place.ts';

/** An agent as the configuration file names it; every key but `command` may be left out. */
export interface AgentEntry {
  readonly command: string;
  readonly args?: readonly string[];
  readonly [key: string]: unknown;
}

export { script, type Step, type WireLine } from '../../agents/scripted.ts';

export interface ScriptedOptions {
  /** What it does for a prompt that holds no script of its own. */
  readonly script?: readonly Step[];
  /** Further options of its command line. */
  readonly args?: readonly string[];
  /** Further keys of its entry. */
  readonly entry?: Readonly<Record<string, unknown>>;
}

const BUNDLES = resolve(ROOT, 'rplugin/node/sidekicks/dist');

/** A scripted agent that keeps a log of its wire, see `wireLog`, and the process ids of all it starts, see `pids`. */
export function scriptedAgent(place: Place, name: string, options: ScriptedOptions = {}): AgentEntry {
  const files = ['--name', name, '--log', logFile(place, name), '--pids', pidFile(place, name)];
  // In a file, because `${NAME}` in the configuration's arguments would be replaced.
  const script = options.script ? ['--script', `@${saveScript(place, name, options.script)}`] : [];
  return {
    command: process.execPath,
    args: [scripted.scriptedAgent, ...files, ...script, ...(options.args ?? [])],
    ...options.entry,
  };
}

/** The same behind a launcher that stays between it and Sidekicks, as npx does. */
export function wrappedAgent(place: Place, name: string, options: ScriptedOptions = {}): AgentEntry {
  const { command, args = [], ...rest } = scriptedAgent(place, name, options);
  return { ...rest, command: 'sh', args: [scripted.wrapperScript, '--pids', pidFile(place, name), command, ...args] };
}

/** The demo agent as it is built; `pace`: milliseconds between two pieces of text. */
export function demoAgent(pace = 0): AgentEntry {
  const bundle = ['demo-agent.mjs', 'demo-agent.cjs', 'demo-agent.js']
    .map((file) => join(BUNDLES, file))
    .find(existsSync);
  if (bundle === undefined) throw new Error('the demo agent is not built: npm run build');
  return { command: process.execPath, args: [bundle], env: { SIDEKICKS_DEMO_PACE: String(pace) } };
}

/** Everything that a scripted agent has received and sent so far, over all its runs. */
export function wireLog(place: Place, name: string): WireLine[] {
  return scripted.wireLog(logFile(place, name));
}

/** What it has received, by method: `received(place, 'bob', 'session/prompt')`. */
export function received(place: Place, name: string, method: string): Readonly<Record<string, unknown>>[] {
  return wireLog(place, name).flatMap(({ dir, msg }) => (dir === 'in' && msg?.['method'] === method ? [msg] : []));
}

/** Process ids that a scripted agent and its launcher have noted, in order: `wrapper`, `agent`, `child`, `detached`. */
export function pids(place: Place, name: string): { readonly who: string; readonly pid: number }[] {
  const file = pidFile(place, name);
  if (!existsSync(file)) return [];
  // The last line may still be on its way.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const [who = '', pid = ''] = line.split(' ');
    return { who, pid: Number(pid) };
  });
}

function saveScript(place: Place, name: string, script: readonly Step[]): string {
  const file = join(place.root, `${name}.script.json`);
  writeFileSync(file, JSON.stringify(script));
  return file;
}

function logFile(place: Place, name: string): string {
  return join(place.root, `${name}.wire.log`);
}

function pidFile(place: Place, name: string): string {
  return join(place.root, `${name}.pids`);
}

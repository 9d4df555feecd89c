// Turns a tree that fits the schema into the configuration, every default and path resolved, and checks what no schema can say.
import { posix } from 'node:path';
import type { AgentDefinition, ChannelDeclaration, Config, RuntimeDefinition } from '../config.ts';
import type { Language } from '../texts/index.ts';
import { findEntry } from './check.ts';
import { maxDurationHours, maxDurationMs, readDuration } from './duration.ts';
import type { Finding } from './findings.ts';
import { nameKey } from './names.ts';
import {
  chosen,
  entriesOf,
  expanded,
  itemsOf,
  rawText,
  textOf,
  valueAt,
  type Resolving,
  type Setting,
} from './resolving.ts';
import { resolveServers } from './servers.ts';
import type { Entry, Tree } from './yaml-shapes.ts';

export type { Setting } from './resolving.ts';

export interface Resolved {
  readonly config: Config;
  readonly findings: readonly Finding[];
}

/** Also takes a tree that does not fit the schema: then only `findings` is of use. */
export function resolveConfig(source: string, tree: Tree, setting: Setting): Resolved {
  const resolving: Resolving = { source, setting, findings: [] };
  const entries = entriesOf(valueAt(tree, 'agents'));
  noteSameNames(resolving, entries);
  const agents = entries.map((entry) => resolveAgent(resolving, entry));
  const config = {
    language: languageOf(tree) ?? setting.language,
    theme: textsByName(valueAt(tree, 'theme')),
    limits: resolveLimits(resolving, valueAt(tree, 'limits')),
    agents,
    channels: resolveChannels(resolving, valueAt(tree, 'channels'), agents),
    edits: {
      save: chosen(valueAt(tree, 'edits', 'save'), ['never', 'turn', 'always'] as const),
      unopened: chosen(valueAt(tree, 'edits', 'unopened'), ['disk', 'buffer'] as const),
    },
  };
  return { config, findings: resolving.findings };
}

/** The language a file names, also one that has problems elsewhere. */
export function languageOf(tree: Tree): Language | undefined {
  const text = textOf(valueAt(tree, 'language'));
  return text === 'en' || text === 'fr' ? text : undefined;
}

const textsByName = (tree: Tree | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    entriesOf(tree)
      .map(({ key, value }) => [key, textOf(value)] as const)
      .filter(([, text]) => text !== ''),
  );

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

// ---- parts of the configuration ----

function resolveLimits(resolving: Resolving, tree: Tree | undefined): Config['limits'] {
  const count = Number(textOf(valueAt(tree, 'maxRunningAgents')));
  return {
    maxRunningAgents: count >= 1 ? count : 4,
    stopIdleAgentsAfterMs: durationOf(resolving, tree, 'stopIdleAgentsAfter', 15 * 60_000),
  };
}

function durationOf(resolving: Resolving, tree: Tree | undefined, key: string, standard: number): number {
  const value = valueAt(tree, key);
  const ms = readDuration(textOf(value)) ?? standard;
  if (value && ms > maxDurationMs) {
    resolving.findings.push({ at: value.at, text: 'config.tooLong', values: { key, hours: maxDurationHours } });
  }
  return ms;
}

function noteSameNames(resolving: Resolving, entries: readonly Entry[]): void {
  const seen = new Map<string, string>();
  for (const { key, keyAt } of entries) {
    const other = seen.get(nameKey(key));
    if (other === undefined) seen.set(nameKey(key), key);
    else resolving.findings.push({ at: keyAt, text: 'config.sameName', values: { name: key, other } });
  }
}

function resolveAgent(resolving: Resolving, { key: name, value: tree }: Entry): AgentDefinition {
  return {
    name,
    title: oneLine(textOf(valueAt(tree, 'title'))) || name,
    icon: oneLine(textOf(valueAt(tree, 'icon'))),
    description: oneLine(textOf(valueAt(tree, 'description'))),
    command: expanded(resolving, valueAt(tree, 'command')),
    args: itemsOf(valueAt(tree, 'args')).map((item) => expanded(resolving, item)),
    env: resolveEnv(resolving, valueAt(tree, 'env')),
    workspace: resolveWorkspace(resolving, valueAt(tree, 'workspace')),
    startTimeoutMs: durationOf(resolving, tree, 'startTimeout', 30_000),
    mcpServers: resolveServers(resolving, valueAt(tree, 'mcpServers')),
    defaults: { mode: textOf(valueAt(tree, 'defaults', 'mode')), model: textOf(valueAt(tree, 'defaults', 'model')) },
    runtime: resolveRuntime(resolving, tree),
  };
}

const resolveEnv = (resolving: Resolving, tree: Tree | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(entriesOf(tree).map(({ key, value }) => [key, expanded(resolving, value)]));

function resolveWorkspace(resolving: Resolving, tree: Tree | undefined): string {
  const text = textOf(tree) === '' ? '' : expanded(resolving, tree);
  return text === '' ? '' : posix.resolve(resolving.setting.folder, text);
}

/** What engines allow in the names of containers, and sbx in those of sandboxes. */
const runtimeName = /^[A-Za-z0-9][A-Za-z0-9_.+-]*$/;

function resolveRuntime(resolving: Resolving, agent: Tree): RuntimeDefinition {
  const tree = valueAt(agent, 'runtime');
  const type = chosen(valueAt(tree, 'type'), ['local', 'container', 'sbx'] as const);
  const name = resolveRuntimeName(resolving, valueAt(tree, 'name'));
  const lifecycle = valueAt(tree, 'lifecycle');
  if (tree && type !== 'local' && name === '') {
    resolving.findings.push({ at: findEntry(agent, 'runtime')?.keyAt ?? tree.at, text: 'config.runtimeName' });
  }
  return {
    type,
    name,
    cli: chosen(valueAt(tree, 'cli'), ['docker', 'podman', 'nerdctl'] as const),
    workspacePath: resolveWorkspacePath(resolving, valueAt(tree, 'workspacePath')),
    launch: chosen(valueAt(tree, 'launch'), ['inside', 'host'] as const),
    lifecycle: {
      create: textOf(valueAt(lifecycle, 'create')),
      stop: textOf(valueAt(lifecycle, 'stop')),
      remove: textOf(valueAt(lifecycle, 'remove')),
    },
  };
}

/** It stands on command lines: nothing that one could take for an option. */
function resolveRuntimeName(resolving: Resolving, tree: Tree | undefined): string {
  const value = textOf(tree);
  if (tree && value !== '' && !runtimeName.test(value)) {
    resolving.findings.push({ at: tree.at, text: 'config.runtimeOddName', values: { value } });
  }
  return value;
}

/** A path inside a container: nothing of this computer can complete it. */
function resolveWorkspacePath(resolving: Resolving, tree: Tree | undefined): string {
  const text = textOf(tree);
  if (tree && text !== '' && !text.startsWith('/')) {
    resolving.findings.push({ at: tree.at, text: 'config.relativePath', values: { key: 'workspacePath' } });
  }
  return text;
}

function resolveChannels(
  resolving: Resolving,
  tree: Tree | undefined,
  agents: readonly AgentDefinition[],
): readonly ChannelDeclaration[] {
  const entries = entriesOf(tree);
  noteSameNames(resolving, entries);
  const known = new Map(agents.map((agent) => [nameKey(agent.name), agent.name]));
  return entries.map(({ key: name, value }) => ({
    name,
    description: oneLine(textOf(valueAt(value, 'description'))),
    members: resolveMembers(resolving, valueAt(value, 'members'), known),
  }));
}

/** A member that is no agent is left out: the rest of the file is still good. */
function resolveMembers(
  resolving: Resolving,
  tree: Tree | undefined,
  known: ReadonlyMap<string, string>,
): readonly string[] {
  const members = new Set<string>();
  for (const item of itemsOf(tree)) {
    const agent = known.get(nameKey(rawText(item)));
    if (agent !== undefined) members.add(agent);
    else resolving.findings.push({ at: item.at, ...unknownMember(rawText(item)) });
  }
  return [...members];
}

const unknownMember = (agent: string): Omit<Finding, 'at'> => ({
  text: 'error.unknownAgent',
  values: { agent },
  warning: true,
});

// Writes an agent into the text of a configuration (SPEC section 15): every other character of it stays. Reads and writes no file.
import { isMap, isNode, isScalar, parseDocument, type Pair, type YAMLMap } from 'yaml';
import type { Config } from '../config.ts';
import { fail, ok, type Result } from '../errors.ts';
import { nameKey } from './names.ts';
import { parseConfig } from './parse.ts';
import type { Setting } from './resolve.ts';
import { agentSchema, type Schema } from './schema.ts';
import { yamlEntry, yamlInline, yamlKey } from './yaml-text.ts';

/** An agent as the configuration has it, with its name; keys that say nothing (`""`, `[]`, `{}`) are left out. */
export interface NewAgent {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function addAgent(text: string, { name, fields }: NewAgent, setting: Setting): Result<string> {
  const before = readValid(text, setting);
  if (!before.ok) return before;
  const taken = before.value.agents.find((agent) => nameKey(agent.name) === nameKey(name));
  if (taken) return fail('exists', 'config.add.taken', { name: taken.name });
  const agent = { name, fields: saying(fields, agentSchema) };
  const wanted = checkAgent(agent, setting);
  if (!wanted.ok) return wanted;
  const [mark, source] = text.startsWith('\uFEFF') ? ['\uFEFF', text.slice(1)] : ['', text];
  const added = mark + insertAgent(source, agent);
  return isExactly(added, before.value, wanted.value, setting) ? ok(added) : fail('invalid', 'config.add.shape');
}

function readValid(text: string, setting: Setting): Result<Config> {
  const { config, problems } = parseConfig(text, setting);
  const [first] = problems;
  if (config) return ok(config);
  return fail('invalid', 'config.add.broken', { line: first?.line ?? 1, what: first?.message ?? '' });
}

/** Fails for a text nothing can be added to. */
export function checkValid(text: string, setting: Setting): Result<undefined> {
  const read = readValid(text, setting);
  return read.ok ? ok(undefined) : read;
}

/** Keeps the order in which the keys are documented; what is not known there is told by the check. */
function saying(fields: NewAgent['fields'], wanted: Schema | undefined): NewAgent['fields'] {
  const documented = Object.keys(wanted?.properties ?? {});
  const known = documented.filter((key) => Object.hasOwn(fields, key));
  const other = Object.keys(fields).filter((key) => !documented.includes(key));
  const entries = [...known, ...other].map(
    (key) => [key, sayingValue(fields[key], wanted?.properties?.[key])] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => !saysNothing(value)));
}

const sayingValue = (value: unknown, wanted: Schema | undefined): unknown =>
  wanted?.properties && isFields(value) ? saying(value, wanted) : value;

const isFields = (value: unknown): value is NewAgent['fields'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const saysNothing = (value: unknown): boolean =>
  value === '' || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** JSON is YAML too: the agent alone is checked as if it were a whole configuration. */
function checkAgent({ name, fields }: NewAgent, setting: Setting): Result<Config> {
  const { config, problems } = parseConfig(JSON.stringify({ agents: { [name]: fields } }), setting);
  if (config) return ok(config);
  return fail('invalid', 'config.add.invalid', { what: problems.map(({ message }) => message).join('; ') });
}

/** Whatever shape the file has, the new text must mean the old one and the agent, and nothing else. */
function isExactly(text: string, before: Config, wanted: Config, setting: Setting): boolean {
  const { config } = parseConfig(text, setting);
  const agents = [...before.agents, ...wanted.agents];
  return config !== undefined && JSON.stringify(config) === JSON.stringify({ ...before, agents });
}

// ---- where it goes ----

function insertAgent(text: string, agent: NewAgent): string {
  const document = parseDocument(text, {
    schema: 'failsafe',
    merge: false,
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const root = document.contents;
  if (!isMap(root)) return appendLines(text, agentsLines(agent, 0));
  const pair = root.items.find(({ key }) => isScalar(key) && key.source === 'agents');
  if (root.flow === true) return insertInFlowRoot(text, root, pair, agent);
  const column = columnAt(text, startOf(pair?.key ?? root.items[0]?.key));
  if (!pair) return insertAfter(text, root, agentsLines(agent, column), true);
  return insertInBlock(text, pair, column, agent);
}

function insertInBlock(text: string, pair: Pair, column: number, agent: NewAgent): string {
  const agents = pair.value;
  if (isMap(agents) && agents.flow !== true) {
    const [first] = agents.items;
    const own = columnAt(text, startOf(first?.key));
    const inner = isMap(first?.value) && first.value.flow !== true ? first.value.items[0]?.key : undefined;
    const step = inner === undefined ? own - column : columnAt(text, startOf(inner)) - own;
    return insertAfter(text, agents, agentLines(agent, own, step), hasGaps(text, agents));
  }
  if (isMap(agents) && agents.items.length > 0) return insertInFlow(text, agents, flowEntry(agent));
  // Nothing, `null` or `{}`: the lines of the agent stand below the key.
  const [from, to] = rangeOf(agents) ?? [endOf(pair.key), endOf(pair.key)];
  const without = from === to ? text : text.slice(0, from).trimEnd() + text.slice(to);
  return insertLines(without, lineAfter(without, endOf(pair.key)), agentLines(agent, column + 2, 2));
}

const flowEntry = ({ name, fields }: NewAgent): string => `${yamlKey(name)}: ${yamlInline(fields)}`;

function insertInFlowRoot(text: string, root: YAMLMap, pair: Pair | undefined, agent: NewAgent): string {
  if (pair && isMap(pair.value)) return insertInFlow(text, pair.value, flowEntry(agent));
  return insertInFlow(text, root, `agents: {${flowEntry(agent)}}`);
}

function insertInFlow(text: string, map: YAMLMap, entry: string): string {
  const last = map.items.at(-1);
  const at = last ? endOf(last.value ?? last.key) : startOf(map) + 1;
  return text.slice(0, at) + (last ? ', ' : '') + entry + text.slice(at);
}

// ---- lines ----

const agentsLines = (agent: NewAgent, column: number): readonly string[] => [
  `${' '.repeat(column)}agents:`,
  ...agentLines(agent, column + 2, 2),
];

function agentLines({ name, fields }: NewAgent, column: number, step: number): readonly string[] {
  const lines = [
    `${yamlKey(name)}:`,
    ...Object.entries(fields)
      .flatMap(([key, value]) => yamlEntry(key, value, step))
      .map((line) => ' '.repeat(step) + line),
  ];
  return lines.map((line) => ' '.repeat(column) + line);
}

/** After the last entry of a block mapping and what stands on its last line. */
function insertAfter(text: string, map: YAMLMap, lines: readonly string[], gap: boolean): string {
  const last = map.items.at(-1);
  return insertLines(text, lineAfter(text, endOf(last?.value ?? last?.key)), gap ? ['', ...lines] : lines);
}

function insertLines(text: string, at: number, lines: readonly string[]): string {
  const end = lineEnd(text);
  const head = text.slice(0, at);
  const begun = head === '' || head.endsWith('\n') ? head : head + end;
  return begun + lines.map((line) => line + end).join('') + text.slice(at);
}

const appendLines = (text: string, lines: readonly string[]): string => insertLines(text, text.length, lines);

/** Entries with an empty line between them get one more. */
function hasGaps(text: string, { items }: YAMLMap): boolean {
  const [before, last] = items.slice(-2);
  if (!before || !last) return false;
  const between = text.slice(lineAfter(text, endOf(before.value ?? before.key)), startOf(last.key));
  return between
    .split('\n')
    .slice(0, -1)
    .some((line) => line.trim() === '');
}

const lineEnd = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Where the line after an offset begins; an offset that begins a line is one already. */
function lineAfter(text: string, at: number): number {
  if (at === 0 || text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

const columnAt = (text: string, at: number): number => at - (text.lastIndexOf('\n', at - 1) + 1);

const rangeOf = (node: unknown): readonly [number, number, number] | undefined =>
  isNode(node) ? (node.range ?? undefined) : undefined;

const startOf = (node: unknown): number => rangeOf(node)?.[0] ?? 0;
const endOf = (node: unknown): number => rangeOf(node)?.[1] ?? 0;

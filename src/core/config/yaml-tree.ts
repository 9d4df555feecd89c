// Reads YAML into a tree of mappings, lists and texts that knows its places. Knows nothing of what a configuration may hold.
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Alias, type Node, type Pair, type YAMLMap } from 'yaml';
import type { Finding } from './findings.ts';
import { readPlainYaml } from './plain-yaml.ts';
import type { Entry, TextTree, Tree } from './yaml-shapes.ts';
import { syntaxFindings } from './yaml-errors.ts';

export interface TreeRead {
  /** Undefined when the text cannot be read as YAML: a broken tree is never looked at. */
  readonly tree: Tree | undefined;
  readonly findings: readonly Finding[];
}

const maxDepth = 64;
/** Aliases may stand for this many nodes in all. */
const maxAliased = 20_000;

interface Reading {
  readonly findings: Finding[];
  readonly tags: readonly string[];
  readonly anchors: ReadonlyMap<string, readonly Node[]>;
  /** Anchored nodes being read, to notice one that holds itself. */
  readonly open: Set<Node>;
  /** Each anchored node is read once; how many nodes it stands for is counted at each use. */
  readonly read: Map<Node, Tree>;
  readonly sizes: Map<Tree, number>;
  aliased: number;
}

/** `tags` are those the file may use; any other is an error. */
export function readTree(text: string, tags: readonly string[] = []): TreeRead {
  const tree = readPlainYaml(text);
  return tree ? { tree, findings: [] } : readAnyYaml(text, tags);
}

/** By the library, which reads all of YAML. */
export function readAnyYaml(text: string, tags: readonly string[] = []): TreeRead {
  // The failsafe schema leaves every value a text: what a value means is decided by what is wanted in its place.
  const document = parseDocument(text, {
    schema: 'failsafe',
    merge: false,
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    keepSourceTokens: false,
    logLevel: 'error',
  });
  const warnings = document.warnings.filter(({ pos }) => !tags.includes(text.slice(pos[0], pos[1])));
  const syntax = syntaxFindings(text, [...document.errors, ...warnings]);
  if (syntax.length > 0) return { tree: undefined, findings: syntax };
  if (document.contents === null) return { tree: emptyText(text.length), findings: [] };
  const reading: Reading = {
    findings: [],
    tags,
    anchors: findAnchors(document.contents),
    open: new Set(),
    read: new Map(),
    sizes: new Map(),
    aliased: 0,
  };
  const tree = readNode(reading, document.contents, 0);
  return reading.findings.length > 0 ? { tree: undefined, findings: reading.findings } : { tree, findings: [] };
}

const emptyText = (at: number): TextTree => ({ kind: 'text', at, end: at, text: '', plain: true });

function findAnchors(root: Node): ReadonlyMap<string, readonly Node[]> {
  const anchors = new Map<string, Node[]>();
  const look = (node: unknown): void => {
    if (isScalar(node) || isMap(node) || isSeq(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, [...(anchors.get(node.anchor) ?? []), node]);
    }
    if (isMap(node)) node.items.forEach((pair) => [pair.key, pair.value].forEach(look));
    if (isSeq(node)) node.items.forEach(look);
  };
  look(root);
  return anchors;
}

function readNode(reading: Reading, node: unknown, depth: number): Tree {
  const at = startOf(node);
  if (depth > maxDepth) return refuse(reading, { at, text: 'config.yaml.depth' });
  if (isAlias(node)) return readAlias(reading, node, depth);
  if (isScalar(node)) return tagged(reading, node, readScalar(node, at));
  if (!isMap(node) && !isSeq(node)) return emptyText(at);
  if (node.anchor === undefined) return tagged(reading, node, readCollection(reading, node, depth));
  reading.open.add(node);
  const tree = tagged(reading, node, readCollection(reading, node, depth));
  reading.open.delete(node);
  reading.read.set(node, tree);
  return tree;
}

const tagged = (reading: Reading, { tag }: Node, tree: Tree): Tree =>
  tag !== undefined && reading.tags.includes(tag) ? { ...tree, tag } : tree;

const startOf = (node: unknown): number =>
  isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node.range?.[0] ?? 0) : 0;

function refuse(reading: Reading, finding: Finding): TextTree {
  reading.findings.push(finding);
  return emptyText(finding.at);
}

function readScalar(node: { source?: string; type?: string; range?: readonly number[] | null }, at: number): TextTree {
  const text = node.source ?? '';
  return { kind: 'text', at, end: node.range?.[1] ?? at, text, plain: node.type === 'PLAIN' };
}

function readCollection(reading: Reading, node: Node, depth: number): Tree {
  const at = startOf(node);
  if (isMap(node)) return { kind: 'map', at, entries: readEntries(reading, node, depth) };
  const items = isSeq(node) ? node.items.map((item) => readNode(reading, item, depth + 1)) : [];
  return { kind: 'list', at, items };
}

function readAlias(reading: Reading, alias: Alias, depth: number): Tree {
  const at = startOf(alias);
  const target = reading.anchors.get(alias.source)?.findLast((node) => startOf(node) < at);
  if (!target) return refuse(reading, { at, text: 'config.yaml.alias', values: { name: alias.source } });
  if (reading.open.has(target)) return refuse(reading, { at, text: 'config.yaml.cycle' });
  const tree = reading.read.get(target) ?? readNode(reading, target, depth + 1);
  const isFull = reading.aliased > maxAliased;
  reading.aliased += sizeOf(reading, tree);
  if (reading.aliased <= maxAliased) return tree;
  // One that is too many stands for all: the rest of such a file would fill the screen.
  if (isFull) return emptyText(at);
  return refuse(reading, { at, text: 'config.yaml.aliases', values: { limit: maxAliased } });
}

function sizeOf(reading: Reading, tree: Tree): number {
  if (tree.kind === 'text') return 1;
  const known = reading.sizes.get(tree);
  if (known !== undefined) return known;
  const children = tree.kind === 'map' ? tree.entries.map((entry) => entry.value) : tree.items;
  const size = children.reduce((sum, child) => sum + sizeOf(reading, child), 1);
  reading.sizes.set(tree, size);
  return size;
}

/** A key written in the mapping wins over a merged one, an earlier merge over a later one. */
function readEntries(reading: Reading, node: YAMLMap, depth: number): readonly Entry[] {
  const own = new Map<string, Entry>();
  const merged: Entry[] = [];
  for (const pair of node.items) {
    if (isMergeKey(pair.key)) merged.push(...readMerge(reading, pair, depth));
    else addEntry(reading, own, pair, depth);
  }
  for (const entry of merged) if (!own.has(entry.key)) own.set(entry.key, entry);
  return [...own.values()];
}

const isMergeKey = (key: unknown): boolean => isScalar(key) && key.type === 'PLAIN' && key.source === '<<';

function addEntry(reading: Reading, own: Map<string, Entry>, pair: Pair, depth: number): void {
  const { key: node, value } = pair;
  const keyAt = startOf(node);
  if (!isScalar(node)) return void refuse(reading, { at: keyAt, text: 'config.yaml.key' });
  const key = (node.source ?? '').normalize('NFC');
  if (own.has(key)) return void refuse(reading, { at: keyAt, text: 'config.yaml.duplicate', values: { key } });
  const tree = value === null ? emptyText(keyAt) : readNode(reading, value, depth + 1);
  const isAbsent = tree.kind === 'text' && tree.plain && tree.text === '';
  // Nothing stands where a missing value should: its key is what a person looks for.
  own.set(key, { key, keyAt, value: isAbsent ? { ...tree, at: keyAt, end: keyAt } : tree });
}

function readMerge(reading: Reading, pair: Pair, depth: number): readonly Entry[] {
  const tree = readNode(reading, pair.value, depth + 1);
  const sources = tree.kind === 'list' ? tree.items : [tree];
  const entries: Entry[] = [];
  for (const source of sources) {
    if (source.kind === 'map') entries.push(...source.entries);
    else refuse(reading, { at: startOf(pair.key), text: 'config.yaml.merge' });
  }
  return entries;
}

// The services of a Compose project, after merges, `extends`, `include` and override files: which there are, and the name of each one's container.
import { posix } from 'node:path';
import { findEntry } from '../config/check.ts';
import type { Entry, Tree } from '../config/yaml-shapes.ts';
import { fail, ok, type Failure, type Result } from '../errors.ts';
import { overrideTag, resetTag, type ComposeFile, type ComposeFiles } from './files.ts';
import { interpolate, type Variables } from './interpolate.ts';

/** What of a service is of use here; "" for a container that Compose names. */
export interface Service {
  readonly container: string;
}

export type Services = ReadonlyMap<string, Service>;

/** Says that something could not be read as Compose reads it, and where. */
export type Report = (file: ComposeFile, at: number, failure: Failure) => void;

const maxDepth = 20;

export interface Reading {
  readonly files: ComposeFiles;
  readonly variables: Variables;
  readonly report: Report;
  readonly word: (failure: Failure) => string;
  /** What was included already: again it would be the same. */
  readonly included: Set<string>;
}

/** `layers`: a file, then those that override it. */
export async function readServices(reading: Reading, layers: readonly ComposeFile[], depth = 0): Promise<Services> {
  let services: Services = new Map();
  for (const layer of layers) {
    const included = await readIncluded(reading, layer, depth);
    services = mergeLayer(new Map([...services, ...included]), await readLayer(reading, layer));
  }
  return services;
}

// ---- one file ----

interface Layer {
  /** `!override` or `!reset`: what was there before is gone. */
  readonly alone: boolean;
  readonly services: ReadonlyMap<string, Part>;
}

/** What one file says of a service; undefined for what it leaves to the files before. */
interface Part {
  readonly tag: string | undefined;
  readonly container: string | undefined;
}

function mergeLayer(before: Services, { alone, services }: Layer): Services {
  const merged = new Map<string, Service>(alone ? [] : before);
  for (const [name, part] of services) {
    const old = part.tag === overrideTag ? undefined : merged.get(name);
    if (part.tag === resetTag) merged.delete(name);
    else merged.set(name, { container: part.container ?? old?.container ?? '' });
  }
  return merged;
}

async function readLayer(reading: Reading, file: ComposeFile): Promise<Layer> {
  const tree = findEntry(file.tree, 'services')?.value;
  const parts = new Map<string, Part>();
  for (const entry of entriesOf(tree?.tag === resetTag ? undefined : tree)) {
    const part = await readNamed(reading, file, entry);
    if (part.ok) parts.set(entry.key, part.value);
    else reading.report(file, part.at ?? entry.keyAt, part.error);
  }
  return { alone: tree?.tag !== undefined, services: parts };
}

type PartRead = { readonly ok: true; readonly value: Part } | Refused;
/** `at`: where in the file that was asked, if not at the service itself. */
interface Refused {
  readonly ok: false;
  readonly error: Failure;
  readonly at?: number;
}

async function readNamed(reading: Reading, file: ComposeFile, { key, value }: Entry): Promise<PartRead> {
  if (!/^[A-Za-z0-9._][A-Za-z0-9._-]*$/.test(key)) return fail('invalid', 'compose.serviceName', { name: key });
  return readPart(reading, { file, name: key, tree: value, chain: [] });
}

interface Asked {
  readonly file: ComposeFile;
  readonly name: string;
  readonly tree: Tree;
  /** The services this one is extended by, to notice one that extends itself. */
  readonly chain: readonly string[];
}

/** What a service says itself wins over what it extends. */
async function readPart(reading: Reading, asked: Asked): Promise<PartRead> {
  const { file, name, tree } = asked;
  if (tree.tag === resetTag) return ok({ tag: resetTag, container: undefined });
  if (tree.kind !== 'map') return fail('invalid', 'compose.notService', { name });
  const container = readContainer(reading, file, tree);
  if (!container.ok) return container;
  const base = await readExtended(reading, asked);
  if (!base.ok) return base;
  return ok({ tag: tree.tag, container: container.value ?? base.value });
}

type ContainerRead = { readonly ok: true; readonly value: string | undefined } | Refused;

/** A name that is reset is the one Compose gives. */
function readContainer({ variables }: Reading, file: ComposeFile, tree: Tree): ContainerRead {
  const entry = findEntry(tree, 'container_name');
  if (entry?.value.tag === resetTag) return ok('');
  if (entry?.value.kind !== 'text' || entry.value.text === '') return ok(undefined);
  const name = interpolate(entry.value.text, variables);
  if (!name.ok) return { ...name, at: entry.value.at };
  if (name.value === '' || /^[A-Za-z0-9][A-Za-z0-9_.-]+$/.test(name.value)) return ok(name.value);
  return { ...fail('invalid', 'compose.containerName', { name: name.value, path: file.path }), at: entry.value.at };
}

// ---- extends ----

async function readExtended(reading: Reading, asked: Asked): Promise<ContainerRead> {
  const entry = findEntry(asked.tree, 'extends');
  if (!entry || entry.value.tag === resetTag) return ok(undefined);
  const base = await findBase(reading, asked, entry.value);
  if (!base.ok) return { ...base, at: entry.keyAt };
  const part = await readPart(reading, base.value);
  return part.ok ? ok(part.value.container) : { ok: false, error: part.error, at: entry.keyAt };
}

async function findBase(reading: Reading, asked: Asked, tree: Tree): Promise<Result<Asked>> {
  const name = fillText(reading, tree.kind === 'text' ? tree : findEntry(tree, 'service')?.value);
  if (!name.ok) return name;
  if (name.value === '') return fail('invalid', 'compose.extends');
  const file = await findFile(reading, asked.file, findEntry(tree, 'file')?.value);
  if (!file.ok) return file;
  const base = findEntry(findEntry(file.value.tree, 'services')?.value ?? emptyTree, name.value);
  if (!base) return fail('not-found', 'compose.noBase', { service: name.value, path: file.value.path });
  return follow(asked, { file: file.value, name: name.value, tree: base.value, chain: [] });
}

function follow(asked: Asked, base: Asked): Result<Asked> {
  const chain = [...asked.chain, `${asked.file.path} ${asked.name}`];
  const isCycle = chain.includes(`${base.file.path} ${base.name}`);
  if (isCycle) return fail('invalid', 'compose.cycle', { service: base.name });
  if (chain.length > maxDepth) return fail('limit', 'compose.tooDeep', { limit: maxDepth });
  return ok({ ...base, chain });
}

async function findFile(reading: Reading, from: ComposeFile, tree: Tree | undefined): Promise<Result<ComposeFile>> {
  const path = fillText(reading, tree);
  if (!path.ok) return path;
  return path.value === '' ? ok(from) : loadBeside(reading, from, path.value);
}

/** Compose can also fetch files; nothing is fetched here. */
function loadBeside({ files }: Reading, from: ComposeFile, path: string): Promise<Result<ComposeFile>> {
  const isRemote = /^[a-z][a-z0-9+.-]*:\/\/|^git@|\.git(#|$)/i.test(path);
  if (isRemote) return Promise.resolve(fail('invalid', 'compose.remote', { path }));
  return files.load(posix.resolve(posix.dirname(from.path), path));
}

// ---- include ----

/** The services of files that are included stand beside those of the file itself. */
async function readIncluded(reading: Reading, file: ComposeFile, depth: number): Promise<Services> {
  const services = new Map<string, Service>();
  const list = findEntry(file.tree, 'include')?.value;
  for (const item of list?.kind === 'list' ? list.items : []) {
    const layers = await loadLayers(reading, file, item, depth);
    if (!layers.ok) reading.report(file, item.at, layers.error);
    else
      for (const [name, service] of await readInside(reading, file, item, layers.value, depth))
        services.set(name, service);
  }
  return services;
}

async function readInside(
  reading: Reading,
  file: ComposeFile,
  item: Tree,
  layers: readonly ComposeFile[],
  depth: number,
): Promise<Services> {
  const key = layers.map(({ path }) => path).join('\0');
  if (reading.included.has(key)) return new Map();
  reading.included.add(key);
  const report: Report = (inner, at, failure) => {
    reading.report(file, item.at, within(reading, inner, at, failure));
  };
  return readServices({ ...reading, report }, layers, depth + 1);
}

/** What is wrong in another file is told where that file is named. */
export function within({ word }: Reading, file: ComposeFile, at: number, failure: Failure): Failure {
  if (failure.text === 'compose.within') return failure;
  const { line, column } = file.place(at);
  return fail('invalid', 'compose.within', { path: file.path, line, column, what: word(failure) }).error;
}

async function loadLayers(
  reading: Reading,
  file: ComposeFile,
  item: Tree,
  depth: number,
): Promise<Result<readonly ComposeFile[]>> {
  if (depth >= maxDepth) return fail('limit', 'compose.tooDeep', { limit: maxDepth });
  const paths = item.kind === 'map' ? findEntry(item, 'path')?.value : item;
  const layers: ComposeFile[] = [];
  for (const path of paths?.kind === 'list' ? paths.items : [paths]) {
    const text = fillText(reading, path);
    if (!text.ok) return text;
    const layer = text.value === '' ? fail('invalid', 'compose.include') : await loadBeside(reading, file, text.value);
    if (!layer.ok) return layer;
    layers.push(layer.value);
  }
  return ok(layers);
}

// ---- trees ----

const emptyTree: Tree = { kind: 'map', at: 0, entries: [] };
const entriesOf = (tree: Tree | undefined): readonly Entry[] => (tree?.kind === 'map' ? tree.entries : []);

const fillText = ({ variables }: Reading, tree: Tree | undefined): Result<string> =>
  tree?.kind === 'text' ? interpolate(tree.text, variables) : ok('');

// Reads a Docker Compose file for the assistant that adds an agent (SPEC section 15): its services and the commands that make, stop and remove each.
// The file is a stranger's: what it names is looked at within bounds, never run, and stands quoted in the commands.
import { posix } from 'node:path';
import { findEntry } from '../config/check.ts';
import type { Problem } from '../contract/shapes.ts';
import { fail, ok, type Failure, type Result } from '../errors.ts';
import { commandLine, isOddWord } from '../shell.ts';
import { wordFailure, type Language } from '../texts/index.ts';
import { readDotenv } from './dotenv.ts';
import { ComposeFiles, type ComposeFile, type ReadText } from './files.ts';
import { interpolate, type Variables } from './interpolate.ts';
import { readServices, within, type Reading } from './services.ts';

export interface ComposeService {
  readonly name: string;
  readonly container: string;
  readonly createCommand: string;
  readonly stopCommand: string;
  readonly removeCommand: string;
}

export interface ComposeProject {
  readonly folder: string;
  readonly services: readonly ComposeService[];
  readonly problems: readonly Problem[];
}

export interface ComposeSurroundings {
  readonly read: ReadText;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly language: Language;
}

/** More than anybody chooses from; a file of a stranger could hold any number. */
const maxServices = 500;

/** `path` is absolute. */
export async function readCompose(path: string, around: ComposeSurroundings): Promise<Result<ComposeProject>> {
  if (isOddWord(path)) return fail('invalid', 'file.oddName', { path });
  const files = new ComposeFiles(around.read, around.language);
  const main = await files.load(path);
  if (!main.ok) return main;
  const problems: Problem[] = [];
  const note = (at: number, failure: Failure): void => {
    problems.push({ ...main.value.place(at), message: wordFailure(around.language, failure), warning: false });
  };
  const variables = await readVariables(posix.dirname(path), around, (failure) => note(0, failure));
  const reading: Reading = {
    files,
    variables,
    word: (failure) => wordFailure(around.language, failure),
    included: new Set([path]),
    report: (file, at, failure) => {
      if (file === main.value) note(at, failure);
      else note(0, within(reading, file, at, failure));
    },
  };
  const layers = [main.value, ...(await readOverride(files, path, (failure) => note(0, failure)))];
  const services = await describeServices(reading, layers);
  if (services.length === 0 && problems.length === 0) return fail('invalid', 'compose.noServices', { path });
  return ok({ folder: posix.dirname(path), services, problems: problems.sort((a, b) => a.line - b.line) });
}

// ---- variables ----

/** The environment wins over the `.env` file beside. */
async function readVariables(
  folder: string,
  { read, env }: ComposeSurroundings,
  note: (failure: Failure) => void,
): Promise<Variables> {
  const text = await read(posix.join(folder, '.env'));
  // A folder of that name is somebody else's.
  const isThere = text.ok || !['file.missing', 'file.notRegular'].includes(text.error.text);
  if (!text.ok && isThere) note(text.error);
  const beside = readDotenv(text.ok ? text.value : '', (name) => env[name]);
  return (name) => env[name] ?? beside.get(name);
}

// ---- the override file ----

const standardNames = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];
const overrideNames = [
  'compose.override.yml',
  'compose.override.yaml',
  'docker-compose.override.yml',
  'docker-compose.override.yaml',
];

/** Compose takes the first that is there, beside a file of one of its own names. */
async function readOverride(
  files: ComposeFiles,
  path: string,
  note: (failure: Failure) => void,
): Promise<readonly ComposeFile[]> {
  if (!standardNames.includes(posix.basename(path))) return [];
  for (const name of overrideNames) {
    const file = await files.load(posix.join(posix.dirname(path), name));
    if (file.ok) return [file.value];
    if (file.error.code !== 'not-found') note(file.error);
  }
  return [];
}

// ---- what is offered ----

async function describeServices(reading: Reading, layers: readonly ComposeFile[]): Promise<readonly ComposeService[]> {
  const [main] = layers;
  const services = [...(await readServices(reading, layers))];
  if (!main || services.length === 0) return [];
  if (services.length > maxServices) {
    reading.report(main, 0, fail('limit', 'compose.tooManyServices', { limit: maxServices }).error);
  }
  const project = projectName(reading, layers, main);
  // What the environment says now it may not say when the commands run.
  const given = reading.variables('COMPOSE_PROJECT_NAME') ? ['-p', project] : [];
  const compose = ['docker', 'compose', ...given, ...layers.flatMap(({ path }) => ['-f', path])];
  return services.slice(0, maxServices).map(([name, { container }]) => ({
    name,
    container: container || (project && `${project}-${name}-1`),
    createCommand: commandLine(...compose, 'up', '-d', name),
    stopCommand: commandLine(...compose, 'stop', name),
    removeCommand: commandLine(...compose, 'rm', '-sf', name),
  }));
}

/** "" where there is none that Compose would take. */
function projectName(reading: Reading, layers: readonly ComposeFile[], main: ComposeFile): string {
  const named = reading.variables('COMPOSE_PROJECT_NAME') || writtenName(reading, layers);
  if (named) return named;
  const folder = posix.basename(posix.dirname(main.path));
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/^[_-]+/, '');
  if (name === '') reading.report(main, 0, fail('invalid', 'compose.noProject', { folder }).error);
  return name;
}

/** The last file that says one wins. */
function writtenName(reading: Reading, layers: readonly ComposeFile[]): string {
  const [file] = layers.toReversed().filter(({ tree }) => findEntry(tree, 'name'));
  const entry = file && findEntry(file.tree, 'name');
  if (!file || entry?.value.kind !== 'text') return '';
  const name = interpolate(entry.value.text, reading.variables);
  if (name.ok && (name.value === '' || /^[a-z0-9][a-z0-9_-]*$/.test(name.value))) return name.value;
  const failure = name.ok ? fail('invalid', 'compose.projectName', { name: name.value }).error : name.error;
  reading.report(file, entry.value.at, failure);
  return '';
}

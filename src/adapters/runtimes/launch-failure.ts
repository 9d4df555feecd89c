// Why a program could not be launched: Node says ENOENT for a missing folder as for a missing program (CASES B03). Starts nothing.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { causeText, fail, type Failure } from '../../core/errors.ts';

export interface Attempt {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

type Found = 'missing' | 'folder' | 'closed' | 'program';

export async function launchFailure(attempt: Attempt, cause: unknown): Promise<Failure> {
  return (await folderFailure(attempt.cwd, cause)) ?? (await commandFailure(attempt, cause));
}

/** Undefined where programs can run in it. */
export async function folderFailure(folder: string, cause?: unknown): Promise<Failure | undefined> {
  const entry = await stat(folder).catch(codeOf);
  const values = { folder };
  if (entry === 'ENOENT' || entry === 'ENOTDIR') {
    return fail('unavailable', 'agent.folderMissing', values, cause).error;
  }
  if (typeof entry === 'string') return fail('unavailable', 'agent.folderClosed', values, cause).error;
  if (!entry.isDirectory()) return fail('unavailable', 'agent.notFolder', values, cause).error;
  if (!(await allowed(folder, constants.X_OK))) return fail('unavailable', 'agent.folderClosed', values, cause).error;
  return undefined;
}

async function commandFailure({ command, cwd, env }: Attempt, cause: unknown): Promise<Failure> {
  const values = { command };
  const found = await findCommand(command, cwd, env['PATH'] ?? '');
  if (found === 'missing') return fail('unavailable', 'agent.commandMissing', values, cause).error;
  if (found === 'folder') return fail('unavailable', 'agent.commandIsFolder', values, cause).error;
  if (found === 'closed') return fail('unavailable', 'agent.notExecutable', values, cause).error;
  if (codeOf(cause) === 'ENOENT') return fail('unavailable', 'agent.interpreterMissing', values, cause).error;
  return fail('unavailable', 'agent.notLaunched', { command, what: causeText(cause) }, cause).error;
}

/** A name with a `/` is a path from the working folder, any other is looked for on PATH, as the system does it. */
async function findCommand(command: string, cwd: string, searched: string): Promise<Found> {
  if (command.includes('/')) return lookAt(path.resolve(cwd, command));
  const places = searched.split(path.delimiter).map((folder) => path.resolve(cwd, folder, command));
  const found = await Promise.all(places.map(lookAt));
  return found.find((one) => one === 'program') ?? found.find((one) => one !== 'missing') ?? 'missing';
}

async function lookAt(file: string): Promise<Found> {
  const entry = await stat(file).catch(codeOf);
  if (typeof entry === 'string') return entry === 'EACCES' ? 'closed' : 'missing';
  if (entry.isDirectory()) return 'folder';
  return (await allowed(file, constants.X_OK)) ? 'program' : 'closed';
}

const allowed = (file: string, mode: number): Promise<boolean> =>
  access(file, mode).then(
    () => true,
    () => false,
  );

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

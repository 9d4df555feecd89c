// Paths and names in a workspace as a person or a program writes them (SPEC section 11). Pure: links are for those who look.
import { createHash } from 'node:crypto';
import { fail, ok, type Failure, type Result } from './errors.ts';
import type { WorkspaceEntry } from './ports.ts';

/** Larger files are not given as text. */
export const maxReadBytes = 1 << 20;
/** Folders that are not followed: they change all the time, and nobody reads them. */
export const unfollowedFolders: readonly string[] = ['.git', 'node_modules'];

/** The path with nothing in it but names, "" for the folder itself; refused where its words lead out of the folder. */
export function pathInside(path: string): Result<string> {
  if (path.includes('\0')) return fail('invalid', 'workspace.badName', { name: path.replaceAll('\0', '\ufffd') });
  if (path.startsWith('/')) return fail('refused', 'workspace.outside', { path });
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..' && names.pop() === undefined) return fail('refused', 'workspace.outside', { path });
    if (name !== '' && name !== '.' && name !== '..') names.push(name);
  }
  return ok(names.join('/'));
}

/** The name of one new file. */
export function newName(name: string): Result<string> {
  const isName = name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);
  return isName ? ok(name) : fail('invalid', 'workspace.badName', { name: name.replaceAll('\0', '\ufffd') });
}

export const joined = (dir: string, name: string): string => (dir === '' ? name : `${dir}/${name}`);

/** Folders first, then by name. */
export const sorted = (entries: readonly WorkspaceEntry[]): WorkspaceEntry[] =>
  [...entries].sort((a, b) => Number(b.dir) - Number(a.dir) || (a.name < b.name ? -1 : Number(a.name > b.name)));

/** Identifies a content. */
export const versionOf = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');

/** Text as it can be given back byte for byte; undefined for anything else. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined; // not UTF-8
  }
}

/** A name that is not UTF-8 is shown with `�` in it, and found by nobody. */
export const ofOddName = (path: string, failure: Failure): Failure =>
  failure.code === 'not-found' && path.includes('\ufffd')
    ? fail('invalid', 'workspace.oddName', { path }).error
    : failure;

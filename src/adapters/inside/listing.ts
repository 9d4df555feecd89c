// Reads what the programs that list files print (scripts.ts). Pure.
import type { WorkspaceEntry } from '../../core/ports.ts';
import { joined } from '../../core/workspace-paths.ts';

const folderBits = 0o040000;
const kindBits = 0o170000;

/** What comes later of the same name takes its place: a link comes again as what it leads to. */
export function entriesOf(output: Buffer, dir: string): WorkspaceEntry[] {
  const entries = new Map<string, WorkspaceEntry>();
  // As bytes: two names that are not UTF-8 are two files, though they may be shown alike.
  const fields = output.toString('latin1').split('/');
  for (let at = 1; at + 4 < fields.length; at += 5) {
    const [size = '', time = '', mode = '', , rest = ''] = fields.slice(at, at + 5);
    const bytes = rest.replace(/\n$/, '');
    const name = Buffer.from(bytes, 'latin1').toString();
    const isFolder = (Number.parseInt(mode, 16) & kindBits) === folderBits;
    const modTime = Number(time) * 1000;
    entries.set(bytes, { name, path: joined(dir, name), dir: isFolder, size: Number(size), modTime });
  }
  return [...entries.values()];
}

/** The paths of files, without the `./` that `find` begins each with. */
export const pathsOf = (output: Buffer): string[] =>
  output
    .toString()
    .split('\0')
    .filter((path) => path !== '')
    .map((path) => path.replace(/^\.\//, ''));

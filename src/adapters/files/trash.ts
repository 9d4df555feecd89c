// Moves files to the trash of this computer: ~/.Trash on macOS, else that of freedesktop.org (SPEC section 11). Empties nothing.
import { promises as fs } from 'node:fs';
import * as path from 'node:path';
import { codeOf } from './disk.ts';

export interface TrashPlace {
  readonly home: string;
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Settles with false, and nothing has changed, where the trash is on another disk. `now`: in milliseconds since 1970. */
export async function moveToTrash(file: string, place: TrashPlace, now: number): Promise<boolean> {
  const trash = trashOf(place);
  if (!(await isOnDiskOf(file, trash))) return false;
  try {
    await (place.platform === 'darwin' ? moveToFreeName(file, trash) : moveWithNote(file, trash, now));
    return true;
  } catch (cause) {
    // The system knows borders that the numbers of the disks do not tell (a mount of a folder of the same disk).
    if (codeOf(cause) === 'EXDEV') return false;
    throw cause;
  }
}

function trashOf({ home, platform, env }: TrashPlace): string {
  if (platform === 'darwin') return path.join(home, '.Trash');
  const data = env['XDG_DATA_HOME'] ?? '';
  return path.join(path.isAbsolute(data) ? data : path.join(home, '.local', 'share'), 'Trash');
}

/** A trash that is not there yet is made on the disk of its nearest folder. */
async function isOnDiskOf(file: string, trash: string): Promise<boolean> {
  for (let folder = trash; ; folder = path.dirname(folder)) {
    const found = await fs.stat(folder).catch((cause: unknown) => {
      if (codeOf(cause) !== 'ENOENT') throw cause;
      return undefined;
    });
    if (found) return found.dev === (await fs.lstat(file)).dev;
  }
}

/** `name`, `name.2`, …; before the ending, which says what a file is. */
function nameOf(file: string, count: number): string {
  const { name, ext } = path.parse(file);
  return count === 1 ? name + ext : `${name}.${count}${ext}`;
}

/** The note holds the name before the file is there, so that two programs never take the same one. */
async function moveWithNote(file: string, trash: string, now: number): Promise<void> {
  const [files, notes] = [path.join(trash, 'files'), path.join(trash, 'info')];
  for (const folder of [files, notes]) await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  for (let count = 1; ; count++) {
    const name = nameOf(file, count);
    const note = path.join(notes, `${name}.trashinfo`);
    if (!(await writeNew(note, noteText(file, now)))) continue;
    try {
      // What lies there without a note is somebody's all the same.
      if (await isThere(path.join(files, name))) await fs.rm(note);
      else {
        await fs.rename(file, path.join(files, name));
        return;
      }
    } catch (cause) {
      await fs.rm(note, { force: true });
      throw cause;
    }
  }
}

async function moveToFreeName(file: string, trash: string): Promise<void> {
  await fs.mkdir(trash, { recursive: true, mode: 0o700 });
  for (let count = 1; ; count++) {
    const target = path.join(trash, nameOf(file, count));
    if (!(await isThere(target))) return fs.rename(file, target);
  }
}

const isThere = (file: string): Promise<boolean> =>
  fs.lstat(file).then(
    () => true,
    () => false,
  );

async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await fs.writeFile(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false;
    throw cause;
  }
}

const noteText = (file: string, now: number): string =>
  `[Trash Info]\nPath=${file.split('/').map(encodeURIComponent).join('/')}\nDeletionDate=${localTime(now)}\n`;

/** As the note has it: the time of this place, without its zone. */
function localTime(now: number): string {
  const date = new Date(now);
  return new Date(now - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

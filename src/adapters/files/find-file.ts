// Finds a file by a name as a person writes it: letters with accents may be stored composed or decomposed (CASES B14).
import { promises as fs } from 'node:fs';
import * as path from 'node:path';

const isAscii = (name: string): boolean => /^\p{ASCII}*$/u.test(name);

/** The same path as it is spelled on disk; what is not there stays as it was written. */
export async function spelledPath(folder: string, written: string): Promise<string> {
  const whole = path.resolve(folder, written);
  if (isAscii(written) || (await isThere(whole))) return whole;
  let found = path.isAbsolute(written) ? path.parse(whole).root : folder;
  for (const part of written.split('/').filter(Boolean)) found = path.join(found, await spelledPart(found, part));
  return found;
}

async function spelledPart(folder: string, part: string): Promise<string> {
  if (isAscii(part) || (await isThere(path.join(folder, part)))) return part;
  const wanted = part.normalize('NFC');
  const names = await fs.readdir(folder).catch(() => []); // no folder, or not to be read: nothing of that name is there
  return names.find((name) => name.normalize('NFC') === wanted) ?? part;
}

const isThere = (file: string): Promise<boolean> =>
  fs.lstat(file).then(
    () => true,
    () => false,
  );

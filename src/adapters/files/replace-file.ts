// Puts a text in the place of what a file holds; when that fails, all is as it was before. Resolves no path.
import { promises as fs, type Stats } from 'node:fs';
import * as path from 'node:path';

/** `before`: the file as it stands, if there is one. Folders are made where they are missing. */
export async function replaceFile(target: string, text: string, before: Stats | undefined): Promise<void> {
  const folder = path.dirname(target);
  const made = await fs.mkdir(folder, { recursive: true });
  try {
    await (before && staysInPlace(before) ? writeInPlace(target, text) : moveInPlace(target, text, before?.mode));
  } catch (cause) {
    if (made !== undefined) await removeEmpty(folder, made);
    throw cause;
  }
}

/** A file moved into its place would part it from its other names, or give it to another owner. */
const staysInPlace = ({ nlink, uid, gid }: Stats): boolean =>
  nlink > 1 || uid !== (process.geteuid?.() ?? uid) || gid !== (process.getegid?.() ?? gid);

const besideOf = (target: string): string =>
  path.join(path.dirname(target), `.${path.basename(target).slice(0, 200)}.${crypto.randomUUID().slice(0, 8)}`);

/** The file is whole at every moment. */
async function moveInPlace(target: string, text: string, mode: number | undefined): Promise<void> {
  const beside = besideOf(target);
  try {
    await fs.writeFile(beside, text, { flag: 'wx', flush: true });
    if (mode !== undefined) await fs.chmod(beside, mode & 0o7777);
    await fs.rename(beside, target);
  } catch (cause) {
    await fs.rm(beside, { force: true });
    throw cause;
  }
}

/** What the file held stands beside it for as long as it is not whole; there it stays if it cannot be put back. */
async function writeInPlace(target: string, text: string): Promise<void> {
  const backup = besideOf(target);
  await fs.copyFile(target, backup, fs.constants.COPYFILE_EXCL).catch(async (cause: unknown) => {
    await fs.rm(backup, { force: true });
    throw cause;
  });
  const handle = await fs.open(target, 'r+');
  try {
    await put(handle, Buffer.from(text)).catch(async (cause: unknown) => {
      await put(handle, await fs.readFile(backup));
      await fs.rm(backup);
      throw cause;
    });
  } finally {
    await handle.close();
  }
  await fs.rm(backup);
}

async function put(handle: fs.FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
  await handle.truncate(bytes.length);
  await handle.sync();
}

/** Takes back folders that were made for nothing, from `folder` up to `first`. */
async function removeEmpty(folder: string, first: string): Promise<void> {
  for (let one = folder; ; one = path.dirname(one)) {
    await fs.rmdir(one);
    if (one === first) return;
  }
}

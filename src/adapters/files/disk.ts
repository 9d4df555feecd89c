// Reads and writes whole text files faithfully, and resolves paths (SPEC section 9). Knows no workspace and no buffer.
import { promises as fs, type Stats } from 'node:fs';
import * as path from 'node:path';
import { fail, ok, causeText, type Result } from '../../core/errors.ts';
import type { Disk, DiskState } from '../../core/ports.ts';
import { access } from './quick-fs.ts';
import { replaceFile } from './replace-file.ts';

/** Larger files are refused rather than held in memory several times over. */
const maxBytes = 20 << 20;
const maxLinks = 40;
/** A file that changes all the time is taken as it is. */
const maxLooks = 5;

export const disk: Disk = {
  stamp,
  look,
  exists,
  fileSize,
  readBytes,
  readText,
  writeText,
  resolve,
  keepCopy,
  copyIn,
  missingFolder,
  remove,
};

/** The editor makes the same of what it knows of a file (lua/sidekicks/edits/watch.lua). */
async function stamp(file: string): Promise<string> {
  const stat = await fs.stat(file, { bigint: true }).catch(() => undefined); // not there, or not to be seen: no state
  return stat ? `${stat.ino}:${stat.size}:${instant(stat.mtimeNs)}:${instant(stat.ctimeNs)}` : '';
}

const instant = (ns: bigint): string => `${ns / 1_000_000_000n}.${ns % 1_000_000_000n}`;

async function look(file: string): Promise<Result<DiskState>> {
  for (let tries = 0; ; tries++) {
    const before = await stamp(file);
    const text = await readText(file);
    if (!text.ok) return text;
    if (before === (await stamp(file)) || tries === maxLooks) return ok({ text: text.value, stamp: before });
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function fileSize(file: string): Promise<Result<number>> {
  try {
    const stat = await fs.stat(file);
    if (stat.isDirectory()) return fail('invalid', 'file.folder', { path: file });
    return stat.isFile() ? ok(stat.size) : fail('invalid', 'file.notRegular', { path: file });
  } catch (cause) {
    return fileFailure(file, cause);
  }
}

async function readBytes(file: string, limit = maxBytes): Promise<Result<Buffer>> {
  try {
    const size = await fileSize(file);
    if (!size.ok) return size;
    if (size.value > limit) return tooLarge(file, limit);
    return await readOpen(file, limit);
  } catch (cause) {
    return fileFailure(file, cause);
  }
}

/** What was a file a moment ago may be a pipe now, and opening that must not hold the host up. */
async function readOpen(file: string, limit: number): Promise<Result<Buffer>> {
  const handle = await fs.open(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return fail('invalid', 'file.notRegular', { path: file });
    return stat.size > limit ? tooLarge(file, limit) : ok(await handle.readFile());
  } finally {
    await handle.close();
  }
}

const tooLarge = (file: string, limit: number) =>
  fail('limit', 'file.tooLarge', { path: file, limit: `${limit >> 20} MB` });

/** A byte-order mark and every line end stay in the text; what is not UTF-8 is refused, never altered. */
async function readText(file: string): Promise<Result<string>> {
  const bytes = await readBytes(file);
  if (!bytes.ok) return bytes;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.value);
    return text.includes('\0') ? fail('invalid', 'file.notText', { path: file }) : ok(text);
  } catch (cause) {
    return fileFailure(file, cause);
  }
}

async function writeText(file: string, text: string): Promise<Result<undefined>> {
  if (Buffer.byteLength(text) > maxBytes) return tooLarge(file, maxBytes);
  try {
    const target = await resolvePath(file, 0);
    const before = await fs.stat(target).catch(ignoreMissing);
    const refused = before && (await refusal(file, target, before));
    if (refused) return refused;
    await replaceFile(target, text, before);
    return ok(undefined);
  } catch (cause) {
    return fileFailure(file, cause);
  }
}

/** The kind is asked before anything is opened: a pipe would block. Read-only holds for the superuser too, as in Neovim. */
async function refusal(file: string, target: string, before: Stats) {
  if (!before.isFile()) return fail('invalid', 'file.notRegular', { path: file });
  const allowed = (before.mode & 0o222) !== 0 && (await mayWrite(target));
  return allowed ? undefined : fail('refused', 'file.readOnly', { path: file });
}

const mayWrite = (target: string): Promise<boolean> =>
  fs.access(target, fs.constants.W_OK).then(
    () => true,
    () => false,
  );

/** Copies already there are not written over. */
async function keepCopy(file: string, stamp: string): Promise<Result<string>> {
  const { dir, name, ext } = path.parse(file);
  for (let count = 1; ; count++) {
    const copy = path.join(dir, `${name}.${stamp}${count === 1 ? '' : `-${count}`}${ext}`);
    try {
      await fs.copyFile(file, copy, fs.constants.COPYFILE_EXCL);
      return ok(copy);
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT') return ok('');
      if (codeOf(cause) !== 'EEXIST') return fileFailure(file, cause);
    }
  }
}

/** Blanks become `-`, which need no quotes; a name that is taken gets a number. The copy is whole, or not there. */
async function copyIn(file: string, folder: string): Promise<Result<string>> {
  const { name, ext } = path.parse(path.basename(file).replace(/[\s\p{Cc}]+/gu, '-'));
  try {
    await fs.mkdir(folder, { recursive: true });
    for (let count = 1; ; count++) {
      const copy = path.join(folder, `${name}${count === 1 ? '' : `-${count}`}${ext}`);
      if (await copyNew(file, copy)) return ok(copy);
    }
  } catch (cause) {
    return fileFailure(file, cause);
  }
}

/** False where there is something of that name. */
async function copyNew(file: string, copy: string): Promise<boolean> {
  try {
    await fs.copyFile(file, copy, fs.constants.COPYFILE_EXCL);
    return true;
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false;
    await fs.rm(copy, { force: true });
    throw cause;
  }
}

async function missingFolder(file: string): Promise<string> {
  let missing = '';
  for (let folder = path.dirname(file); !(await exists(folder)); folder = path.dirname(folder)) missing = folder;
  return missing;
}

async function remove(file: string, top?: string): Promise<Result<undefined>> {
  try {
    await fs.rm(file, { force: true });
    if (top !== undefined) await removeFolders(path.dirname(file), top);
    return ok(undefined);
  } catch (cause) {
    return fileFailure(file, cause);
  }
}

async function removeFolders(folder: string, top: string): Promise<void> {
  try {
    for (let empty = folder; empty === top || empty.startsWith(`${top}/`); empty = path.dirname(empty)) {
      await fs.rmdir(empty);
    }
  } catch (cause) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(cause))) throw cause;
  }
}

async function resolve(file: string): Promise<Result<string>> {
  try {
    return ok(await resolvePath(path.resolve(file), 0));
  } catch (cause) {
    return fileFailure(file, cause);
  }
}

/** Like realpath, but the last parts need not exist, and a dangling link leads where it points. */
async function resolvePath(file: string, links: number): Promise<string> {
  const whole = await fs.realpath(file).catch(ignoreMissing);
  if (whole !== undefined) return whole;
  if (links > maxLinks) throw new Error('too many links');
  const target = await fs.readlink(file).catch(() => undefined); // not a link, or not there: its folder decides
  const parent = await resolvePath(path.dirname(file), links);
  return target === undefined
    ? path.join(parent, path.basename(file))
    : resolvePath(path.resolve(parent, target), links + 1);
}

export const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '');

function ignoreMissing(cause: unknown): undefined {
  if (codeOf(cause) !== 'ENOENT') throw cause;
  return undefined;
}

/** What the system said, as a failure of a file. */
export function fileFailure(file: string, cause: unknown) {
  const values = { path: file, what: causeText(cause) };
  switch (codeOf(cause)) {
    case 'ENOENT':
      return fail('not-found', 'file.missing', values, cause);
    case 'EISDIR':
      return fail('invalid', 'file.notRegular', values, cause);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return fail('refused', 'file.denied', values, cause);
    case 'ENOSPC':
    case 'EDQUOT':
      return fail('unavailable', 'file.noSpace', values, cause);
    case 'ELOOP':
      return fail('invalid', 'file.linkLoop', values, cause);
    case 'ENOTDIR':
      return fail('invalid', 'file.parentIsFile', values, cause);
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return fail('invalid', 'file.notText', values, cause);
    default:
      return fail('unavailable', 'file.failed', values, cause);
  }
}

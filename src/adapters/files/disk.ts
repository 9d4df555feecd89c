// Reads and writes whole text files faithfully, and resolves paths (SPEC section 9). Knows no workspace and no buffer.
import { promises as fs } from 'node:fs';
import * as path from 'node:path';
import { fail, ok, causeText, type Result } from '../../core/errors.ts';
import type { Disk } from '../../core/ports.ts';
import { access } from './quick-fs.ts';

/** Larger files are refused rather than held in memory several times over. */
const maxBytes = 64 << 20;
const maxLinks = 40;

export const disk: Disk = { exists, fileSize, readBytes, readText, writeText, resolve, keepCopy, remove };

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function fileSize(file: string): Promise<Result<number>> {
  try {
    const { size, isFile } = await regular(file);
    return isFile ? ok(size) : fail('invalid', 'file.notRegular', { path: file });
  } catch (cause) {
    return fileFailure(file, cause);
  }
}

async function readBytes(file: string): Promise<Result<Buffer>> {
  try {
    const size = await fileSize(file);
    if (!size.ok) return size;
    if (size.value > maxBytes) return fail('limit', 'file.tooLarge', { path: file, limit: '64 MB' });
    return ok(await fs.readFile(file));
  } catch (cause) {
    return fileFailure(file, cause);
  }
}

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

/** Asks for the kind of file before opening it, because opening a pipe would block. */
async function regular(file: string): Promise<{ size: number; isFile: boolean; mode: number }> {
  const stat = await fs.stat(file);
  return { size: stat.size, isFile: stat.isFile(), mode: stat.mode & 0o7777 };
}

async function writeText(file: string, text: string): Promise<Result<undefined>> {
  try {
    const target = await resolvePath(file, 0);
    await fs.mkdir(path.dirname(target), { recursive: true });
    const before = await regular(target).catch(ignoreMissing);
    if (before && !before.isFile) return fail('invalid', 'file.notRegular', { path: file });
    await replace(target, text, before?.mode);
    return ok(undefined);
  } catch (cause) {
    return fileFailure(file, cause);
  }
}

/** The file is whole at every moment: written beside, then moved into place. */
async function replace(target: string, text: string, mode: number | undefined): Promise<void> {
  const beside = path.join(path.dirname(target), `.${path.basename(target)}.${crypto.randomUUID().slice(0, 8)}`);
  try {
    await fs.writeFile(beside, text, { flag: 'wx', flush: true });
    if (mode !== undefined) await fs.chmod(beside, mode);
    await fs.rename(beside, target);
  } catch (cause) {
    await fs.rm(beside, { force: true });
    throw cause;
  }
}

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

async function remove(file: string): Promise<Result<undefined>> {
  try {
    await fs.rm(file, { force: true });
    return ok(undefined);
  } catch (cause) {
    return fileFailure(file, cause);
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

const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '');

function ignoreMissing(cause: unknown): undefined {
  if (codeOf(cause) !== 'ENOENT') throw cause;
  return undefined;
}

function fileFailure(file: string, cause: unknown) {
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
    case 'ENOTDIR':
      return fail('invalid', 'file.parentIsFile', values, cause);
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return fail('invalid', 'file.notText', values, cause);
    default:
      return fail('unavailable', 'file.failed', values, cause);
  }
}

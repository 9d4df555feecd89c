// Reads the configuration file as text, with a stamp that tells one save from another. Never blocks on what is not a file, never throws.
import { promises as fs } from 'node:fs';
import { maxConfigBytes } from '../../core/config/judge.ts';
import { causeText, fail, ok, type Result } from '../../core/errors.ts';
import { readFile, stat as statOf } from './quick-fs.ts';

export interface ConfigText {
  readonly result: Result<string>;
  /** Equal for two looks at the same save. */
  readonly stamp: string;
  /** A file that is being replaced or rewritten looks so for a moment: gone, or empty. */
  readonly doubtful: boolean;
}

export async function readConfigText(path: string): Promise<ConfigText> {
  try {
    const stat = await statOf(path, { bigint: true });
    const stamp = [stat.ino, stat.mtimeNs, stat.size].join(':');
    const refused = refusal(path, stat);
    return { result: refused ?? (await readText(path)), stamp, doubtful: stat.size === 0n };
  } catch (cause) {
    return notRead(path, cause, await danglingTarget(path));
  }
}

/** What a link names that is not there; empty where there is no link: then it is the file itself that is missing. */
async function danglingTarget(path: string): Promise<string> {
  return fs.readlink(path).catch(() => ''); // no link, or nothing at all
}

interface FileFacts {
  readonly size: bigint;
  isFile(): boolean;
  isDirectory(): boolean;
}

function refusal(path: string, stat: FileFacts): Result<string> | undefined {
  if (stat.isDirectory()) return fail('invalid', 'config.file.folder', { path });
  if (!stat.isFile()) return fail('invalid', 'config.file.notRegular', { path });
  if (stat.size > BigInt(maxConfigBytes)) return fail('invalid', 'config.tooLarge', { limit: '1 MB' });
  return undefined;
}

async function readText(path: string): Promise<Result<string>> {
  const bytes = await readFile(path);
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    return fail('invalid', 'config.file.binary', { path }, cause);
  }
}

function notRead(path: string, cause: unknown, target: string): ConfigText {
  const code = errorCode(cause);
  if (code === 'ENOENT' || code === 'ENOTDIR') return missing(path, cause, target);
  const result = fail('unavailable', 'config.file.unreadable', { path, what: causeText(cause) }, cause);
  return { result, stamp: code, doubtful: false };
}

function missing(path: string, cause: unknown, target: string): ConfigText {
  const result =
    target === ''
      ? fail('not-found', 'config.file.missing', { path }, cause)
      : fail('not-found', 'config.file.dangling', { path, target }, cause);
  return { result, stamp: 'missing', doubtful: true };
}

export const errorCode = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : '';

// What is remembered from one Neovim to the next: the configurations opened, newest first (SPEC section 14). A private file of a few lines.
import { promises as fs } from 'node:fs';
import * as path from 'node:path';
import { causeText, fail, ok, type Result } from '../../core/errors.ts';
import type { Log, Preferences } from '../../core/ports.ts';
import { errorCode } from './config-text.ts';
import { readFile, stat } from './quick-fs.ts';

const kept = 8;
/** More than 8 paths take; what is larger is not ours. */
const maxBytes = 65_536;

export function filePreferences(file: string, log: Log): Preferences {
  return {
    path: file,
    recent: () => readRecent(file, log),
    remember: async (opened) => {
      const others = (await readRecent(file, log)).filter((other) => other !== opened);
      return write(file, { recent: [opened, ...others].slice(0, kept) });
    },
  };
}

/** A file that cannot be read is one that says nothing: nobody must repair it by hand. */
async function readRecent(file: string, log: Log): Promise<readonly string[]> {
  try {
    const found = await stat(file);
    if (!found.isFile() || found.size > maxBytes) return [];
    const known: unknown = JSON.parse(await readFile(file, 'utf8'));
    const recent = typeof known === 'object' && known !== null && 'recent' in known ? known.recent : [];
    return Array.isArray(recent)
      ? recent
          .filter((one) => typeof one === 'string')
          .filter(isAbsolute)
          .slice(0, kept)
      : [];
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT') log.write(`the preferences ${file} cannot be read`, cause);
    return [];
  }
}

const isAbsolute = (text: string): boolean => path.isAbsolute(text);

/** Whole at every moment: several Neovims share it, and the last one to write wins. */
async function write(file: string, preferences: object): Promise<Result<undefined>> {
  const beside = `${file}.${crypto.randomUUID()}`;
  try {
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(beside, `${JSON.stringify(preferences, undefined, 2)}\n`, { flag: 'wx', mode: 0o600 });
    await fs.rename(beside, file);
    return ok(undefined);
  } catch (cause) {
    await fs.rm(beside, { force: true }).catch(() => undefined); // what failed first is what is told
    return fail('unavailable', 'file.failed', { path: file, what: causeText(cause) }, cause);
  }
}

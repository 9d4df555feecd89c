// Looks a program up as the system would, without running it. Used where a person asks what is wrong, not before a start.
import { promises as fs } from 'node:fs';
import * as path from 'node:path';
import { fail, ok, type Result } from '../../core/errors.ts';

/** The file that would run; `folder` is where a relative path begins. */
export async function findProgram(
  command: string,
  folder: string,
  searchPath = process.env['PATH'] ?? '',
): Promise<Result<string>> {
  const places = command.includes('/') ? [folder] : searchPath.split(path.delimiter).filter(Boolean);
  for (const place of places) {
    const file = path.resolve(place, command);
    if (await isProgram(file)) return ok(file);
  }
  if (!command.includes('/')) return fail('not-found', 'program.missing', { command });
  return whyNot(command, path.resolve(folder, command));
}

async function whyNot(command: string, file: string): Promise<Result<string>> {
  const stat = await fs.stat(file).catch(() => undefined); // whatever the system says: there is nothing to run
  if (!stat) return fail('not-found', 'agent.commandMissing', { command });
  return fail('invalid', stat.isDirectory() ? 'agent.commandIsFolder' : 'agent.notExecutable', { command });
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await fs.access(file, fs.constants.X_OK);
    return (await fs.stat(file)).isFile();
  } catch {
    return false; // not there or not ours to run: the next folder of PATH may have it
  }
}

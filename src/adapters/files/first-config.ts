// Writes the first configuration file, with the agents found on PATH. Overwrites nothing and runs no program.
import { promises as fs } from 'node:fs';
import * as path from 'node:path';
import { defaultConfigText, type FirstConfig } from '../../core/config/default-text.ts';
import { knownAgents, type FoundAgent, type KnownAgent } from '../../core/config/known-agents.ts';
import { causeText, fail, ok, type Result } from '../../core/errors.ts';
import { errorCode } from './config-text.ts';
import { findProgram } from './programs.ts';

export async function firstConfigText(first: Omit<FirstConfig, 'found'>, searchPath: string): Promise<string> {
  return defaultConfigText({ ...first, found: await findKnownAgents(searchPath) });
}

/** In the order in which they are known. */
export async function findKnownAgents(searchPath: string): Promise<readonly FoundAgent[]> {
  const found = await Promise.all(knownAgents.map((agent) => findKnown(agent, searchPath)));
  return found.flat();
}

async function findKnown({ name, title, programs, args }: KnownAgent, searchPath: string): Promise<FoundAgent[]> {
  for (const command of programs) {
    if ((await findProgram(command, '/', searchPath)).ok) return [{ name, title, command, args }];
  }
  return [];
}

/** Whole or not at all, also when two Neovims start at once; true when this call made the file. */
export async function writeFirstConfig(file: string, text: string): Promise<Result<boolean>> {
  try {
    await fs.mkdir(path.dirname(file), { recursive: true });
    return ok(await writeBeside(file, text));
  } catch (cause) {
    return fail('unavailable', 'config.file.notWritten', { path: file, what: causeText(cause) }, cause);
  }
}

async function writeBeside(file: string, text: string): Promise<boolean> {
  const beside = `${file}.${crypto.randomUUID()}`;
  try {
    await fs.writeFile(beside, text, { flag: 'wx' });
    return await moveIntoPlace(beside, file);
  } finally {
    await fs.rm(beside, { force: true });
  }
}

/** A link is made only where nothing stands; file systems without links copy under the same condition. */
async function moveIntoPlace(from: string, to: string): Promise<boolean> {
  try {
    await fs.link(from, to);
    return true;
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') return false;
    return copyIntoPlace(from, to);
  }
}

async function copyIntoPlace(from: string, to: string): Promise<boolean> {
  try {
    await fs.copyFile(from, to, fs.constants.COPYFILE_EXCL);
    return true;
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') return false;
    throw cause;
  }
}

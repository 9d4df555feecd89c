// Owns: reading and writing one file, through the client where it can, else on disk. Must not: choose the file.
import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import type { AgentContext, ClientCapabilities } from '@agentclientprotocol/sdk';
import type { Session } from './session.ts';
import type { Texts } from './texts/texts.ts';

export type ReadResult = { ok: true; text: string } | { ok: false; missing: boolean; reason: string };
export type WriteResult = { ok: true } | { ok: false; reason: string };

export interface Files {
  /** Whether what is read is what the person sees in the editor. */
  readonly viaClient: boolean;
  read(path: string): Promise<ReadResult>;
  write(path: string, text: string): Promise<WriteResult>;
}

const maxBytes = 1024 * 1024;
const resourceNotFound = -32002;

export function filesOf(client: AgentContext, can: ClientCapabilities, session: Session, texts: Texts): Files {
  const reads = can.fs?.readTextFile === true;
  const writes = can.fs?.writeTextFile === true;
  return {
    viaClient: reads,
    read: (path) => (reads ? readThrough(client, session.id, path, texts) : readFromDisk(path, texts)),
    write: (path, text) =>
      writes ? writeThrough(client, session.id, path, text) : writeToDisk(session.cwd, path, text, texts),
  };
}

async function readThrough(client: AgentContext, sessionId: string, path: string, texts: Texts): Promise<ReadResult> {
  try {
    const { content } = await client.request(methods.client.fs.readTextFile, { sessionId, path });
    if (typeof content !== 'string') return { ok: false, missing: false, reason: texts.reasons.binary };
    return content.length > maxBytes
      ? { ok: false, missing: false, reason: texts.reasons.large }
      : { ok: true, text: content };
  } catch (error) {
    return {
      ok: false,
      missing: error instanceof RequestError && error.code === resourceNotFound,
      reason: words(error),
    };
  }
}

async function readFromDisk(path: string, texts: Texts): Promise<ReadResult> {
  const { reasons } = texts;
  try {
    const found = await stat(path);
    if (!found.isFile()) return { ok: false, missing: false, reason: reasons.folder };
    if (found.size > maxBytes) return { ok: false, missing: false, reason: reasons.large };
    const text = textOf(await readFile(path));
    return text === undefined ? { ok: false, missing: false, reason: reasons.binary } : { ok: true, text };
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { ok: false, missing, reason: missing ? reasons.missing : words(error) };
  }
}

/** Text that can be written back byte for byte, else undefined. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function writeThrough(
  client: AgentContext,
  sessionId: string,
  path: string,
  content: string,
): Promise<WriteResult> {
  try {
    await client.request(methods.client.fs.writeTextFile, { sessionId, path, content });
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: words(error) };
  }
}

async function writeToDisk(cwd: string, path: string, text: string, texts: Texts): Promise<WriteResult> {
  try {
    if (!(await isInside(cwd, path))) return { ok: false, reason: texts.outside };
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: words(error) };
  }
}

/** Whether the path, with every link on the way resolved, lies in the folder. */
export async function isInside(folder: string, path: string): Promise<boolean> {
  const way = relative(await realpath(folder), await resolved(path));
  return way !== '' && way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}

/** The real path; what does not exist yet stands below the real path of what does. */
async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (parent === path) throw error;
    return join(await resolved(parent), path.slice(parent.length));
  }
}

export function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

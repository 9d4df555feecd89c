// Owns: what a prompt asks for: its words, its command, the files it names. Must not: read a file's content.
import { readdir, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { commentSyntax } from './comment-syntax.ts';
import { isInside } from './files.ts';

// A person's own words come last; what stands before them may be the past of a whole channel.
const lookedAt = 4000;

export interface Asked {
  readonly text: string;
  readonly command: { readonly name: string; readonly argument: string } | undefined;
  /** Files attached to the prompt, absolute, in order. */
  readonly attached: readonly string[];
  readonly pictures: readonly { readonly mimeType: string; readonly bytes: number }[];
}

export function readPrompt(blocks: readonly ContentBlock[]): Asked {
  const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const command = /^\s*\/([^\s/]+)(?:\s+([\s\S]*))?$/.exec(text);
  return {
    text,
    command: command ? { name: command[1] ?? '', argument: (command[2] ?? '').trim() } : undefined,
    attached: blocks.map(attachedPath).filter((path) => path !== undefined),
    pictures: blocks.flatMap((block) =>
      block.type === 'image' ? [{ mimeType: block.mimeType, bytes: Math.floor((block.data.length * 3) / 4) }] : [],
    ),
  };
}

function attachedPath(block: ContentBlock): string | undefined {
  if (block.type === 'resource_link') return pathOf(block.uri);
  if (block.type === 'resource') return pathOf(block.resource.uri);
  return undefined;
}

function pathOf(uri: string): string | undefined {
  try {
    const url = new URL(uri);
    // Some clients put the lines they embed behind the path.
    url.hash = '';
    url.search = '';
    return url.protocol === 'file:' ? fileURLToPath(url) : undefined;
  } catch (error) {
    // What a client sends as a URI may be anything; then it names no file.
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}

/** The file a prompt is about: attached, else named in its text, else the first good one of the folder. */
export async function chooseFile(asked: Asked, cwd: string): Promise<string | undefined> {
  const attached = asked.attached[0];
  if (attached !== undefined) return attached;
  for (const word of pathWords(asked.text.slice(-lookedAt))) {
    const path = resolve(cwd, word);
    if ((await isFile(path)) && (await isInside(cwd, path))) return path;
  }
  return firstFile(cwd);
}

/** The path a command was given, as typed or as attached. */
export async function commandFile(asked: Asked, cwd: string): Promise<string | undefined> {
  const argument = asked.command?.argument ?? '';
  const [quoted] = pathWords(argument.slice(0, lookedAt));
  if (asked.attached[0] !== undefined) return asked.attached[0];
  if (argument === '') return firstFile(cwd);
  const whole = resolve(cwd, argument);
  return (await isFile(whole)) ? whole : resolve(cwd, quoted ?? argument);
}

/** Words that may be paths: quoted ones first, then each run without blanks, freed of marks around it. */
function pathWords(text: string): string[] {
  const quoted = [...text.matchAll(/["'`“«]\s*([^"'`”»\n]+?)\s*["'`”»]/g)].map((match) => match[1] ?? '');
  const runs = text
    .split(/\s+/)
    .map((run) => run.replace(/^[@$"'`(<[«“]+/, '').replace(/(:\d[\d-]*)?[)"'`>\],;:!?»”.]*$/, ''));
  return [...quoted, ...runs].filter((word) => /[./]/.test(word) || commentSyntax(word) !== undefined);
}

/** README first, then files with a comment syntax, by name; files that are hidden are left alone. */
async function firstFile(cwd: string): Promise<string | undefined> {
  let names: string[];
  try {
    names = await readdir(cwd);
  } catch {
    // A folder that is gone or closed holds no file for us; making one will say why it fails.
    return undefined;
  }
  const suitable = names.filter((name) => !name.startsWith('.') && commentSyntax(name) !== undefined).sort(byName);
  const readme = suitable.filter((name) => /^readme\b/i.test(name));
  for (const name of [...readme, ...suitable]) {
    if (await isFile(join(cwd, name))) return join(cwd, name);
  }
  return undefined;
}

const byName = (a: string, b: string): number => (a < b ? -1 : 1);

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    // Missing, unreadable or no path at all (a NUL in it): not a file to take.
    return false;
  }
}

/** A path as a person would say it: from the working folder where it lies in it. */
export function shortName(path: string, cwd: string): string {
  const prefix = cwd.endsWith('/') ? cwd : `${cwd}/`;
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  return isAbsolute(path) ? path : basename(path);
}

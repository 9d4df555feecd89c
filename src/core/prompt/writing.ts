// How a path is written in a message so that it reads back to that one file (SPEC section 6). Pure.
import { nameKey } from '../config/names.ts';
import { finalPunctuation, type Sign } from './reading.ts';

/** Letters, digits and signs that end no name and mean nothing in one. */
const plainPath: Readonly<Record<Sign, RegExp>> = {
  '@': /^[\p{L}\p{N}_./][\p{L}\p{M}\p{N}\p{So}\p{Sk}\u200d\ufe0f_./~+=%,-]*$/u,
  $: /^[\p{L}_./][\p{L}\p{M}\p{N}\p{So}\p{Sk}\u200d\ufe0f_./~+=%,-]*$/u,
};

/** `agents`: the names that would be read as a mention. "" for a path that no message can hold. */
export function writeFile(sign: Sign, path: string, agents: readonly string[] = []): string {
  if (path === '' || /\p{Cc}/u.test(path)) return '';
  const isPlain =
    plainPath[sign].test(path) &&
    path.replace(finalPunctuation, '') === path &&
    !(sign === '@' && begins(path, agents));
  return isPlain ? `${sign}${path}` : `${sign}"${path.replace(/["\\]/gu, '\\$&')}"`;
}

/** Whether the path begins with what could be the name of an agent. */
function begins(path: string, agents: readonly string[]): boolean {
  const run = /^[\p{L}\p{M}\p{N}_-]+/u.exec(path)?.[0] ?? '';
  const keys = new Set([nameKey(run), nameKey(run.replace(/[-_]+$/u, ''))]);
  return agents.some((agent) => keys.has(nameKey(agent)));
}

// The shell of a workspace's terminal: the words that run it, here or in a container or sandbox, and what its refusals mean
// (SPEC sections 11 and 12). Pure: runs nothing.
import { fail, ok, type Result } from './errors.ts';
import type { Answered } from './ports.ts';
import { insideWords, type Inside } from './runtime.ts';

/** In the order in which they are tried; the first that is there runs. */
export const shellsHere = (shell: string): readonly (readonly string[])[] => [
  ...(shell === '' ? [] : [[shell, '-l']]),
  ['bash'],
  ['sh'],
];

const noFolder = 3;
/** The folder is an argument: the shell never reads what it is called. */
const look = `cd -- "$1" || exit ${String(noFolder)}; if [ -x "$(command -v bash)" ]; then echo bash; else echo sh; fi`;

/** What is run inside to tell which shell is there. */
export const lookWords = (folder: string): readonly string[] => ['sh', '-c', look, 'sh', folder];

/** Words for a shell inside, by what `lookWords` answered; or why none can run there, in plain words where they are known. */
export function shellInside(
  inside: Inside,
  folder: string,
  marks: readonly string[],
  { code, said }: Answered,
): Result<readonly string[]> {
  const shell = said.at(-1) === 'bash' ? 'bash' : 'sh';
  if (code === 0) return ok(insideWords(inside, [shell], { folder, env: marks, terminal: true }));
  const { type, name } = inside;
  const what = said.join('\n');
  if (code === noFolder) return fail('unavailable', 'terminal.noFolder', { name, folder });
  if (/no such (container|sandbox)|no container with name|sandbox .*(not found|does not exist)/i.test(what)) {
    return fail('unavailable', type === 'sbx' ? 'terminal.noSandbox' : 'terminal.noContainer', { name });
  }
  if (/(is|are) not running|only .* on running containers/i.test(what)) {
    return fail('unavailable', 'terminal.notRunning', { name });
  }
  return fail('unavailable', 'sandbox.unreachable', { name, what: what || `exit ${String(code)}` });
}

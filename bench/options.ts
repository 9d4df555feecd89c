// Owns: the command line of `npm run bench`. Must not: do what it asks for.
import { parseArgs } from 'node:util';
import { groups, type Group } from './figures.ts';

export interface Options {
  readonly only: ReadonlySet<Group>;
  /** How often each measurement is taken; without it each has a count of its own. */
  readonly runs: number | undefined;
  readonly markdown: boolean;
  readonly strict: boolean;
  /** Print the figures of the last time, measure nothing. */
  readonly last: boolean;
  /** Write profiles of the host and the editor; what is measured then is slower. */
  readonly profile: boolean;
}

export const usage = `npm run bench -- [options]
  --only a,b   a: first answer, b: streams, c: round trips meanwhile, d: memory after them, e: start-up,
               f: states in the panel, g: agents at rest, h: a large configuration saved,
               i: long histories (the first time one of a million messages is made, which takes minutes),
               j: agents' edits of open files,
               k: twenty conversations at once
  --runs N     take every measurement N times
  --quick      the same as --runs 1
  --markdown   print the table as Markdown
  --last       measure nothing, print what was measured last
  --strict     exit with status 1 if a figure is over its reach
  --profile    write CPU profiles of host and editor to .deps/bench/profile
`.trimEnd();

const flag = { type: 'boolean', default: false } as const;

/** The options, or what is wrong with them. */
export function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', default: groups.join(',') },
        runs: { type: 'string' },
        quick: flag,
        markdown: flag,
        strict: flag,
        last: flag,
        profile: flag,
      },
    });
    const { only, runs, quick, ...rest } = values;
    return { ...rest, only: readGroups(only), runs: quick ? 1 : readCount(runs) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function readGroups(text: string): ReadonlySet<Group> {
  const letters = text.split(',');
  const unknown = letters.find((letter) => !groups.some((group) => group === letter));
  if (unknown !== undefined) throw new Error(`--only knows ${groups.join(', ')}, not '${unknown}'`);
  return new Set(groups.filter((group) => letters.includes(group)));
}

function readCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--runs wants a count, not '${text}'`);
  return count;
}

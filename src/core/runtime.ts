// How a program is run inside an agent's container or sandbox, and where its workspace is there (SPEC sections 3, 4, 11 and 12).
// Pure: gives words and paths, runs nothing.
import type { AgentDefinition, RuntimeDefinition } from './config.ts';
import type { PathMap } from './workspace.ts';

export type Inside = Pick<RuntimeDefinition, 'type' | 'name' | 'cli'>;

export interface InsideOptions {
  /** Absolute there; "" for the folder the container begins in. */
  readonly folder: string;
  /** `NAME=value`, or `NAME` for one that has its value from whoever runs the words. */
  readonly env?: readonly string[];
  readonly terminal?: boolean;
}

/** The command line program that reaches it. */
export const programOf = ({ type, cli }: Inside): string => (type === 'sbx' ? 'sbx' : cli);

/** The words that run `words` there; sbx takes the flags of docker. Words stay words: no shell reads them. */
export function insideWords(inside: Inside, words: readonly string[], options: InsideOptions): readonly string[] {
  const { folder, env = [], terminal = false } = options;
  return [
    programOf(inside),
    'exec',
    terminal ? '-it' : '-i',
    ...(folder === '' ? [] : ['-w', folder]),
    ...env.flatMap((one) => ['-e', one]),
    inside.name,
    ...words,
  ];
}

/** The agent's program runs there; its files and terminals may be there all the same. */
export const runsInside = ({ runtime: { type, launch } }: Pick<AgentDefinition, 'runtime'>): boolean =>
  type !== 'local' && launch === 'inside';

/** The workspace as it is called in the container or sandbox; `workspace` is the host's. */
export const folderInside = ({ workspacePath }: RuntimeDefinition, workspace: string): string =>
  workspacePath === '' ? workspace : workspacePath;

/** How the paths of a program that runs there and the host's belong together; undefined where they are the same. */
export function pathsOf(definition: Pick<AgentDefinition, 'runtime'>, workspace: string): PathMap | undefined {
  const agent = folderInside(definition.runtime, workspace);
  return runsInside(definition) && agent !== workspace ? { host: workspace, agent } : undefined;
}

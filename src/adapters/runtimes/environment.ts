// The environment an agent runs in (SPEC section 3). Reads nothing but what it is given.

/**
 * What Neovim sets for its own children. An agent is not inside the editor: a shell it opens must not talk to the
 * editor above it, and a Neovim it starts (say, to run a plugin's tests) must find its own runtime files.
 */
const ofTheEditor = ['NVIM', 'NVIM_LISTEN_ADDRESS', 'VIM', 'VIMRUNTIME', 'MYVIMRC'];

/** Everything an agent launches inherits it, and is known by it when its group and its parent tell nothing any more. */
export const markVariable = 'SIDEKICKS_AGENT_RUN';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The editor's environment, then the definition's own `env`, which may set anything again but the mark. */
export function agentEnvironment(
  base: Environment,
  own: Readonly<Record<string, string>>,
  cwd: string,
  mark: string,
): Record<string, string> {
  const kept = Object.entries(base).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !ofTheEditor.includes(entry[0]),
  );
  return { ...Object.fromEntries(kept), PWD: cwd, ...own, [markVariable]: mark };
}

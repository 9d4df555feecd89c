// Replaces `~` and `${NAME}` in a text of the configuration and says which could not be. Reads no environment but the one given.
import type { Finding } from './findings.ts';
import type { TextTree } from './yaml-shapes.ts';

export interface Surroundings {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Expanded {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** `source` is the whole file: the place of a variable within a quoted or folded text is looked up there. */
export function expand(source: string, tree: TextTree, { home, env }: Surroundings): Expanded {
  // Most texts mean themselves.
  if (!tree.text.includes('$') && !tree.text.startsWith('~')) return { text: tree.text, findings: [] };
  const findings: Finding[] = [];
  const findPlace = placesIn(source, tree);
  // `$${` is a `${` that means itself.
  const text = tree.text.replace(/\$\$\{|\$\{([^}\n]*)\}/g, (whole, name: string | undefined) => {
    if (name === undefined) return '${';
    const at = findPlace(whole);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      findings.push({ at, text: 'config.notVariable', values: { what: whole }, warning: true });
      return whole;
    }
    const value = env[name];
    if (value === undefined) findings.push({ at, text: 'config.missingVariable', values: { name }, warning: true });
    return value ?? '';
  });
  return { text: expandHome(tree.text, text, home), findings };
}

/** Only a `~` that was written counts, not one that came out of a variable. */
function expandHome(written: string, text: string, home: string): string {
  return written === '~' || written.startsWith('~/') ? home + text.slice(1) : text;
}

/** Gives the place of each next occurrence; escapes can hide one, then it is the place of the text. */
function placesIn(source: string, tree: TextTree): (what: string) => number {
  let from = tree.at;
  return (what) => {
    const at = source.slice(0, tree.end).indexOf(what, from);
    if (at < 0) return tree.at;
    from = at + what.length;
    return at;
  };
}

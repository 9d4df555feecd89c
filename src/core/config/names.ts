// How agents and channels are named: what may stand in a name, and how names are compared (SPEC sections 3 and 5).

/** After normal form C and without regard to case. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();

/** Letters of any script with their marks, digits, - and _. */
export const agentNamePattern = '^[\\p{L}\\p{M}\\p{Nd}_-]{1,32}$';

const maxLength = 32;

/** A name an agent may have that looks like what is wanted and differs from those that are taken. */
export function freeName(wanted: string, taken: readonly string[]): string {
  const keys = new Set(taken.map(nameKey));
  const name = cut(possible(wanted), maxLength) || 'agent';
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : `-${number}`;
    const candidate = cut(name, maxLength - end.length) + end;
    if (!keys.has(nameKey(candidate))) return candidate;
  }
}

const possible = (wanted: string): string =>
  wanted
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{Nd}_-]+/gu, '-')
    .replace(/^[-_\p{M}]+|[-_]+$/gu, '');

const cut = (name: string, length: number): string =>
  Array.from(name)
    .slice(0, length)
    .join('')
    .replace(/[-_]+$/, '');

// Finds the agents a message mentions (SPEC section 5). Pure; decides nothing about who answers.
import { nameKey } from '../config/names.ts';
import { canBeginMention, hiddenRanges, isHidden } from '../hidden-text.ts';

/** `@name` in a message; `agent` is "" where no configured agent has that name. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly agent: string;
}

/** The name is the whole run, and it is text if followed by a path, an address, or a part of a name. */
const mentionPattern = /@([\p{L}\p{M}\p{N}_-]+)(?![\p{L}\p{M}\p{N}_\-/\\@]|[.:][\p{L}\p{N}])/gu;

/** Every mention in order; none in code and in quoted lines. */
export function mentions(text: string, agents: readonly string[]): readonly Mention[] {
  if (!text.includes('@')) return [];
  const byKey = new Map(agents.map((agent) => [nameKey(agent), agent]));
  const hidden = hiddenRanges(text);
  return [...text.matchAll(mentionPattern)].flatMap((match): Mention[] => {
    const [whole, name = ''] = match;
    const start = match.index;
    if (!canBeginMention(text, start) || isHidden(hidden, start)) return [];
    return [{ start, end: start + whole.length, name, agent: agentOf(name, byKey) }];
  });
}

/** Trailing `-` and `_` are dropped if that makes it a name. */
function agentOf(name: string, byKey: ReadonlyMap<string, string>): string {
  for (let rest = name; rest !== ''; rest = rest.slice(0, -1)) {
    const agent = byKey.get(nameKey(rest));
    if (agent !== undefined) return agent;
    if (!/[-_]$/.test(rest)) return '';
  }
  return '';
}

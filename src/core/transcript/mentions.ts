// Marks of what a person typed in a prompt: mentions, files, commands. For the eye only: who is meant is decided elsewhere.
import { byteColumn } from '../markdown/bytes.ts';
import type { DrawnBlock, Mark } from './drawn.ts';
import type { Role } from './roles.ts';

const words: readonly (readonly [RegExp, Role])[] = [
  [/(?<![^\s([{"'«“‘:])@(?:"[^"]+"|[\p{L}\p{M}\p{N}_-][^\s"@]*?)(?=[.,;:!?)\]}»”’]*(?:\s|$))/gu, 'mention'],
  [/(?<!\S)\$(?:"[^"]+"|[\p{L}./_][^\s"]*?)(?=[.,;:!?)\]}»”’]*(?:\s|$))/gu, 'mention'],
  [/(?<!\S)#(?:selection|buffer|diagnostics|quickfix|diff)(?![\p{L}\p{N}_-])/gu, 'mention'],
];
const command = /^(?:@\S+\s+)*(\/[^\s/]+)(?=\s|$)/u;

/** Adds them to a prompt's prose; in code and quotes they are text. */
export function withMentions(block: DrawnBlock, first: boolean): DrawnBlock {
  if (block.kind !== 'prose') return block;
  const byRow = Map.groupBy(block.marks.slice(), (mark) => mark[0]);
  const marks = block.rows.slice().flatMap((row, index): readonly Mark[] => {
    const marked = byRow.get(index) ?? [];
    const own = rowMarks(row, index, first && index === 0).filter(
      (mark) => !marked.some((other) => covers(other, mark)),
    );
    return [...marked, ...own];
  });
  return { ...block, marks };
}

function rowMarks(row: string, index: number, first: boolean): readonly Mark[] {
  const mark = (from: number, text: string, role: Role): Mark => [
    index,
    byteColumn(row, from),
    byteColumn(row, from + text.length),
    role,
  ];
  const found = words.flatMap(([pattern, role]) =>
    [...row.matchAll(pattern)].map((hit) => mark(hit.index, hit[0], role)),
  );
  const name = first ? command.exec(row) : null;
  return name?.[1] ? [mark(name[0].length - name[1].length, name[1], 'command'), ...found] : found;
}

const covers = (outer: Mark, inner: Mark): boolean =>
  (outer[3] === 'inlineCode' || outer[3] === 'quote') && outer[1] <= inner[1] && (outer[2] < 0 || outer[2] > inner[1]);

// The diffs of a tool call as blocks: changed lines with a little of what surrounds them, and how many there are.
import type { Tool } from '../contract/shapes.ts';
import { splitLines } from '../markdown/lines.ts';
import { say, type Context, type DrawnBlock, type Mark } from './drawn.ts';
import { lineDiff, type DiffLine } from './line-diff.ts';
import { oneRow, plainRow } from './plain.ts';
import { diffLimits, foldDiffFrom, rowLimits } from './sizes.ts';

export interface DrawnDiffs {
  readonly blocks: readonly DrawnBlock[];
  readonly added: number;
  readonly removed: number;
}

export const noDiffs: DrawnDiffs = { blocks: [], added: 0, removed: 0 };

/** Blocks get the ids `<id>.0`, `<id>.1` … */
export function drawDiffs(context: Context, id: string, message: string, tool: Tool): DrawnDiffs {
  return tool.diffs.reduce<DrawnDiffs>((drawn, diff, index) => {
    const changes = changesOf(context, diff);
    const count = (sign: string): number => changes.filter((line) => line.sign === sign).length;
    const named = tool.diffs.length > 1 || !tool.title.includes(baseName(diff.path));
    const block = diffBlock(context, `${id}.${index}`, message, tool, diff, changes, named);
    return {
      blocks: block ? [...drawn.blocks, block] : drawn.blocks,
      added: drawn.added + count('+'),
      removed: drawn.removed + count('-'),
    };
  }, noDiffs);
}

/** Every line of both texts, each cut to a row. */
export function changesOf({ options }: Context, diff: Tool['diffs'][number]): readonly DiffLine[] {
  const rows = (text: string): readonly string[] =>
    splitLines(text, rowLimits.diff).map((line) => plainRow(line, rowLimits.diff, options.language));
  return lineDiff(rows(diff.oldText), rows(diff.newText));
}

function diffBlock(
  context: Context,
  id: string,
  message: string,
  tool: Tool,
  diff: Tool['diffs'][number],
  changes: readonly DiffLine[],
  named: boolean,
): DrawnBlock | undefined {
  const lines = nearChanges(changes);
  if (lines.length === 0) return undefined;
  const title = titleRows(context, diff, named);
  const shown = lines.slice(0, diffLimits.rows);
  const more = lines.length - shown.length;
  const rows = [...title, ...shown.map(rowOf)];
  const note = more > 0 ? [say(context, 'transcript.cutDiff', { rows: more })] : [];
  return {
    id,
    kind: 'diff',
    rows: [...rows, ...note],
    marks: diffMarks(title.length, shown, note.length),
    open: false,
    copy: [title.length, rows.length],
    message,
    tool: tool.id,
    location: locationOf(tool, diff.path),
    ...(rows.length >= foldDiffFrom && { fold: true }),
  };
}

function titleRows(context: Context, diff: Tool['diffs'][number], named: boolean): readonly string[] {
  const created = diff.newFile ? say(context, 'transcript.newFile') : '';
  const words = [named ? oneRow(diff.path) : '', created].filter((text) => text !== '');
  return words.length > 0 ? [words.join(' · ')] : [];
}

function diffMarks(start: number, shown: readonly Hunked[], notes: number): readonly Mark[] {
  const marks: Mark[] = start > 0 ? [[0, 0, -1, 'toolKind']] : [];
  shown.forEach((line, index) => {
    const role = line === 'skipped' ? 'notice' : line.sign === '+' ? 'added' : line.sign === '-' ? 'removed' : '';
    if (role !== '') marks.push([start + index, 0, -1, role]);
  });
  if (notes > 0) marks.push([start + shown.length, 0, -1, 'notice']);
  return marks;
}

type Hunked = DiffLine | 'skipped';

const rowOf = (line: Hunked): string => (line === 'skipped' ? '⋯' : line.sign + line.text);

/** The changed lines with their neighbours; `skipped` stands where lines between two changes are left out. */
function nearChanges(changes: readonly DiffLine[]): readonly Hunked[] {
  const lines: Hunked[] = [];
  let shown = 0;
  changes.forEach(({ sign }, index) => {
    if (sign === ' ') return;
    const from = Math.max(shown, index - diffLimits.context);
    const to = index + diffLimits.context + 1;
    if (lines.length > 0 && from > shown) lines.push('skipped');
    if (to > from) lines.push(...changes.slice(from, to));
    shown = Math.max(shown, Math.min(to, changes.length));
  });
  return lines;
}

const baseName = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

const locationOf = (tool: Tool, path: string): { readonly path: string; readonly line?: number } =>
  tool.locations.find((location) => location.path === path) ?? { path };

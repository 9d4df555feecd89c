// Which lines of two texts differ (Myers' method). Own code because its cost must have a limit for any two texts an agent sends.

export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** With more changed lines than this, what stands between the first and the last change counts as replaced. */
const mostEdits = 400;

export function lineDiff(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  return [
    ...signed(' ', before.slice(0, start)),
    ...middle(removed, added),
    ...signed(' ', before.slice(before.length - end)),
  ];
}

const signed = (sign: DiffLine['sign'], lines: readonly string[]): readonly DiffLine[] =>
  lines.map((text) => ({ sign, text }));

function commonStart(before: readonly string[], after: readonly string[]): number {
  const most = Math.min(before.length, after.length);
  let count = 0;
  while (count < most && before[count] === after[count]) count += 1;
  return count;
}

function commonEnd(before: readonly string[], after: readonly string[], start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let count = 0;
  while (count < most && before[before.length - 1 - count] === after[after.length - 1 - count]) count += 1;
  return count;
}

function middle(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const replaced = [...signed('-', before), ...signed('+', after)];
  if (before.length === 0 || after.length === 0) return replaced;
  const fronts = searchFronts(before, after);
  return fronts ? traceBack(before, after, fronts) : replaced;
}

/** How far into `before` each diagonal (`x - y`) reaches. */
type Front = ReadonlyMap<number, number>;

/** The fronts after 0, 1, 2 … edits; undefined when there are too many edits. */
function searchFronts(before: readonly string[], after: readonly string[]): readonly Front[] | undefined {
  const fronts: Front[] = [];
  let last: Front = new Map([[1, 0]]);
  for (let edits = 0; edits <= mostEdits; edits++) {
    const front = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const reached = follow(before, after, diagonal, enter(last, diagonal, edits));
      front.set(diagonal, reached);
      if (reached >= before.length && reached - diagonal >= after.length) return [...fronts, front];
    }
    fronts.push(front);
    last = front;
  }
  return undefined;
}

const reach = (front: Front, diagonal: number): number => front.get(diagonal) ?? -1;

/** True when the best way onto a diagonal is a line of `after`, from the diagonal above it. */
const comesByAdding = (front: Front, diagonal: number, edits: number): boolean =>
  diagonal === -edits || (diagonal !== edits && reach(front, diagonal - 1) < reach(front, diagonal + 1));

const enter = (front: Front, diagonal: number, edits: number): number =>
  comesByAdding(front, diagonal, edits) ? reach(front, diagonal + 1) : reach(front, diagonal - 1) + 1;

function follow(before: readonly string[], after: readonly string[], diagonal: number, from: number): number {
  let x = from;
  while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
  return x;
}

function traceBack(before: readonly string[], after: readonly string[], fronts: readonly Front[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let x = before.length;
  let y = after.length;
  for (let edits = fronts.length - 1; edits > 0; edits--) {
    const front = fronts[edits - 1] ?? new Map<number, number>();
    const adding = comesByAdding(front, x - y, edits);
    const from = enter(front, x - y, edits);
    for (; x > from; x--, y--) lines.push({ sign: ' ', text: before[x - 1] ?? '' });
    if (adding) lines.push({ sign: '+', text: after[--y] ?? '' });
    else lines.push({ sign: '-', text: before[--x] ?? '' });
  }
  for (; x > 0; x--) lines.push({ sign: ' ', text: before[x - 1] ?? '' });
  return lines.reverse();
}

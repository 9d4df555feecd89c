// A plan as one block: a label and a row for each entry, with the sign of how far it is.
import type { PlanEntry } from '../contract/shapes.ts';
import { say, type Context, type DrawnBlock, type Mark } from './drawn.ts';
import { oneRow } from './plain.ts';
import { rowLimits } from './sizes.ts';

const signs = { pending: '○', in_progress: '◐', completed: '●' } as const;

export function planBlock(context: Context, id: string, message: string, entries: readonly PlanEntry[]): DrawnBlock {
  const rows = entries.map((entry) => `${signs[entry.status]} ${oneRow(entry.content, rowLimits.output)}`);
  const marks = entries.map((entry, index): Mark => [index + 1, 0, -1, `plan.${entry.status}`]);
  return {
    id,
    kind: 'plan',
    rows: [say(context, 'transcript.plan'), ...rows],
    marks: [[0, 0, -1, 'toolKind'], ...marks],
    open: false,
    copy: [1, rows.length + 1],
    message,
  };
}

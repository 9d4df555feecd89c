// A tool call as blocks: one row that says what and how it goes, its diffs, its output, and who waits for a permission or an answer.
import type { Permission, Tool } from '../contract/shapes.ts';
import { byteColumn } from '../markdown/bytes.ts';
import { drawDiffs, type DrawnDiffs } from './diff.ts';
import { say, type Context, type DrawnBlock, type Mark } from './drawn.ts';
import { outputBlock } from './output.ts';
import { isQuestion } from '../question/shown.ts';
import { permissionBlock, questionBlock } from './permission.ts';
import { oneRow } from './plain.ts';
import type { Role } from './roles.ts';

export interface DrawnTool {
  readonly tool: Tool;
  readonly permissions: readonly Permission[];
  readonly diffs: DrawnDiffs;
  readonly blocks: readonly DrawnBlock[];
}

const signs = { pending: '○', in_progress: '◐', completed: '✓', failed: '✗' } as const;

export function drawTool(
  context: Context,
  id: string,
  message: string,
  tool: Tool,
  before: DrawnTool | undefined,
): DrawnTool {
  const permissions = context.permissions.filter((one) => one.messageId === message && one.toolCall.id === tool.id);
  const same = before && before.tool.diffs === tool.diffs && before.tool.title === tool.title;
  const diffs = same ? before.diffs : drawDiffs(context, `${id}.diff`, message, tool);
  const of = { id: `${id}.output`, message, tool: tool.id };
  const blocks = [
    headerBlock(context, `${id}.tool`, message, tool, diffs),
    ...diffs.blocks,
    ...outputBlock(context, of, tool.output),
    ...permissions.map((permission) => permissionBlock(context, permission, true)),
    ...(isQuestion(tool) && tool.status === 'pending' ? [questionBlock(context, `${id}.question`, message, tool)] : []),
  ];
  return { tool, permissions, diffs, blocks };
}

function headerBlock(context: Context, id: string, message: string, tool: Tool, diffs: DrawnDiffs): DrawnBlock {
  const counts: readonly (readonly [string, Role])[] = [
    ...(diffs.added > 0 ? ([[` +${diffs.added}`, 'added']] as const) : []),
    ...(diffs.removed > 0 ? ([[` −${diffs.removed}`, 'removed']] as const) : []),
  ];
  const { row, marks } = markedRow([
    [signs[tool.status], `status.${tool.status}`],
    [` ${say(context, isQuestion(tool) ? 'tool.question' : `tool.${tool.kind}`)}`, 'toolKind'],
    ...(tool.title === '' ? [] : ([[`  ${oneRow(tool.title)}`, 'tool']] as const)),
    ...(counts.length > 0 ? ([[' ', 'toolKind']] as const) : []),
    ...counts,
  ]);
  const path = tool.diffs[0]?.path;
  const location = tool.locations[0] ?? (path === undefined ? undefined : { path });
  return { id, kind: 'tool', rows: [row], marks, open: false, message, tool: tool.id, ...(location && { location }) };
}

/** A row made of stretches with one role each; blanks in front of a stretch get none. */
function markedRow(stretches: readonly (readonly [text: string, role: Role])[]): {
  row: string;
  marks: readonly Mark[];
} {
  const marks: Mark[] = [];
  let row = '';
  for (const [text, role] of stretches) {
    const from = byteColumn(row + text, row.length + text.length - text.trimStart().length);
    row += text;
    const end = byteColumn(row, row.length);
    if (end > from) marks.push([0, from, end, role]);
  }
  return { row, marks };
}

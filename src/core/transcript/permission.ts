// A waiting permission request or question as the transcript shows it: a reminder, with the options of a request. The window to answer in is not drawn here.
import type { Permission, Tool } from '../contract/shapes.ts';
import { say, type Context, type DrawnBlock, type Mark } from './drawn.ts';
import { oneRow } from './plain.ts';

/** `known`: the tool call it asks about stands right above. */
export function permissionBlock(context: Context, permission: Permission, known: boolean): DrawnBlock {
  const options = permission.options.map((option, index) => `   ${index + 1}  ${oneRow(option.name)}`);
  const marks = options.map((_row, index): Mark => [index + 1, 3, 3 + String(index + 1).length, 'permission.option']);
  return {
    id: `permission.${permission.id}`,
    kind: 'notice',
    rows: [`⏳ ${title(context, permission, known)}`, ...options],
    marks: [[0, 0, -1, 'permission.title'], ...marks],
    open: false,
    message: permission.messageId,
    tool: permission.toolCall.id,
  };
}

/** Its text stands in the row of its tool call, right above. */
export const questionBlock = (context: Context, id: string, message: string, tool: Tool): DrawnBlock => ({
  id,
  kind: 'notice',
  rows: [`⏳ ${say(context, 'transcript.question')}`],
  marks: [[0, 0, -1, 'permission.title']],
  open: false,
  message,
  tool: tool.id,
});

function title(context: Context, { agent, toolCall }: Permission, known: boolean): string {
  if (known) return say(context, 'transcript.permission');
  const what = toolCall.title === '' ? say(context, `tool.${toolCall.kind}`) : oneRow(toolCall.title);
  return say(context, 'transcript.permissionFor', { agent: oneRow(context.options.speaker(agent)), title: what });
}

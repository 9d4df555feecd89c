// A conversation as a Markdown document (SPEC section 2, `export`): every message whole. Draws nothing.
import type { Conversation, Message, Part, Tool } from '../contract/shapes.ts';
import { say, type Context, type TranscriptOptions } from './drawn.ts';
import { isQuestion } from '../question/shown.ts';
import { lineDiff } from './line-diff.ts';
import { endText, filesText, systemText } from './notice.ts';
import { oneRow } from './plain.ts';

export interface ExportOptions extends TranscriptOptions {
  /** Day and time of a moment. */
  readonly when: (time: number) => string;
}

export function exportMarkdown(
  conversation: Conversation,
  messages: readonly Message[],
  options: ExportOptions,
): string {
  const context: Context = { options, permissions: [] };
  const { direct, name, description } = conversation;
  const title = `# ${oneRow(direct === '' ? name : options.speaker(direct))}`;
  const body = messages.map((message) => oneMessage(context, options, message));
  return `${[title, description, ...body].filter((text) => text !== '').join('\n\n')}\n`;
}

function oneMessage(context: Context, { when, speaker }: ExportOptions, message: Message): string {
  const { role, agent, createdAt, attachments } = message;
  if (role === 'system') return `*${oneRow(systemText(context, message))}*`;
  const author = role === 'user' ? say(context, 'transcript.you') : oneRow(speaker(agent));
  const parts = message.parts.map((part) => onePart(context, part)).filter((text) => text !== '');
  const files = attachments.length === 0 ? [] : [filesText(attachments)];
  const end = endText(context, message, parts.length === 0);
  const ended = end ? [`*${oneRow(end.text)}*`] : [];
  return [`## ${author} · ${when(createdAt)}`, ...parts, ...files, ...ended].join('\n\n');
}

function onePart(context: Context, part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text.trim() === '' ? '' : part.text.trimEnd();
    case 'thought':
      return part.text.trim() === '' ? '' : quoted(`*${say(context, 'transcript.thought')}*\n\n${part.text.trim()}`);
    case 'tool':
      return oneTool(context, part.tool);
    case 'plan':
      return part.entries
        .map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${oneRow(content)}`)
        .join('\n');
  }
}

function oneTool(context: Context, tool: Tool): string {
  const { title, kind, status, output, diffs } = tool;
  const changes = diffs.map(
    ({ path, oldText, newText }) => `${oneRow(path)}\n\n${fenced(changedLines(oldText, newText), 'diff')}`,
  );
  const printed = output === '' ? [] : [fenced(output)];
  const what = say(context, isQuestion(tool) ? 'tool.question' : `tool.${kind}`);
  const state = say(context, `tool.status.${status}`);
  return [`**${what}** ${oneRow(title)} (${state})`, ...changes, ...printed].join('\n\n');
}

const changedLines = (before: string, after: string): string =>
  lineDiff(linesOf(before), linesOf(after))
    .filter(({ sign }) => sign !== ' ')
    .map(({ sign, text }) => sign + text)
    .join('\n');

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

const quoted = (text: string): string => text.replaceAll(/^/gm, '> ');

/** Longer than any fence inside, so that nothing ends it early (CASES B22). */
function fenced(text: string, language = ''): string {
  const longest = [...text.matchAll(/`{3,}/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

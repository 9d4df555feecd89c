// A conversation as a Markdown document (SPEC section 2, `export`): every message whole. Draws nothing.
import type { Conversation, Message, Part, Tool } from '../contract/shapes.ts';
import { say, type Context, type TranscriptOptions } from './drawn.ts';
import { lineDiff } from './line-diff.ts';
import { systemText } from './notice.ts';
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
  const { role, agent, createdAt, error } = message;
  if (role === 'system') return `*${oneRow(systemText(context, message))}*`;
  const author = role === 'user' ? say(context, 'transcript.you') : oneRow(speaker(agent));
  const parts = message.parts.map((part) => onePart(context, part));
  const end = error === '' || error === 'cancelled' ? '' : `*${oneRow(error)}*`;
  return [`## ${author} · ${when(createdAt)}`, ...parts, end].filter((text) => text !== '').join('\n\n');
}

function onePart(context: Context, part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text.trim() === '' ? '' : part.text.trimEnd();
    case 'thought':
      return part.text.trim() === '' ? '' : quoted(`*${say(context, 'transcript.thought')}*\n\n${part.text.trim()}`);
    case 'tool':
      return oneTool(part.tool);
    case 'plan':
      return part.entries
        .map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${oneRow(content)}`)
        .join('\n');
  }
}

function oneTool({ title, kind, status, output, diffs }: Tool): string {
  const changes = diffs.map(
    ({ path, oldText, newText }) => `${oneRow(path)}\n\n${fenced(changedLines(oldText, newText), 'diff')}`,
  );
  const printed = output === '' ? [] : [fenced(output)];
  return [`**${kind}** ${oneRow(title)} (${status})`, ...changes, ...printed].join('\n\n');
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

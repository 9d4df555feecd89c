// Reads `session/update`: every kind of ACP v1 becomes an update of the core; what is unknown or malformed, nothing.
// Our own reader, because the SDK's drops what it does not know and loses the order (ACP.md 4). Never throws.
import type { Command, PlanEntry } from '../../core/contract/shapes.ts';
import type { SessionUpdate } from '../../core/ports.ts';
import { messageText, outputText } from './content.ts';
import { isCount, isObject, listOf, objectOf, textOf, type Json } from './json.ts';
import type { Session } from './session.ts';
import { readTool } from './tools.ts';

type Read = SessionUpdate | undefined;

export function readUpdate(session: Session, value: unknown): Read {
  const raw = objectOf(value);
  const update = readKind(session, raw);
  return update && session.replaying && isReplay(update) ? undefined : update;
}

/** While a session is taken up, what was said and done comes again; what the session offers is news. */
const isReplay = ({ type }: SessionUpdate): boolean => type !== 'commands' && type !== 'options' && type !== 'usage';

function readKind(session: Session, raw: Json): Read {
  switch (raw['sessionUpdate']) {
    case 'agent_message_chunk':
      return chunk(session, 'text', raw);
    case 'agent_thought_chunk':
      return chunk(session, 'thought', raw);
    case 'user_message_chunk':
      return chunk(session, 'userText', raw);
    case 'tool_call':
    case 'tool_call_update':
      return tool(session, raw);
    case 'plan':
      return plan(session, raw);
    case 'available_commands_update':
      return { type: 'commands', commands: listOf(raw['availableCommands']).flatMap(command) };
    case 'current_mode_update':
      session.options.changed('mode', textOf(raw['currentModeId']));
      return { type: 'options', options: session.options.list() };
    case 'config_option_update':
      session.options.take(raw);
      return { type: 'options', options: session.options.list() };
    case 'usage_update':
      return usage(raw);
    case 'notice':
      return notice(raw);
    case 'compaction_update':
      return compaction(session, raw);
    case 'compaction_summary_chunk':
      return compactionChunk(session, raw);
    default:
      return undefined;
  }
}

/** Another message of the agent begins a paragraph of its own. */
function chunk(session: Session, type: 'text' | 'thought' | 'userText', raw: Json): Read {
  const text = messageText(raw['content']);
  if (text === '') return undefined;
  return { type, text: session.startsMessage(type, textOf(raw['messageId'])) ? `\n\n${text}` : text };
}

function tool(session: Session, raw: Json): Read {
  const id = textOf(raw['toolCallId']);
  if (id === '') return undefined;
  session.breakMessage();
  return { type: 'tool', id, patch: readTool(session, id, raw) };
}

function plan(session: Session, raw: Json): Read {
  if (!Array.isArray(raw['entries'])) return undefined;
  session.breakMessage();
  return { type: 'plan', entries: raw['entries'].flatMap(planEntry) };
}

function planEntry(value: unknown): PlanEntry[] {
  const { content, priority, status } = objectOf(value);
  if (typeof content !== 'string') return [];
  return [
    {
      content,
      priority: priority === 'high' || priority === 'low' ? priority : 'medium',
      status: status === 'in_progress' || status === 'completed' ? status : 'pending',
    },
  ];
}

function command(value: unknown): Command[] {
  const { name, description, input } = objectOf(value);
  const bare = textOf(name).replace(/^\//, '');
  // Nobody could type it, and a terminal must not get it.
  const isOdd = bare === '' || /\p{Cc}/u.test(bare);
  return isOdd ? [] : [{ name: bare, description: textOf(description), hint: textOf(objectOf(input)['hint']) }];
}

function usage(raw: Json): Read {
  const { used, size } = raw;
  if (!isCount(used) && !isCount(size)) return undefined;
  return { type: 'usage', usage: { used: isCount(used) ? used : 0, size: isCount(size) ? size : 0 } };
}

function notice(raw: Json): Read {
  const title = textOf(raw['title']);
  const description = textOf(raw['description']);
  if (title === '' && description === '') return undefined;
  return { type: 'notice', severity: textOf(raw['severity']) || 'info', title, description };
}

/** A given summary replaces the one gathered so far; a failure is told in the agent's words. */
function compaction(session: Session, raw: Json): Read {
  const id = textOf(raw['compactionId']);
  const { summary, error } = raw;
  if (Array.isArray(summary)) session.summaries.set(id, summary.map(outputText).join(''));
  const text = textOf(error) || (session.summaries.get(id) ?? '');
  return id === '' ? undefined : { type: 'compaction', id, status: textOf(raw['status']), text };
}

function compactionChunk(session: Session, raw: Json): Read {
  const id = textOf(raw['compactionId']);
  if (id === '' || !isObject(raw['content'])) return undefined;
  const text = (session.summaries.get(id) ?? '') + outputText(raw['content']);
  session.summaries.set(id, text);
  return { type: 'compaction', id, status: 'in_progress', text };
}

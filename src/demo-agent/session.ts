// Owns: one session in memory and the folding of its updates into a short record. Must not: touch disk or wire.
import { randomUUID } from 'node:crypto';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { defaultSettings } from './settings.ts';
import type { Settings } from './settings.ts';

/** An update as it is kept: whole messages, and each tool call in its last state. */
export type Entry = Readonly<Record<string, unknown>>;

export interface Session {
  readonly id: string;
  cwd: string;
  title: string;
  updatedAt: string;
  settings: Settings;
  entries: Entry[];
  /** Characters said and heard; the imaginary context window is counted from them. */
  characters: number;
  isAnswering: boolean;
}

const maxEntries = 200;
const maxText = 100_000;
const maxTitle = 60;

export function newSession(cwd: string): Session {
  return {
    id: randomUUID(),
    cwd,
    title: '',
    updatedAt: new Date().toISOString(),
    settings: defaultSettings,
    entries: [],
    characters: 0,
    isAnswering: false,
  };
}

export function recordPrompt(session: Session, text: string): void {
  if (session.title === '') session.title = text.replace(/\s+/g, ' ').trim().slice(0, maxTitle);
  add(session, textEntry('user_message_chunk', text));
  session.characters += text.length;
}

/** Keeps what a later `session/load` replays; passing facts such as usage and modes are left out. */
export function record(session: Session, update: SessionUpdate): void {
  session.updatedAt = new Date().toISOString();
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      if (update.content.type === 'text') recordText(session, update.sessionUpdate, update.content.text);
      break;
    case 'tool_call':
      add(session, update);
      break;
    case 'tool_call_update':
      foldTool(session, update.toolCallId, update);
      break;
    case 'plan':
      foldPlan(session, update);
      break;
    case 'user_message_chunk':
    case 'available_commands_update':
    case 'current_mode_update':
    case 'config_option_update':
    case 'session_info_update':
    case 'usage_update':
    case 'notice':
    case 'compaction_update':
    case 'compaction_summary_chunk':
      break;
  }
}

function recordText(session: Session, kind: string, text: string): void {
  session.characters += text.length;
  const last = session.entries.at(-1);
  if (last?.['sessionUpdate'] === kind) {
    session.entries[session.entries.length - 1] = textEntry(kind, entryText(last) + text);
  } else {
    add(session, textEntry(kind, text));
  }
}

function foldTool(session: Session, toolCallId: string, update: Entry): void {
  const at = session.entries.findLastIndex((entry) => entry['toolCallId'] === toolCallId);
  if (at !== -1) session.entries[at] = { ...session.entries[at], ...update, sessionUpdate: 'tool_call' };
}

/** A plan replaces the one of the same turn, where that stands. */
function foldPlan(session: Session, update: Entry): void {
  const begun = session.entries.findLastIndex((entry) => entry['sessionUpdate'] === 'user_message_chunk');
  const at = session.entries.findLastIndex((entry) => entry['sessionUpdate'] === 'plan');
  if (at > begun) session.entries[at] = update;
  else add(session, update);
}

function add(session: Session, entry: Entry): void {
  session.entries.push(entry);
  if (session.entries.length > maxEntries) session.entries = session.entries.slice(-maxEntries);
}

function textEntry(sessionUpdate: string, text: string): Entry {
  return { sessionUpdate, content: { type: 'text', text: text.slice(0, maxText) } };
}

function entryText(entry: Entry): string {
  const content = entry['content'];
  if (typeof content !== 'object' || content === null || !('text' in content)) return '';
  return typeof content.text === 'string' ? content.text : '';
}

// Decides who answers a message, and what of it is a command (SPEC section 5). Pure.
import { nameKey } from '../config/names.ts';
import type { Conversation } from '../contract/shapes.ts';
import { mentions, type Mention } from './mentions.ts';

export interface Room {
  readonly conversation: Conversation;
  /** The names of all configured agents. */
  readonly agents: readonly string[];
  /** Who has answered here, the latest last. */
  readonly answerers: readonly string[];
}

export interface Route {
  /** Who answers, one after the other; nobody when empty. */
  readonly agents: readonly string[];
  /** What is sent alone in place of the text, "" where the message is no command. */
  readonly command: string;
  /** The name the message begins with that no agent has, "" otherwise. */
  readonly unknown: string;
}

/** `namesFile`: the message names a file, so what it begins with may be one. */
export function route(text: string, namesFile: boolean, room: Room): Route {
  const { direct } = room.conversation;
  if (direct !== '') return { agents: [direct], command: isCommand(text) ? text : '', unknown: '' };
  const found = mentions(text, room.agents);
  const command = readCommand(text, found, room.agents);
  if (command?.agent) return { agents: [command.agent], command: command.text, unknown: '' };
  const mentioned = [...new Set(found.map(({ agent }) => agent).filter((agent) => agent !== ''))];
  const first = found[0];
  const isUnknown =
    mentioned.length === 0 && !namesFile && first !== undefined && text.slice(0, first.start).trim() === '';
  if (isUnknown) return { agents: [], command: '', unknown: first.name };
  return { agents: mentioned.length > 0 ? mentioned : unmentioned(room), command: command?.text ?? '', unknown: '' };
}

/** The last one to answer that is still a member; with one member, that member. */
function unmentioned({ conversation: { members }, answerers }: Room): readonly string[] {
  const last = answerers.findLast((agent) => members.includes(agent));
  if (last !== undefined) return [last];
  return members.length === 1 ? members : [];
}

/** The agent whose workspace `$path` means: in a channel the first mentioned one, else the first member; "" where there is none. */
export function workspaceAgent(text: string, room: Pick<Room, 'conversation' | 'agents'>): string {
  const { direct, members } = room.conversation;
  if (direct !== '') return direct;
  const mentioned = mentions(text, room.agents).find(({ agent }) => agent !== '');
  return mentioned?.agent ?? members[0] ?? '';
}

interface Command {
  /** Named by `/agent:command`, "" otherwise. */
  readonly agent: string;
  readonly text: string;
}

/** `/`, a name without `/`, then a blank or the end; `/usr/bin/x fails` is text. */
const commandPattern = /^\/([^\s/]+)(?=\s|$)/u;

export const isCommand = (text: string): boolean => commandPattern.test(text.trimStart());

function readCommand(text: string, found: readonly Mention[], agents: readonly string[]): Command | undefined {
  const rest = withoutLeadingMentions(text, found);
  const name = commandPattern.exec(rest)?.[1];
  if (name === undefined) return undefined;
  const colon = name.indexOf(':');
  const key = nameKey(name.slice(0, Math.max(colon, 0)));
  const agent = agents.find((one) => nameKey(one) === key);
  if (agent === undefined || colon === name.length - 1) return { agent: '', text: rest };
  return { agent, text: `/${rest.slice(colon + 2)}` };
}

function withoutLeadingMentions(text: string, found: readonly Mention[]): string {
  let at = 0;
  for (const { start, end, agent } of found) {
    if (agent === '' || text.slice(at, start).trim() !== '') break;
    at = end;
  }
  return text.slice(at).trimStart();
}

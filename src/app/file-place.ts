// Whose files a message of a conversation names (SPEC section 6). Looks for no file.
import type { Conversation } from '../core/contract/shapes.ts';
import { mentions } from '../core/conversation/mentions.ts';
import { route, workspaceAgent } from '../core/conversation/routing.ts';
import type { FilePlace } from './named-files.ts';
import { workspaceOf } from './sessions.ts';
import type { Settings } from './settings.ts';

export type FilePlaces = (conversation: Conversation, text: string) => Promise<FilePlace>;

export function filePlaces(settings: () => Promise<Settings>): FilePlaces {
  return async (conversation, text) => {
    const { config } = await settings();
    const agents = config.agents.map(({ name }) => name);
    const agent = workspaceAgent(text, { conversation, agents });
    const definition = config.agents.find(({ name }) => name === agent);
    return {
      agent,
      workspace: definition ? workspaceOf(definition, conversation) : conversation.project,
      mentions: conversation.direct === '' ? mentionedAgents(text, agents) : [],
      isCommand: route(text, true, { conversation, agents, answerers: [] }).command !== '',
    };
  };
}

const mentionedAgents = (text: string, agents: readonly string[]): FilePlace['mentions'] =>
  mentions(text, agents).flatMap(({ agent, start, end }) => (agent === '' ? [] : [[start, end] as const]));

// Whose files a message of a conversation names (SPEC section 6). Looks for no file.
import type { Conversation } from '../core/contract/shapes.ts';
import type { FilePlace } from './named-files.ts';
import { workspaceOf } from './sessions.ts';
import type { Settings } from './settings.ts';

export type FilePlaces = (conversation: Conversation, text: string) => Promise<FilePlace>;

export function filePlaces(settings: () => Promise<Settings>): FilePlaces {
  return async (conversation, text) => {
    const { config } = await settings();
    // Loaded when somebody asks: what reads a message is not needed for the first answer.
    const { route, workspaceAgent } = await import('../core/conversation/routing.ts');
    const { mentions } = await import('../core/conversation/mentions.ts');
    const agents = config.agents.map(({ name }) => name);
    const mentioned = mentions(text, agents).filter((one) => one.agent !== '');
    const agent = workspaceAgent(text, { conversation, agents });
    const definition = config.agents.find(({ name }) => name === agent);
    return {
      agent,
      workspace: definition ? workspaceOf(definition, conversation) : conversation.project,
      mentions: conversation.direct === '' ? mentioned.map(({ start, end }) => [start, end] as const) : [],
      isCommand: route(text, true, { conversation, agents, answerers: [] }).command !== '',
    };
  };
}

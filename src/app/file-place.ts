// Whose files a message of a conversation names (SPEC section 6). Looks for no file.
import type { Conversation } from '../core/contract/shapes.ts';
import type { FilePlace } from './named-files.ts';
import { workspaceOf } from './sessions.ts';
import type { Settings } from './settings.ts';

export type FilePlaces = (conversation: Conversation, text: string) => Promise<FilePlace>;

/** In a direct conversation its agent's; in a channel the first member's. */
export function filePlaces(settings: () => Promise<Settings>): FilePlaces {
  return async (conversation) => {
    const agent = conversation.direct || (conversation.members[0] ?? '');
    const definition = (await settings()).config.agents.find(({ name }) => name === agent);
    const workspace = definition ? workspaceOf(definition, conversation) : conversation.project;
    return { agent, workspace, mentions: [] };
  };
}

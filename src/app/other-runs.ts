// What other Neovims do on the same history is shown here within a second (SPEC section 10).
import type { History, HistoryChanges } from '../core/ports.ts';
import type { Conversations } from './conversations.ts';
import type { Sessions } from './sessions.ts';
import type { Views } from './views.ts';

export interface OtherRunsOptions {
  readonly history: History;
  readonly conversations: Conversations;
  readonly sessions: Sessions;
  readonly views: Views;
}

/** Follows them until the function it gives is called. */
export function followOtherRuns({ history, conversations, sessions, views }: OtherRunsOptions): () => void {
  function conversationChanged(id: string): void {
    const conversation = history.conversation(id);
    if (!conversation) {
      conversations.remove(id);
      sessions.close(id);
      views.close(id);
    } else {
      conversations.replace(conversation);
      sessions.conversationChanged(id);
    }
  }

  function cleared(id: string): void {
    sessions.close(id);
    conversations.step(id, { type: 'cleared' });
    views.redraw(id);
  }

  function messageChanged(conversation: string, id: string): void {
    const message = history.message(id);
    if (message) conversations.step(conversation, { type: 'arrived', message });
    else views.undraw(conversation, id);
  }

  function reloadAll(): void {
    const known = conversations.list().map((state) => state.conversation.id);
    const present = history.conversations().map(({ id }) => id);
    for (const id of new Set([...known, ...present])) conversationChanged(id);
    for (const id of present) {
      conversations.look(id);
      views.redraw(id);
    }
  }

  return history.follow((changes: HistoryChanges) => {
    if (changes.everything) {
      reloadAll();
      return;
    }
    for (const id of changes.conversations) conversationChanged(id);
    for (const id of changes.cleared) cleared(id);
    for (const { conversation, id } of changes.messages) messageChanged(conversation, id);
    for (const id of changes.claims) conversations.look(id);
  });
}

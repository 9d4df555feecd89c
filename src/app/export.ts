// A whole conversation as Markdown (SPEC section 14, `Export`): reads the history page by page.
import type { Conversation, Message } from '../core/contract/shapes.ts';
import type { History } from '../core/ports.ts';
import { exportMarkdown } from '../core/transcript/export.ts';
import type { Settings } from './settings.ts';
import { timeOfDay } from './views.ts';

const pageSize = 1000;

export function exportConversation({ config }: Settings, history: History, conversation: Conversation): string {
  return exportMarkdown(conversation, allMessages(history, conversation.id), {
    language: config.language,
    speaker: (agent) => config.agents.find(({ name }) => name === agent)?.title ?? agent,
    timeOfDay,
    when: (time) => `${day(time)} ${timeOfDay(time)}`,
  });
}

function allMessages(history: History, conversation: string): readonly Message[] {
  const pages: (readonly Message[])[] = [];
  for (let before = '', more = true; more;) {
    const page = history.messages(conversation, before, pageSize);
    pages.unshift(page.messages);
    before = page.messages[0]?.id ?? '';
    more = page.more && before !== '';
  }
  return pages.flat();
}

function day(time: number): string {
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

// Makes the messages of a conversation, whole (SPEC section 7). Pure.
import type { Attachment, Message, Part } from '../contract/shapes.ts';
import type { Step } from './state.ts';

const blank = (channel: string, step: Step): Omit<Message, 'role'> => ({
  id: step.nextId(),
  channel,
  createdAt: step.now,
  agent: '',
  parts: [],
  done: true,
  queued: false,
  stopReason: '',
  error: '',
  code: '',
  attachments: [],
});

export const userMessage = (
  channel: string,
  text: string,
  step: Step,
  attachments: readonly Attachment[] = [],
): Message => ({
  ...blank(channel, step),
  role: 'user',
  parts: [{ kind: 'text', text }],
  attachments: [...attachments],
});

export const agentMessage = (channel: string, agent: string, step: Step): Message => ({
  ...blank(channel, step),
  role: 'agent',
  agent,
  done: false,
});

export const systemMessage = (
  channel: string,
  agent: string,
  code: Exclude<Message['code'], ''>,
  words: { readonly text?: string; readonly error?: string },
  step: Step,
): Message => ({
  ...blank(channel, step),
  role: 'system',
  agent,
  code,
  error: words.error ?? '',
  parts: words.text ? [{ kind: 'text', text: words.text }] : [],
});

/** The text of a message's text parts, one after the other. */
export const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

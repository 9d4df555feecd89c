// The one table of events (SPEC section 13): name, when it is sent, payload. No behaviour.
import { Type, type Static, type TObject, type TSchema } from 'typebox';
import * as s from './shapes.ts';

interface Event {
  readonly summary: string;
  readonly payload: TObject;
  /** Used by Sidekicks' own views only: never an autocommand, no promise is made about it. */
  readonly internal?: true;
}

const payload = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

export const events = {
  'config:changed': {
    summary: 'the configuration was saved and reloaded, valid or not',
    payload: payload({ path: s.text, valid: s.flag, problems: Type.Array(s.Problem) }),
  },
  'agent:state': {
    summary: "an agent's state or definition changed",
    payload: payload({ agent: s.text, state: s.AgentSummary.properties.state, error: Type.Optional(s.text) }),
  },
  'agent:log': { summary: 'a line on standard error', payload: payload({ agent: s.text, line: s.text }) },
  'files:dropped': {
    summary: 'absolute paths were dropped on (pasted into) the input of conversation `target`',
    payload: payload({ target: s.text, files: Type.Array(s.text) }),
  },
  'channels:changed': {
    summary: 'created, renamed, deleted, cleared, members changed',
    payload: payload({ channels: Type.Array(s.Conversation) }),
  },
  'message:updated': {
    summary: 'a message was added or finished',
    payload: payload({ channel: s.text, message: s.Message }),
  },
  'message:delta': {
    summary: '`text` is added to part `index` (from 0), or `part` replaces it',
    payload: payload({
      channel: s.text,
      messageId: s.text,
      index: s.whole,
      kind: Type.Unsafe<'text' | 'thought' | 'tool' | 'plan'>({
        type: 'string',
        enum: ['text', 'thought', 'tool', 'plan'],
      }),
      text: Type.Optional(s.text),
      part: Type.Optional(s.Part),
    }),
  },
  'turn:changed': {
    summary: "a conversation starts or stops answering, or another agent's turn begins",
    payload: payload({
      channel: s.text,
      busy: s.flag,
      queued: s.whole,
      answering: s.text,
      cancelling: s.flag,
      waitingFor: s.text,
    }),
  },
  'permission:requested': { summary: 'an agent asks', payload: s.Permission },
  'permission:resolved': { summary: 'answered, or cancelled', payload: payload({ id: s.text, channel: s.text }) },
  'question:requested': { summary: 'an agent asks a question (elicitation)', payload: s.Question },
  'question:resolved': { summary: 'answered, or cancelled', payload: payload({ id: s.text, channel: s.text }) },
  'usage:changed': {
    summary: 'the context window was reported',
    payload: payload({ channel: s.text, agent: s.text, usage: s.Usage }),
  },
  'commands:changed': {
    summary: 'slash commands were announced',
    payload: payload({ agent: s.text, commands: Type.Array(s.Command) }),
  },
  'options:changed': {
    summary: 'modes, models or options of the session',
    payload: payload({ channel: s.text, agent: s.text, options: Type.Array(s.Option) }),
  },
  'changes:changed': {
    summary: 'what agents changed, or the conflicts',
    payload: payload({ channel: s.text }),
  },
  'workspace:changed': {
    summary: 'files changed in the workspace of an agent that is followed',
    payload: payload({ agent: s.text }),
  },
  'terminal:output': {
    summary: 'a terminal printed something; gathered for 16 ms or 32 KB, no character is cut',
    payload: payload({ id: s.text, data: s.text }),
  },
  'terminal:exit': { summary: 'the shell of a terminal ended', payload: payload({ id: s.text }) },
  'view:patch': {
    summary:
      'what is drawn of an open conversation changed; `first` patches replace all; `number` counts from 1; `more`, `newer`: there are messages before and after what is drawn',
    payload: payload({
      channel: s.text,
      number: s.whole,
      first: s.flag,
      more: s.flag,
      newer: s.flag,
      operations: Type.Array(s.PatchOperation),
    }),
    internal: true,
  },
  'agent:sign-in': {
    summary: 'an agent wants a sign-in first, and offers one that can be run in a terminal',
    payload: payload({ agent: s.text }),
    internal: true,
  },
  'history:opened': {
    summary: 'another history is in force: every conversation on screen is to be found and drawn again',
    payload: payload({}),
    internal: true,
  },
  'host:notice': {
    summary: 'something the person should hear once',
    payload: payload({ message: s.text, level: Type.Unsafe<'info' | 'warn' | 'error'>({ type: 'string' }) }),
    internal: true,
  },
  'host:reply': {
    summary: 'the answer to a request, by its callback id',
    payload: payload({
      id: s.whole,
      error: Type.Optional(payload({ code: s.text, message: s.text })),
      result: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
    }),
    internal: true,
  },
} satisfies Record<string, Event>;

export type EventName = keyof typeof events;
export type Payload<E extends EventName> = Static<(typeof events)[E]['payload']>;
/** An event on its way to Neovim. */
export type HostEvent = { readonly [E in EventName]: { readonly name: E; readonly payload: Payload<E> } }[EventName];

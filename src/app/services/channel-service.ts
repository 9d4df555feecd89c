// ChannelService (SPEC section 14): conversations, their messages and their permission requests.
import type { Conversation, Message } from '../../core/contract/shapes.ts';
import type { ConversationState } from '../../core/conversation/state.ts';
import { fail, ok, type Result } from '../../core/errors.ts';
import type { Agents } from '../agents.ts';
import type { Desk } from '../desk.ts';
import type { FilePlaces } from '../file-place.ts';
import { answerQuestion } from '../questions.ts';
import type { Settings } from '../settings.ts';
import type { Service } from './services.ts';

/** Messages a snapshot or a page holds (SPEC 10). */
const pageSize = 100;
const maxHits = 200;

export interface ChannelServiceOptions {
  readonly desk: () => Promise<Desk>;
  readonly agents: () => Promise<Agents>;
  readonly settings: () => Promise<Settings>;
  readonly project: () => Promise<string>;
  readonly filePlace: FilePlaces;
}

export function channelService(options: ChannelServiceOptions): Service<'ChannelService'> {
  const { desk, agents } = options;

  /** Runs `action` on a conversation, or says that there is none of that id. */
  async function on<T>(
    id: string,
    action: (desk: Desk, state: ConversationState) => Result<T> | Promise<Result<T>>,
  ): Promise<Result<T>> {
    const open = await desk();
    const state = open.conversations.get(id);
    return state ? action(open, state) : fail('not-found', 'error.unknownConversation');
  }

  async function withAgent<T>(agent: string, action: () => Promise<Result<T>>): Promise<Result<T>> {
    const isKnown = (await options.settings()).config.agents.some((one) => one.name === agent);
    return isKnown ? action() : fail('not-found', 'error.unknownAgent', { agent });
  }

  return {
    'ChannelService.List': async ({ all }) => {
      const { channels } = await desk();
      const here = channels.ofProject(await options.project());
      return ok({ channels: [...(all ? channels.all() : here)] });
    },
    'ChannelService.Direct': async ({ agent }) => (await desk()).channels.direct(agent, await options.project()),
    'ChannelService.Create': async ({ name, description }) => {
      const project = await options.project();
      const { channels } = await desk();
      channels.ofProject(project);
      return channels.create(name, description, project);
    },
    'ChannelService.Rename': async ({ id, name, description }) => (await desk()).channels.rename(id, name, description),
    'ChannelService.AddMember': async ({ id, agent }) => (await desk()).channels.addMember(id, agent),
    'ChannelService.RemoveMember': async ({ id, agent }) => (await desk()).channels.removeMember(id, agent),
    'ChannelService.Clear': async ({ id }) => nothing((await desk()).channels.clear(id)),
    'ChannelService.Delete': async ({ id }) => nothing((await desk()).channels.delete(id)),
    'ChannelService.NewSession': async ({ id }) => nothing((await desk()).channels.newSession(id)),
    'ChannelService.Send': ({ id, text }) =>
      on(id, async (open, { conversation }) => {
        if (text.trim() === '') return fail('invalid', 'error.emptyText');
        const prepared = await open.prompts.prepare(text, await options.filePlace(conversation, text));
        if (!prepared.ok) return prepared;
        open.conversations.step(id, { type: 'submitted', text, attachments: prepared.value.attachments });
        open.views.newest(id);
        const sent = lastUserMessage(open, id)?.id ?? '';
        prepared.value.keep(sent);
        return ok({ id: sent });
      }),
    'ChannelService.EditQueued': ({ id, messageId, text }) =>
      on(id, async (open, state) => {
        if (text.trim() === '') return fail('invalid', 'error.emptyText');
        if (!isQueued(state, messageId)) return fail('not-found', 'error.unknownMessage');
        const prepared = await open.prompts.prepare(text, await options.filePlace(state.conversation, text));
        if (!prepared.ok) return prepared;
        const now = open.conversations.get(id);
        if (!now || !isQueued(now, messageId)) return fail('not-found', 'error.unknownMessage');
        prepared.value.keep(messageId);
        open.conversations.step(id, { type: 'queuedEdited', messageId, text, attachments: prepared.value.attachments });
        return ok({});
      }),
    'ChannelService.RemoveQueued': ({ id, messageId }) =>
      on(id, (open, state) => {
        if (!isQueued(state, messageId)) return fail('not-found', 'error.unknownMessage');
        open.conversations.step(id, { type: 'queuedRemoved', messageId });
        return ok({});
      }),
    'ChannelService.Resend': ({ id, messageId }) =>
      on(id, (open) => {
        const message = open.history.message(messageId);
        if (message?.channel !== id || message.role !== 'user') return fail('not-found', 'error.unknownMessage');
        if (message.error === '') return fail('invalid', 'error.alreadySent');
        open.conversations.step(id, { type: 'resent', message });
        open.views.newest(id);
        return ok({ id: lastUserMessage(open, id)?.id ?? '' });
      }),
    'ChannelService.Cancel': ({ id }) =>
      on(id, (open) => {
        open.conversations.step(id, { type: 'cancelRequested' });
        return ok({});
      }),
    'ChannelService.AnswerPermission': async ({ id, optionId }) => answerPermission(await desk(), id, optionId),
    'ChannelService.AnswerQuestion': async ({ id, action, content }) =>
      answerQuestion((await desk()).conversations, id, action, content),
    'ChannelService.Conversation': ({ id }) => on(id, (open, state) => ok(snapshot(open, state))),
    'ChannelService.Older': ({ id, beforeId }) =>
      on(id, (open, state) => {
        if (!isMessageOf(open, state, beforeId)) return fail('not-found', 'error.unknownMessage');
        const page = open.history.messages(id, beforeId, pageSize);
        return ok({ messages: [...page.messages], more: page.more });
      }),
    'ChannelService.Commands': ({ agent }) =>
      withAgent(agent, async () => ok({ commands: [...(await desk()).history.commands(agent)] })),
    'ChannelService.Options': ({ id, agent }) =>
      withAgent(agent, () => on(id, (open) => ok({ options: [...(open.sessions.of(agent, id)?.options ?? [])] }))),
    'ChannelService.SetOption': ({ id, agent, optionId, value }) =>
      withAgent(agent, () => on(id, async (open) => setOption(open, await agents(), { id, agent, optionId, value }))),
    'ChannelService.Search': async ({ words }) => {
      if (words.trim() === '') return fail('invalid', 'error.noWords');
      return ok({ hits: [...(await desk()).history.search(words, maxHits)] });
    },
    'ChannelService.Export': ({ id }) =>
      on(id, async (open, { conversation }) => exportText(await options.settings(), open, conversation)),
    'ChannelService.Prepare': ({ id }) => on(id, async (open, state) => prepare(open, await agents(), state)),
  };
}

const isQueued = (state: ConversationState, messageId: string): boolean =>
  state.queue.some((one) => one.id === messageId);

const isMessageOf = (desk: Desk, state: ConversationState, messageId: string): boolean =>
  isQueued(state, messageId) ||
  state.turn?.answer.id === messageId ||
  desk.history.message(messageId)?.channel === state.conversation.id;

function lastUserMessage(desk: Desk, id: string): Message | undefined {
  const state = desk.conversations.get(id);
  return state?.queue.at(-1) ?? state?.turn?.prompt ?? lastKept(desk, id);
}

/** One that nobody answers is over at once. */
const lastKept = (desk: Desk, id: string): Message | undefined =>
  desk.conversations.recent(id, pageSize).messages.findLast(({ role }) => role === 'user');

function answerPermission(desk: Desk, id: string, optionId: string): Result<Record<string, never>> {
  const state = desk.conversations.list().find(({ turn }) => turn?.permissions.some((one) => one.id === id));
  const permission = state?.turn?.permissions.find((one) => one.id === id);
  if (!state || !permission) return fail('not-found', 'error.unknownPermission');
  if (!permission.options.some((option) => option.optionId === optionId)) {
    return fail('invalid', 'error.unknownOption', { option: optionId });
  }
  desk.conversations.step(state.conversation.id, { type: 'permissionAnswered', id, optionId });
  return ok({});
}

async function exportText(
  settings: Settings,
  desk: Desk,
  conversation: Conversation,
): Promise<Result<{ text: string }>> {
  const { exportConversation } = await import('../export.ts');
  return ok({ text: exportConversation(settings, desk.history, conversation) });
}

const nothing = (done: Result<undefined>): Result<Record<string, never>> => (done.ok ? ok({}) : done);

function snapshot(desk: Desk, state: ConversationState) {
  const { channel: _id, ...turn } = desk.conversations.turnSummary(state);
  const recent = desk.conversations.recent(state.conversation.id, pageSize);
  return {
    channel: state.conversation,
    messages: [...recent.messages],
    more: recent.more,
    ...turn,
    usage: { ...state.usage },
    permissions: [...(state.turn?.permissions ?? [])],
    questions: (state.turn?.questions ?? []).map(({ question }) => question),
  };
}

interface Choice {
  readonly id: string;
  readonly agent: string;
  readonly optionId: string;
  readonly value: string;
}

async function setOption(
  desk: Desk,
  agents: Agents,
  { id, agent, optionId, value }: Choice,
): Promise<Result<Record<string, never>>> {
  const session = desk.sessions.of(agent, id);
  const running = agents.running(agent);
  if (!session || !running) return fail('unavailable', 'error.noSession', { agent });
  const option = session.options.find((one) => one.optionId === optionId);
  if (!option?.choices.some((choice) => choice.value === value))
    return fail('invalid', 'error.unknownChoice', { option: optionId, value });
  const set = await running.connection.setOption(session.sessionId, optionId, value);
  if (!set.ok) return set;
  desk.sessions.setOptions(agent, session, set.value);
  return ok({});
}

/** Starts no agent whose start would stop another one (SPEC 5), and leaves one that answers somewhere alone. */
async function prepare(desk: Desk, agents: Agents, state: ConversationState): Promise<Result<Record<string, never>>> {
  for (const agent of state.conversation.members) {
    if (!agents.startsFreely(agent) || desk.turns.isAnswering(agent)) continue;
    if (desk.sessions.of(agent, state.conversation.id)) continue;
    const prepared = await desk.turns.prepare(agent, state.conversation);
    if (!prepared.ok) return prepared;
  }
  return ok({});
}

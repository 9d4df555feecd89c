// The queue of a conversation and the life of its turn: begun, ended exactly once, cancelled (SPEC section 5). Pure.
import type { Message } from '../contract/shapes.ts';
import { endOpenTools } from './parts.ts';
import { agentMessage, systemMessage, userMessage } from './messages.ts';
import { cancelPermissions } from './permissions.ts';
import type { ConversationEffect, ConversationState, Step, Stepped, Turn } from './state.ts';
import { andThen, messageUpdated, queueToEnd, save, saved, stay, turnChanged } from './told.ts';

// ---- the queue ----

export function submit(state: ConversationState, message: Message, step: Step): Stepped {
  if (!state.turn) return beginTurn(state, message, step);
  const queued = { ...message, queued: true };
  const next = { ...state, queue: [...state.queue, queued] };
  return { state: next, effects: [...messageUpdated(queued), turnChanged(next)] };
}

export function editQueued(state: ConversationState, messageId: string, text: string): Stepped {
  const index = state.queue.findIndex((message) => message.id === messageId);
  const before = state.queue[index];
  if (!before) return stay(state);
  const edited: Message = { ...before, parts: [{ kind: 'text', text }] };
  return { state: { ...state, queue: state.queue.with(index, edited) }, effects: messageUpdated(edited) };
}

export function removeQueued(state: ConversationState, messageId: string): Stepped {
  const queue = state.queue.filter((message) => message.id !== messageId);
  if (queue.length === state.queue.length) return stay(state);
  const next = { ...state, queue };
  return { state: next, effects: [{ type: 'deleteMessage', messageId }, turnChanged(next)] };
}

/** A message that was not sent is sent again as a new one; the old one goes, so that it stands once. */
export function resend(state: ConversationState, old: Message, step: Step): Stepped {
  const again = { ...userMessage(state.conversation.id, '', step, old.attachments), parts: old.parts };
  const removed: Stepped = { state, effects: [{ type: 'deleteMessage', messageId: old.id }] };
  return andThen(removed, (now) => submit(now, again, step));
}

// ---- a turn's life ----

function beginTurn(state: ConversationState, message: Message, step: Step): Stepped {
  const prompt = { ...message, queued: false };
  const position = step.nextId();
  const agent = state.conversation.direct;
  const answer = agentMessage(state.conversation.id, agent, step);
  const turn: Turn = { agent, prompt, answer, phase: 'opening', permissions: [], rejected: [] };
  const next = { ...state, turn };
  const effects: ConversationEffect[] = [
    ...saved(prompt, position),
    ...messageUpdated(answer),
    ...queueToEnd(next),
    turnChanged(next),
    { type: 'openTurn', agent, prompt },
  ];
  return { state: next, effects };
}

interface Ending {
  readonly stopReason?: Message['stopReason'];
  readonly error?: string;
  /** The agent could not be started or reached: the prompt never got to it. */
  readonly unavailable?: boolean;
}

export function endTurn(state: ConversationState, answerId: string, ending: Ending, step: Step): Stepped {
  const { turn } = state;
  if (turn?.answer.id !== answerId) return stay(state);
  const answer = endAnswer(turn, turn.phase === 'cancelling' ? { stopReason: 'cancelled' } : ending);
  const { turn: _over, ...rest } = state;
  const idle: ConversationState = { ...rest, lastAnswer: answer };
  const effects: ConversationEffect[] = [
    ...cancelPermissions(turn),
    save(answer),
    { type: 'releaseAgent', agent: turn.agent },
    ...messageUpdated(answer),
  ];
  return andThen({ state: idle, effects }, (now) =>
    ending.error === undefined ? nextTurn(now, step) : stopQueue(now, turn, ending, step),
  );
}

function endAnswer(turn: Turn, ending: Ending): Message {
  const good = ending.stopReason !== undefined && ending.stopReason !== 'cancelled';
  const { parts } = endOpenTools(turn.answer.parts, (tool) =>
    good && !turn.rejected.includes(tool.id) ? 'completed' : 'failed',
  );
  return {
    ...turn.answer,
    parts: [...parts],
    done: true,
    stopReason: ending.stopReason ?? '',
    error: ending.error ?? '',
  };
}

function nextTurn(state: ConversationState, step: Step): Stepped {
  const [message, ...queue] = state.queue;
  return message ? beginTurn({ ...state, queue }, message, step) : { state, effects: [turnChanged(state)] };
}

/** An agent that failed gets no further message by itself: what waited is shown as not sent (SPEC 5). */
function stopQueue(state: ConversationState, turn: Turn, ending: Ending, step: Step): Stepped {
  const effects: ConversationEffect[] = ending.unavailable
    ? saved(systemMessage(state.conversation.id, turn.agent, 'agent-unavailable', { error: ending.error ?? '' }, step))
    : [];
  return andThen({ state, effects }, dropQueue);
}

function dropQueue(state: ConversationState): Stepped {
  const dropped = state.queue.map((message): Message => ({ ...message, queued: false, error: 'cancelled' }));
  const next = { ...state, queue: [] };
  return { state: next, effects: [...dropped.flatMap((message) => saved(message)), turnChanged(next)] };
}

/** A second cancel sends nothing: the agent was told (CASES B11). A prompt not sent yet ends at once. */
export function cancel(state: ConversationState, step: Step): Stepped {
  const { turn } = state;
  if (!turn || turn.phase === 'cancelling') return dropQueueIfAny(state);
  if (turn.phase === 'opening') {
    return andThen(dropQueueIfAny(state), (now) => endTurn(now, turn.answer.id, { stopReason: 'cancelled' }, step));
  }
  const next: ConversationState = { ...state, turn: { ...turn, phase: 'cancelling', permissions: [] } };
  const effects: ConversationEffect[] = [{ type: 'cancelPrompt', agent: turn.agent }, ...cancelPermissions(turn)];
  return andThen({ state: next, effects }, dropQueue);
}

const dropQueueIfAny = (state: ConversationState): Stepped => (state.queue.length > 0 ? dropQueue(state) : stay(state));

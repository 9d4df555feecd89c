// The life of a turn: begun with the agents a message is for, ended exactly once, cancelled (SPEC section 5). Pure.
import type { Message } from '../contract/shapes.ts';
import { join } from './members.ts';
import { agentMessage, systemMessage, textOf } from './messages.ts';
import { endOpenTools } from './parts.ts';
import { cancelPermissions } from './permissions.ts';
import { cancelQuestions } from './questions.ts';
import { dropQueue, dropQueueOf } from './queue.ts';
import { route } from './routing.ts';
import type { ConversationEffect, ConversationState, Step, Stepped, Turn } from './state.ts';
import { andThen, messageUpdated, queueToEnd, save, saved, stay, turnChanged } from './told.ts';

/** A prompt and the agents that are to answer it, one after the other. */
type Call = Pick<Turn, 'prompt' | 'command' | 'reached'> & { readonly agents: readonly string[] };

export function beginTurn(state: ConversationState, message: Message, step: Step): Stepped {
  const prompt = { ...message, queued: false };
  const { conversation, answerers } = state;
  const room = { conversation, answerers, agents: step.agents };
  const { agents, command, unknown } = route(textOf(prompt.parts), prompt.attachments.length > 0, room);
  const kept: Stepped = { state, effects: saved(prompt, step.nextId()) };
  if (agents.length === 0) return andThen(kept, (now) => noRecipient(now, unknown, step));
  const joined = andThen(kept, (now) => join(now, agents, step));
  return andThen(joined, (now) => callNext(now, { prompt, command, reached: false, agents }, step));
}

function noRecipient(state: ConversationState, name: string, step: Step): Stepped {
  const told = systemMessage(state.conversation.id, '', 'no-recipient', { error: name }, step);
  return andThen({ state, effects: saved(told) }, (now) => nextTurn(now, step));
}

function callNext(state: ConversationState, { prompt, command, reached, agents }: Call, step: Step): Stepped {
  const [agent, ...next] = agents;
  if (agent === undefined) return nextTurn(state, step);
  const notes = prompt.attachments.map(() => step.nextId());
  const answer = agentMessage(state.conversation.id, agent, step);
  const turn: Turn = {
    agent,
    prompt,
    answer,
    command,
    notes,
    reached,
    next,
    phase: 'opening',
    permissions: [],
    questions: [],
    rejected: [],
  };
  const begun = { ...state, turn };
  const effects: ConversationEffect[] = [
    ...messageUpdated(answer),
    ...queueToEnd(begun),
    turnChanged(begun),
    { type: 'openTurn', agent, prompt },
  ];
  return { state: begun, effects };
}

export interface Ending {
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
  const idle: ConversationState = {
    ...rest,
    lastAnswers: new Map(state.lastAnswers).set(turn.agent, answer),
    answerers: [...state.answerers.filter((agent) => agent !== turn.agent), turn.agent],
  };
  const effects: ConversationEffect[] = [
    ...cancelPermissions(turn),
    ...cancelQuestions(turn),
    save(answer),
    { type: 'releaseAgent', agent: turn.agent },
    ...messageUpdated(answer),
  ];
  const ended = andThen({ state: idle, effects }, (now) =>
    ending.error === undefined ? stay(now) : afterFailure(now, turn, ending, step),
  );
  const reached = turn.reached || turn.phase !== 'opening';
  return andThen(ended, (now) => callNext(now, { ...turn, reached, agents: turn.next }, step));
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

/** An agent that failed gets no further message by itself: what waited for it is shown as not sent (SPEC 5). */
function afterFailure(state: ConversationState, turn: Turn, ending: Ending, step: Step): Stepped {
  const effects: ConversationEffect[] = ending.unavailable
    ? saved(systemMessage(state.conversation.id, turn.agent, 'agent-unavailable', { error: ending.error ?? '' }, step))
    : [];
  return andThen({ state, effects }, (now) => dropQueueOf(now, turn.agent, step));
}

/** The next of the waiting messages, or rest. */
export function nextTurn(state: ConversationState, step: Step): Stepped {
  const [message, ...queue] = state.queue;
  return message ? beginTurn({ ...state, queue }, message, step) : { state, effects: [turnChanged(state)] };
}

/** The answer, the agents that had still to answer, and what waits. */
export function cancel(state: ConversationState, step: Step): Stepped {
  const { turn } = state;
  const rest = turn ? { ...state, turn: { ...turn, next: [] } } : state;
  return andThen(dropQueue(rest), (now) => cancelAnswer(now, step));
}

/** Only what this agent does here or was to do; the others go on (SPEC 4). */
export function stopAgent(state: ConversationState, agent: string, step: Step): Stepped {
  const { turn } = state;
  const rest = turn ? { ...state, turn: { ...turn, next: turn.next.filter((one) => one !== agent) } } : state;
  const dropped = dropQueueOf(rest, agent, step);
  return turn?.agent === agent ? andThen(dropped, (now) => cancelAnswer(now, step)) : dropped;
}

/** A prompt that reached nobody is no part of what was said: it can be sent again. */
function cancelUnsent(state: ConversationState, turn: Turn, step: Step): Stepped {
  const isSent = turn.reached || turn.next.length > 0;
  const kept = { state, effects: isSent ? [] : saved({ ...turn.prompt, error: 'cancelled' }) };
  return andThen(kept, (now) => endTurn(now, turn.answer.id, { stopReason: 'cancelled' }, step));
}

/** A second cancel sends nothing: the agent was told (CASES B11). A prompt not sent yet ends at once. */
function cancelAnswer(state: ConversationState, step: Step): Stepped {
  const { turn } = state;
  if (!turn || turn.phase === 'cancelling') return stay(state);
  if (turn.phase === 'opening') return cancelUnsent(state, turn, step);
  const next: ConversationState = { ...state, turn: { ...turn, phase: 'cancelling', permissions: [], questions: [] } };
  const settled = [...cancelPermissions(turn), ...cancelQuestions(turn)];
  return { state: next, effects: [{ type: 'cancelPrompt', agent: turn.agent }, ...settled, turnChanged(next)] };
}

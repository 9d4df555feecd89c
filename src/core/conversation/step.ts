// The state machine of one conversation: what happens to it, and what is to be done about it (SPEC sections 5, 7, 8). Pure.
import type { Message } from '../contract/shapes.ts';
import { join, leave, rename } from './members.ts';
import { systemMessage, userMessage } from './messages.ts';
import { answerPermission, askPermission, resolvePermission } from './permissions.ts';
import { editQueued, removeQueued } from './queue.ts';
import { answerQuestion, askQuestion, withdrawQuestion } from './questions.ts';
import type { ConversationEvent, ConversationState, Step, Stepped } from './state.ts';
import { resend, submit } from './submit.ts';
import { andThen, messageUpdated, queueToEnd, saved, stay, toEnd, turnChanged } from './told.ts';
import { cancel, endTurn, nextTurn, stopAgent } from './turns.ts';
import { update, usageChanged } from './updates.ts';

/** An event that does not fit the state (late, unknown id, no turn) leaves it as it is and has no effects. */
export function stepConversation(state: ConversationState, event: ConversationEvent, step: Step): Stepped {
  switch (event.type) {
    case 'submitted':
      return submit(state, userMessage(state.conversation.id, event.text, step, event.attachments), step);
    case 'queuedEdited':
      return editQueued(state, event.messageId, event.text, event.attachments);
    case 'queuedRemoved':
      return removeQueued(state, event.messageId);
    case 'resent':
      return resend(state, event.message, step);
    case 'queueTaken':
      return stay({ ...state, queue: [] });
    case 'promptSent':
      return promptSent(state, event.turn);
    case 'attachmentFailed':
      return attachmentFailed(state, event, step);
    case 'updated':
      return update(state, event.agent, event.updates, step);
    case 'promptEnded':
      return endTurn(state, event.turn, { stopReason: event.stopReason }, step);
    case 'promptFailed':
      return endTurn(state, event.turn, { error: event.words, unavailable: event.unavailable }, step);
    case 'cancelRequested':
      return cancel(state, step);
    case 'agentStopped':
      return stopAgent(state, event.agent, step);
    case 'memberAdded':
      return join(state, [event.agent], step);
    case 'memberRemoved':
      return andThen(stopAgent(state, event.agent, step), (now) => leave(now, event.agent, step));
    case 'renamed':
      return rename(state, event.name, event.description);
    case 'cleared':
      return clear(state);
    case 'sessionForgotten':
      return forgetSession(state, step);
    case 'freed':
      return freed(state, step);
    case 'answeredElsewhere':
      return answeredElsewhere(state, event.agent);
    case 'conversationReplaced':
      return stay({ ...state, conversation: event.conversation });
    case 'arrived':
      return arrived(state, event.message);
    case 'permissionRequested':
      return askPermission(state, event.id, event.request);
    case 'permissionAnswered':
      return answerPermission(state, event.id, event.optionId);
    case 'permissionWithdrawn':
      return resolvePermission(state, event.id);
    case 'questionAsked':
      return askQuestion(state, event.id, event.request);
    case 'questionAnswered':
      return answerQuestion(state, event.id, event.outcome);
    case 'questionWithdrawn':
      return withdrawQuestion(state, event.id);
  }
}

function promptSent(state: ConversationState, turn: string): Stepped {
  if (state.turn?.answer.id !== turn || state.turn.phase !== 'opening') return stay(state);
  return { state: { ...state, turn: { ...state.turn, phase: 'running' } }, effects: [] };
}

function attachmentFailed(
  state: ConversationState,
  { turn, path, why }: Extract<ConversationEvent, { type: 'attachmentFailed' }>,
  step: Step,
): Stepped {
  if (state.turn?.answer.id !== turn) return stay(state);
  const { answer, agent, notes } = state.turn;
  const [id = step.nextId(), ...left] = notes;
  const noteStep = { ...step, nextId: () => id };
  const told = systemMessage(
    state.conversation.id,
    agent,
    'attachment-unavailable',
    { text: path, error: why },
    noteStep,
  );
  const next = { ...state, turn: { ...state.turn, notes: left } };
  return { state: next, effects: [...saved(told), ...toEnd(answer), ...queueToEnd(next)] };
}

/** Usage goes to zero, a line is drawn, late text of the old session joins nothing. */
function forgetSession(state: ConversationState, step: Step): Stepped {
  const line = systemMessage(state.conversation.id, state.conversation.direct, 'session-started', {}, step);
  return andThen(forget(state), (now) => ({ state: now, effects: saved(line) }));
}

/** All messages are gone, and nobody has answered here yet (SPEC 5, `Clear`). */
const clear = (state: ConversationState): Stepped => forget({ ...state, answerers: [] });

function forget(state: ConversationState): Stepped {
  const { members } = state.conversation;
  return members.reduce(
    (done, agent) => andThen(done, (now) => usageChanged(now, agent, { used: 0, size: 0 })),
    stay({ ...state, lastAnswers: new Map() }),
  );
}

/** What waits is sent by the Neovim that queued it (SPEC 10). */
function freed(state: ConversationState, step: Step): Stepped {
  return state.turn || !step.free || state.queue.length === 0 ? stay(state) : nextTurn(state, step);
}

/** What another Neovim kept; what waits here stays at the end. */
function arrived(state: ConversationState, message: Message): Stepped {
  const { agent, role } = message;
  const answerers = [...state.answerers.filter((one) => one !== agent), agent];
  const next = role === 'agent' ? { ...state, answerers } : state;
  return { state: next, effects: [...messageUpdated(message), ...queueToEnd(next)] };
}

function answeredElsewhere(state: ConversationState, agent: string): Stepped {
  if (state.elsewhere === agent) return stay(state);
  const next = { ...state, elsewhere: agent };
  return { state: next, effects: [turnChanged(next)] };
}

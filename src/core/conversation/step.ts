// The state machine of one conversation: what happens to it, and what is to be done about it (SPEC sections 5, 7, 8). Pure.
import { systemMessage, userMessage } from './messages.ts';
import { answerPermission, askPermission, resolvePermission } from './permissions.ts';
import type { ConversationEvent, ConversationState, Step, Stepped } from './state.ts';
import { saved, stay, andThen } from './told.ts';
import { cancel, editQueued, endTurn, removeQueued, resend, submit } from './turns.ts';
import { update, usageChanged } from './updates.ts';

/** An event that does not fit the state (late, unknown id, no turn) leaves it as it is and has no effects. */
export function stepConversation(state: ConversationState, event: ConversationEvent, step: Step): Stepped {
  switch (event.type) {
    case 'submitted':
      return submit(state, userMessage(state.conversation.id, event.text, step, event.attachments), step);
    case 'queuedEdited':
      return editQueued(state, event.messageId, event.text);
    case 'queuedRemoved':
      return removeQueued(state, event.messageId);
    case 'resent':
      return resend(state, event.message, step);
    case 'promptSent':
      return promptSent(state, event.turn);
    case 'updated':
      return update(state, event.agent, event.updates, step);
    case 'promptEnded':
      return endTurn(state, event.turn, { stopReason: event.stopReason }, step);
    case 'promptFailed':
      return endTurn(state, event.turn, { error: event.words, unavailable: event.unavailable }, step);
    case 'cancelRequested':
      return cancel(state, step);
    case 'sessionForgotten':
      return forgetSession(state, step);
    case 'permissionRequested':
      return askPermission(state, event.id, event.request);
    case 'permissionAnswered':
      return answerPermission(state, event.id, event.optionId);
    case 'permissionWithdrawn':
      return resolvePermission(state, event.id);
  }
}

function promptSent(state: ConversationState, turn: string): Stepped {
  if (state.turn?.answer.id !== turn || state.turn.phase !== 'opening') return stay(state);
  return { state: { ...state, turn: { ...state.turn, phase: 'running' } }, effects: [] };
}

/** Usage goes to zero, a line is drawn, late text of the old session joins nothing. */
function forgetSession(state: ConversationState, step: Step): Stepped {
  const { lastAnswer: _old, ...rest } = state;
  const agents = state.conversation.members;
  const line = systemMessage(state.conversation.id, state.conversation.direct, 'session-started', {}, step);
  const emptied = agents.reduce(
    (done, agent) => andThen(done, (now) => usageChanged(now, agent, { used: 0, size: 0 })),
    stay(rest),
  );
  return andThen(emptied, (now) => ({ state: now, effects: saved(line) }));
}

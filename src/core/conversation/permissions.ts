// The permission requests of a turn: asked, answered by their own id, withdrawn, cancelled (SPEC section 8). Pure.
import type { Permission } from '../contract/shapes.ts';
import type { PermissionRequest } from '../ports.ts';
import { findTool, foldTool } from './parts.ts';
import type { ConversationEffect, ConversationState, Stepped, Turn } from './state.ts';
import { stay, andThen } from './told.ts';
import { grow } from './updates.ts';

export function askPermission(state: ConversationState, id: string, request: PermissionRequest): Stepped {
  if (!state.turn || state.turn.phase === 'cancelling') {
    return { state, effects: [{ type: 'answerPermission', id, outcome: { type: 'cancelled' } }] };
  }
  const { agent } = state.turn;
  const known = findTool(state.turn.answer.parts, request.toolCallId);
  const patch = { ...(known ? {} : { status: 'pending' }), ...request.patch };
  const grown = grow(state, agent, (parts) => foldTool(parts, request.toolCallId, patch));
  return andThen(grown, (now) => addPermission(now, id, request));
}

function addPermission(state: ConversationState, id: string, request: PermissionRequest): Stepped {
  const { turn } = state;
  const toolCall = turn && findTool(turn.answer.parts, request.toolCallId);
  if (!turn || !toolCall) return stay(state);
  const permission: Permission = {
    id,
    channel: state.conversation.id,
    agent: turn.agent,
    messageId: turn.answer.id,
    toolCall,
    options: [...request.options],
    rejections: turn.rejected.length,
  };
  const next = { ...state, turn: { ...turn, permissions: [...turn.permissions, permission] } };
  return {
    state: next,
    effects: [
      { type: 'draw', message: turn.answer },
      { type: 'tell', event: { name: 'permission:requested', payload: permission } },
    ],
  };
}

export function answerPermission(state: ConversationState, id: string, optionId: string): Stepped {
  const permission = state.turn?.permissions.find((one) => one.id === id);
  const option = permission?.options.find((one) => one.optionId === optionId);
  if (!state.turn || !permission || !option) return stay(state);
  const refused = option.kind.startsWith('reject');
  const rejected = refused ? [...state.turn.rejected, permission.toolCall.id] : state.turn.rejected;
  const answered: Stepped = {
    state: { ...state, turn: { ...state.turn, rejected } },
    effects: [{ type: 'answerPermission', id, outcome: { type: 'selected', optionId } }],
  };
  return andThen(answered, (now) => resolvePermission(now, id));
}

export function resolvePermission(state: ConversationState, id: string): Stepped {
  const { turn } = state;
  if (!turn?.permissions.some((one) => one.id === id)) return stay(state);
  const permissions = turn.permissions.filter((one) => one.id !== id);
  return {
    state: { ...state, turn: { ...turn, permissions } },
    effects: [resolved(id, state.conversation.id), { type: 'draw', message: turn.answer }],
  };
}

const resolved = (id: string, channel: string): ConversationEffect => ({
  type: 'tell',
  event: { name: 'permission:resolved', payload: { id, channel } },
});

export function cancelPermissions(turn: Turn): ConversationEffect[] {
  return turn.permissions.flatMap(({ id, channel }): ConversationEffect[] => [
    { type: 'answerPermission', id, outcome: { type: 'cancelled' } },
    resolved(id, channel),
  ]);
}

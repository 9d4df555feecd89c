// Reads the permission requests of an agent from the wire. Asks nobody.
import type { PermissionOption } from '../../core/contract/shapes.ts';
import type { PermissionRequest } from '../../core/ports.ts';
import { listOf, objectOf, textOf, type Json } from './json.ts';
import type { Session } from './session.ts';
import { readTool } from './tools.ts';

export function readPermission(session: Session, params: Json, requestId: unknown): PermissionRequest {
  const raw = objectOf(params['toolCall']);
  const toolCallId = textOf(raw['toolCallId']) || `request-${String(requestId)}`;
  return {
    toolCallId,
    patch: readTool(session, toolCallId, raw),
    options: listOf(params['options']).flatMap((one) => option(objectOf(one))),
  };
}

function option(one: Json): PermissionOption[] {
  const { optionId } = one;
  if (typeof optionId !== 'string') return [];
  return [{ optionId, name: textOf(one['name']) || optionId, kind: optionKind(textOf(one['kind'])) }];
}

/** A kind nobody knows must never be chosen for the person as the refusal of a request (`:Sidekicks ask`). */
function optionKind(kind: string): PermissionOption['kind'] {
  if (kind === 'allow_once' || kind === 'reject_once' || kind === 'reject_always') return kind;
  return /^(reject|deny|refuse)/.test(kind) ? 'reject_once' : 'allow_always';
}

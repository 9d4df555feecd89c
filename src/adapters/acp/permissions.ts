// The permission requests of one agent: each gets exactly one answer, also at cancel, stop and death (DESIGN invariant 4).
// Asks the listener; decides nothing.
import type { PermissionOption } from '../../core/contract/shapes.ts';
import type { AgentListener, Log, PermissionOutcome, PermissionRequest } from '../../core/ports.ts';
import { listOf, objectOf, textOf, type Json } from './json.ts';
import type { Session } from './session.ts';
import { readTool } from './tools.ts';

export class Permissions {
  readonly #listener: AgentListener;
  readonly #log: Log;
  readonly #open = new Set<{ readonly sessionId: string; readonly withdraw: () => void }>();

  constructor(listener: AgentListener, log: Log) {
    this.#listener = listener;
    this.#log = log;
  }

  /** `signal` is aborted when the agent takes the request back, or the connection ends. */
  ask(sessionId: string, request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    return new Promise((resolve) => {
      const withdrawn = new AbortController();
      const answer = (outcome: PermissionOutcome): void => {
        this.#open.delete(entry);
        signal.removeEventListener('abort', entry.withdraw);
        resolve(outcome); // a promise settles once: later answers do nothing
      };
      const withdraw = (): void => {
        answer({ type: 'cancelled' });
        withdrawn.abort();
      };
      const entry = { sessionId, withdraw };
      this.#open.add(entry);
      signal.addEventListener('abort', withdraw);
      this.#tell(() => this.#listener.permissionRequested(sessionId, request, answer, withdrawn.signal), withdraw);
    });
  }

  /** Answers `cancelled` to what is open, of one session or of all. */
  cancel(sessionId?: string): void {
    for (const one of [...this.#open]) if (sessionId === undefined || one.sessionId === sessionId) one.withdraw();
  }

  #tell(ask: () => void, withdraw: () => void): void {
    try {
      ask();
    } catch (cause) {
      this.#log.write('a permission request could not be shown', cause);
      withdraw();
    }
  }
}

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

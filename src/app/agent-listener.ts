// Where an agent's process is heard: what belongs to conversations goes to the desk, once there is one. Keeps nothing.
import { fail } from '../core/errors.ts';
import type { AgentListener } from '../core/ports.ts';

type OfDesk = 'updated' | 'permissionRequested' | 'questionAsked' | 'readFile' | 'writeFile';

/** Before anybody uses conversations, whatever an agent asks of one is refused. */
export function listenerFor(
  agent: string,
  desk: () => Pick<AgentListener, OfDesk> | undefined,
  own: Omit<AgentListener, OfDesk>,
): AgentListener {
  const unavailable = () => fail('unavailable', 'agent.gone', { agent });
  return {
    ...own,
    updated: (sessionId, update) => {
      desk()?.updated(sessionId, update);
    },
    permissionRequested: (sessionId, request, answer, withdrawn) => {
      const listener = desk();
      if (listener) listener.permissionRequested(sessionId, request, answer, withdrawn);
      else answer({ type: 'cancelled' });
    },
    questionAsked: (sessionId, request, answer, withdrawn) => {
      const listener = desk();
      if (listener) listener.questionAsked(sessionId, request, answer, withdrawn);
      else answer({ type: 'cancel' });
    },
    readFile: (sessionId, request) => desk()?.readFile(sessionId, request) ?? Promise.resolve(unavailable()),
    writeFile: (sessionId, path, content) =>
      desk()?.writeFile(sessionId, path, content) ?? Promise.resolve(unavailable()),
  };
}

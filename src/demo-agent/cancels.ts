// Owns: which prompts a cancel means: those that came before it on the wire. Must not: run or answer prompts.
import type { AnyMessage, JsonRpcId, Stream } from '@agentclientprotocol/sdk';

interface OpenPrompt {
  readonly sessionId: string;
  readonly controller: AbortController;
}

/**
 * The SDK starts handlers after a number of steps that depends on their place in its list, so a cancel and a prompt
 * that come in one piece may change places. Here they are seen in the order in which they were sent.
 */
export class Cancels {
  readonly #prompts = new Map<JsonRpcId, OpenPrompt>();

  /** The same stream, watched on its way in. */
  watch({ readable, writable }: Stream): Stream {
    const watched = new TransformStream<AnyMessage, AnyMessage>({
      transform: (message, controller) => {
        this.#see(message);
        controller.enqueue(message);
      },
    });
    return { readable: readable.pipeThrough(watched), writable };
  }

  /** The signal of a prompt that is about to run. */
  signalOf(requestId: JsonRpcId): AbortSignal {
    return this.#prompts.get(requestId)?.controller.signal ?? new AbortController().signal;
  }

  forget(requestId: JsonRpcId): void {
    this.#prompts.delete(requestId);
  }

  #see(message: AnyMessage): void {
    if (!('method' in message)) return;
    const sessionId = sessionIn(message.params);
    if (sessionId === undefined) return;
    if (message.method === 'session/prompt' && 'id' in message) {
      this.#prompts.set(message.id, { sessionId, controller: new AbortController() });
    } else if (message.method === 'session/cancel') {
      for (const prompt of this.#prompts.values()) if (prompt.sessionId === sessionId) prompt.controller.abort();
    }
  }
}

function sessionIn(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null || !('sessionId' in params)) return undefined;
  return typeof params.sessionId === 'string' ? params.sessionId : undefined;
}

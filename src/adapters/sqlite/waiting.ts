// Who waits for another run to stop answering a conversation. A run that was killed tells nobody, so while somebody waits, and
// only then, it is looked at now and then.

const lookMs = 500;

export interface Waiting {
  readonly whenFree: (conversation: string, free: () => void) => () => void;
  /** Something is known to have changed. */
  readonly look: () => void;
  close(): void;
}

/** `beforeFree` tells what the other run wrote: whoever goes on must know it. */
export function waitForClaims(claimedElsewhere: (conversation: string) => string, beforeFree: () => void): Waiting {
  const waiting = new Set<{ readonly conversation: string; readonly free: () => void }>();
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    for (const one of [...waiting]) {
      if (!waiting.has(one) || claimedElsewhere(one.conversation) !== '') continue;
      beforeFree();
      if (waiting.delete(one)) one.free();
    }
    if (waiting.size === 0) rest();
  };
  return {
    whenFree: (conversation, free) => {
      const one = { conversation, free };
      waiting.add(one);
      timer ??= setInterval(look, lookMs).unref();
      setImmediate(look);
      return () => {
        waiting.delete(one);
        if (waiting.size === 0) rest();
      };
    },
    look,
    close: () => {
      waiting.clear();
      rest();
    },
  };
}

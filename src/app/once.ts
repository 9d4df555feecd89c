// Things that are opened when first needed and then shared. Knows nothing of what they are.

export interface Once<T> {
  (): Promise<T>;
  /** Whether somebody has asked for it. */
  begun(): boolean;
  /** The next call makes another one. */
  forget(): void;
}

/** Runs `make` at the first call and gives the same promise ever after; what failed is tried again at the next call. */
export function once<T>(make: () => Promise<T>): Once<T> {
  let made: Promise<T> | undefined;
  const get = (): Promise<T> => {
    if (made) return made;
    const making = make().catch((cause: unknown) => {
      if (made === making) made = undefined;
      throw cause;
    });
    made = making;
    return making;
  };
  return Object.assign(get, {
    begun: () => made !== undefined,
    forget: () => {
      made = undefined;
    },
  });
}

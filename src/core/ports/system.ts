// Time, the log and the memory of this computer. Interfaces and plain data only.
export interface Clock {
  /** Whole milliseconds since 1970. */
  now(): number;
  /** Calls `action` once after `ms` milliseconds, unless cancelled by the function it gives. */
  after(ms: number, action: () => void): () => void;
}

export interface Log {
  /** One line in the host's log file; `cause` is added with its stack. */
  write(text: string, cause?: unknown): void;
}

/** `level` "" and 0, 0 where it cannot be measured; sizes in bytes (SPEC 4). */
export interface Memory {
  readonly level: '' | 'normal' | 'warning' | 'critical';
  readonly used: number;
  readonly total: number;
}

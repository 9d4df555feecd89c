// The host's log file: bounded, private, never standard output (DESIGN invariant 9). Decides nothing.
// One by one: all of them as one object would load the streams of files, which takes longer than the rest of this file.
import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import * as path from 'node:path';
import { inspect } from 'node:util';
import type { Log } from '../../core/ports.ts';

const maxBytes = 1 << 20;

/** One older file is kept beside it when it grows over 1 MB. A log that cannot be written must not stop the host. */
export function fileLog(file: string): Log {
  let usable = prepare(file);
  return {
    write(text, cause) {
      if (!usable) return;
      const line = `${new Date().toISOString()} ${text}${cause === undefined ? '' : ` ${inspect(cause)}`}\n`;
      try {
        appendFileSync(file, line, { mode: 0o600 });
      } catch {
        usable = false; // a full disk: there is no other place to say it
      }
    },
  };
}

function prepare(file: string): boolean {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    if (existsSync(file) && statSync(file).size > maxBytes) renameSync(file, `${file}.old`);
    return true;
  } catch {
    return false;
  }
}

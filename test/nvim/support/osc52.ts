// Owns reading OSC 52, the sequence that sets a terminal's clipboard, out of what was written to a terminal.

export interface ClipboardWrite {
  /** Which clipboard: `c` is the system's. */
  readonly selection: string;
  readonly text: string;
  /** The payload as sent, to check that it is one unbroken piece of base64. */
  readonly payload: string;
}

const ESCAPE = '\x1b';
const BELL = '\x07';
const OSC52 = new RegExp(`${ESCAPE}\\]52;([^;]*);([^${BELL}${ESCAPE}]*)(?:${BELL}|${ESCAPE}\\\\)`, 'g');

/** Every complete sequence, in order; questions for the clipboard's content (payload `?`) are left out. */
export function clipboardWrites(output: string): ClipboardWrite[] {
  return [...output.matchAll(OSC52)].flatMap(([, selection = '', payload = '']) => {
    if (payload === '?') return [];
    return [{ selection, payload, text: Buffer.from(payload, 'base64').toString('utf8') }];
  });
}

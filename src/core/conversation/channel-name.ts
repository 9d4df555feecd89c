// What may name a channel (SPEC section 5). Pure.
import { nameKey } from '../config/names.ts';
import type { Conversation } from '../contract/shapes.ts';
import { fail, ok, type Result } from '../errors.ts';

/** 1 to 64 characters, no control characters, not only blanks. */
const namePattern = /^(?=.*\S)[^\p{Cc}]{1,64}$/u;

/** The name as it is kept; `others` are the conversations of the same project, this one not among them. */
export function checkChannelName(written: string, others: readonly Conversation[]): Result<string> {
  const name = written.trim().normalize('NFC');
  if (!namePattern.test(name)) return fail('invalid', 'error.channelName', { name });
  const taken = others.find((one) => one.direct === '' && nameKey(one.name) === nameKey(name));
  return taken ? fail('exists', 'error.channelExists', { name: taken.name }) : ok(name);
}

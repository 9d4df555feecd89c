// A message as it stands in a row of the history.
import type { Message } from '../../core/contract/shapes.ts';

export const readMessage = (body: string): Message => JSON.parse(body) as Message;

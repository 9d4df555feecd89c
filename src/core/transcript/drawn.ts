// The drawn transcript as a value: what it holds and what drawing needs to know. No behaviour but small makers of blocks.
import type { Block, Message, Permission } from '../contract/shapes.ts';
import type { Language, TextKey, Values } from '../texts/index.ts';
import { word } from '../texts/index.ts';
import type { Role } from './roles.ts';

export interface TranscriptOptions {
  readonly language: Language;
  /** What stands in front of an agent's messages. */
  readonly speaker: (agent: string) => string;
  /** The time of day of a moment (milliseconds since 1970), as `HH:MM`. */
  readonly timeOfDay: (time: number) => string;
}

type DeepReadonly<T> = T extends (infer E)[] ? readonly DeepReadonly<E>[] : T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** A block that is never changed; `Block` is the same on the wire. */
export type DrawnBlock = DeepReadonly<Block>;

export type Mark = DrawnBlock['marks'][number];

/** Blocks that are drawn together: a header, a part, the end of a message. */
export type Piece = readonly DrawnBlock[];

export interface DrawnMessage<P = unknown> {
  readonly message: Message;
  readonly head: Piece;
  readonly parts: readonly P[];
  readonly end: Piece;
}

/** What drawing one message needs. */
export interface Context {
  readonly options: TranscriptOptions;
  readonly permissions: readonly Permission[];
}

export const say = ({ options }: Context, key: TextKey, values?: Values): string => word(options.language, key, values);

/** Marks whole rows with one role. */
export const wholeRows = (rows: readonly string[], role: Role, from = 0): readonly Mark[] =>
  rows.map((_row, index) => [from + index, 0, -1, role]);

export const gapBlock = (id: string, message: string): DrawnBlock => ({
  id,
  kind: 'gap',
  rows: [''],
  marks: [],
  open: false,
  message,
});

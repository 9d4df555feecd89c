// The drawn transcript as a value: what it holds and what drawing needs to know. No behaviour but small makers of blocks.
import type { Block, Permission } from '../contract/shapes.ts';
import type { Sequence } from '../markdown/index.ts';
import type { Language, TextKey, Values } from '../texts/index.ts';
import { word } from '../texts/index.ts';
import type { Role } from './roles.ts';

export interface TranscriptOptions {
  readonly language: Language;
  /** What stands in front of an agent's messages. */
  readonly speaker: (agent: string) => string;
  /** How that is drawn, where several agents speak; like any speaker otherwise. */
  readonly speakerRole?: (agent: string) => Role;
  /** The time of day of a moment (milliseconds since 1970), as `HH:MM`. */
  readonly timeOfDay: (time: number) => string;
}

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export type Mark = DeepReadonly<Block['marks'][number]>;

/** A block that is never changed; `Block` is the same on the wire. Its rows need not be an array: those of one that grows are not. */
export interface DrawnBlock extends DeepReadonly<Omit<Block, 'rows' | 'marks' | 'offsets'>> {
  readonly rows: readonly string[] | Sequence<string>;
  readonly marks: readonly Mark[] | Sequence<Mark>;
  readonly offsets?: readonly number[] | Sequence<number>;
}

/** Blocks that are drawn together: a header, a part, the end of a message. */
export type Piece = readonly DrawnBlock[];

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

// Keeps the conflicts between what agents wrote and what a person has not saved, until one is resolved (SPEC section 9).
import type { Conflict } from '../core/contract/shapes.ts';
import type { HostEvent } from '../core/contract/events.ts';
import { fail, ok, type Result } from '../core/errors.ts';
import type { TextKey } from '../core/texts/index.ts';
import type { TurnRef } from './running.ts';
import type { FileTexts } from './file-texts.ts';

export interface ConflictTexts {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

const noTexts: ConflictTexts = { base: '', mine: '', theirs: '' };

/** `onDisk`: no text could be given; what the agent wrote stands in the file, what the person has in the buffer. */
export interface KeptConflict extends Conflict, ConflictTexts {
  readonly onDisk: boolean;
}

export interface ConflictsOptions {
  readonly texts: FileTexts;
  readonly nextId: () => string;
  readonly tell: (event: HostEvent) => void;
  readonly word: (key: TextKey, values?: Readonly<Record<string, string>>) => string;
  /** What was chosen counts as written in the turn of the conflict. */
  readonly wrote: (turn: TurnRef, path: string, was: string | undefined, now: string) => void;
}

export class Conflicts {
  readonly #options: ConflictsOptions;
  readonly #kept = new Map<string, KeptConflict>();

  constructor(options: ConflictsOptions) {
    this.#options = options;
  }

  /** The buffer was not touched: both texts are kept, and the person hears of it once. */
  add(turn: TurnRef, path: string, texts: ConflictTexts): void {
    this.#add(turn, path, { ...texts, onDisk: false }, 'changes.conflict');
  }

  /** The same where neither text can be given: nothing can be merged, nor kept here. */
  addOnDisk(turn: TurnRef, path: string): void {
    this.#add(turn, path, { ...noTexts, onDisk: true }, 'changes.conflictOnDisk');
  }

  /** A later write of the agent went in: what it wanted before is no longer wanted. */
  settle(agent: string, path: string): void {
    this.#forget(this.#of(agent, path));
  }

  /** The buffer was read or written: what stood against it on disk is in it, or gone. */
  settleOnDisk(path: string): void {
    for (const known of this.on(path)) if (known.onDisk) this.#forget(known);
  }

  on(path: string): readonly KeptConflict[] {
    return [...this.#kept.values()].filter((one) => one.path === path);
  }

  list(channel: string | undefined): Conflict[] {
    const here = [...this.#kept.values()].filter((one) => channel === undefined || one.channel === channel);
    return here.map(({ id, channel: of, agent, messageId, path }) => ({ id, channel: of, agent, messageId, path }));
  }

  get(id: string): Result<KeptConflict> {
    const known = this.#kept.get(id);
    return known ? ok(known) : fail('not-found', 'changes.unknownConflict');
  }

  /** Where texts are not known, the editor has put into the buffer what was chosen. */
  async resolve(
    id: string,
    choice: 'mine' | 'theirs' | 'edited',
    text: string | undefined,
  ): Promise<Result<undefined>> {
    const known = this.get(id);
    if (!known.ok) return known;
    if (choice !== 'mine' && !known.value.onDisk) {
      const put = await this.#put(known.value, choice === 'theirs' ? known.value.theirs : text);
      if (!put.ok) return put;
    }
    this.#forget(known.value);
    return ok(undefined);
  }

  async #put(known: KeptConflict, wanted: string | undefined): Promise<Result<undefined>> {
    if (wanted === undefined) return fail('invalid', 'changes.noText');
    const { texts, wrote } = this.#options;
    const done = await texts.alone(known.path, () =>
      texts.change(known.path, (current) => ok({ text: wanted, value: current.text })),
    );
    if (!done.ok) return done;
    wrote(known, known.path, done.value, wanted);
    return ok(undefined);
  }

  #add(turn: TurnRef, path: string, kept: ConflictTexts & { readonly onDisk: boolean }, key: TextKey): void {
    const known = this.#of(turn.agent, path);
    if (known?.onDisk && kept.onDisk) return;
    const id = known?.id ?? this.#options.nextId();
    const { messageId, channel, agent } = turn;
    this.#kept.set(id, { id, messageId, channel, agent, path, ...kept });
    this.#changed(channel);
    if (known) return;
    const message = this.#options.word(key, { agent, path });
    this.#options.tell({ name: 'host:notice', payload: { level: 'warn', message } });
  }

  #of(agent: string, path: string): KeptConflict | undefined {
    return this.on(path).find((one) => one.agent === agent);
  }

  #forget(known: KeptConflict | undefined): void {
    if (!known) return;
    this.#kept.delete(known.id);
    this.#changed(known.channel);
  }

  #changed(channel: string): void {
    this.#options.tell({ name: 'changes:changed', payload: { channel } });
  }
}

// A list that grows at its end without being copied, as a value: nobody sees what was added to a later version.

/** What a list and an array have in common. */
export interface Sequence<T> {
  readonly length: number;
  at(index: number): T | undefined;
  slice(from?: number, to?: number): T[];
}

export class List<T> implements Sequence<T> {
  readonly length: number;
  /** Shared by all versions; each looks only at its own length. */
  readonly #items: T[];

  private constructor(items: T[], length: number) {
    this.#items = items;
    this.length = length;
  }

  static empty<T>(): List<T> {
    return new List<T>([], 0);
  }

  /** Copies only where another version was added to first. */
  append(added: readonly T[]): List<T> {
    if (added.length === 0) return this;
    const items = this.#items.length === this.length ? this.#items : this.#items.slice(0, this.length);
    for (const item of added) items.push(item);
    return new List(items, items.length);
  }

  at(index: number): T | undefined {
    const place = index < 0 ? this.length + index : index;
    return place < this.length ? this.#items[place] : undefined;
  }

  slice(from = 0, to = this.length): T[] {
    return this.#items.slice(from, Math.min(to, this.length));
  }
}

/** A list with something after it that is not added to it. Indexes are not negative but in `at(-1)`. */
export function followedBy<T>(list: Sequence<T>, after: readonly T[]): Sequence<T> {
  const { length } = list;
  const total = length + after.length;
  return {
    length: total,
    at(index) {
      const place = index < 0 ? total + index : index;
      return place < length ? list.at(place) : after[place - length];
    },
    slice(from = 0, to = total) {
      if (from >= length) return after.slice(from - length, to - length);
      return [...list.slice(from, to), ...after.slice(0, Math.max(0, to - length))];
    },
  };
}

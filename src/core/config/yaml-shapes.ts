// YAML as a tree of mappings, lists and texts that knows its places. Data only.

interface Tagged {
  /** One of the tags the reader allows, `!` and all. */
  readonly tag?: string;
}

export interface MapTree extends Tagged {
  readonly kind: 'map';
  readonly at: number;
  readonly entries: readonly Entry[];
}

export interface ListTree extends Tagged {
  readonly kind: 'list';
  readonly at: number;
  readonly items: readonly Tree[];
}

/** A scalar as it was written, quotes and folding undone. `plain`: without quotes. `end` is where its source ends. */
export interface TextTree extends Tagged {
  readonly kind: 'text';
  readonly at: number;
  readonly end: number;
  readonly text: string;
  readonly plain: boolean;
}

export type Tree = MapTree | ListTree | TextTree;

export interface Entry {
  /** In normal form C, so that a name is one name however it was typed. */
  readonly key: string;
  readonly keyAt: number;
  readonly value: Tree;
}

// What the parts of the configuration are resolved with: looking into the tree, replacing variables, noting what is wrong.
import type { Language } from '../texts/index.ts';
import { findEntry, isNull } from './check.ts';
import { expand, type Surroundings } from './expand.ts';
import type { Finding } from './findings.ts';
import type { Entry, Tree } from './yaml-shapes.ts';

export interface Setting extends Surroundings {
  /** The folder of the file, absolute. */
  readonly folder: string;
  /** Of a file that names none. */
  readonly language: Language;
  /** In which the problems of a broken file that names none are worded: the one in force, where that is another. */
  readonly shown?: Language;
}

export interface Resolving {
  readonly source: string;
  readonly setting: Setting;
  readonly findings: Finding[];
}

// ---- looking into the tree; a value that is not there is undefined ----

export const valueAt = (tree: Tree | undefined, ...keys: readonly string[]): Tree | undefined =>
  keys.reduce<Tree | undefined>((value, key) => value && findEntry(value, key)?.value, tree);

export const entriesOf = (tree: Tree | undefined): readonly Entry[] => (tree?.kind === 'map' ? tree.entries : []);
export const itemsOf = (tree: Tree | undefined): readonly Tree[] => (tree?.kind === 'list' ? tree.items : []);

export function textOf(tree: Tree | undefined): string {
  if (tree?.kind !== 'text') return '';
  return tree.plain && isNull(tree.text) ? '' : tree.text;
}

export const rawText = (tree: Tree): string => (tree.kind === 'text' ? tree.text : '');

/** The first of `values` is the default. */
export function chosen<T extends string>(tree: Tree | undefined, values: readonly [T, ...T[]]): T {
  const text = textOf(tree);
  return values.find((value) => value === text) ?? values[0];
}

export function expanded(resolving: Resolving, tree: Tree | undefined): string {
  if (tree?.kind !== 'text') return '';
  const { text, findings } = expand(resolving.source, tree, resolving.setting);
  resolving.findings.push(...findings);
  return text;
}

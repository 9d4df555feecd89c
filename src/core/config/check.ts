// Holds a tree of the configuration against its JSON Schema and says what does not fit, and where. Resolves nothing.
import { validate } from '../../generated/config-validator.js';
import type { TextKey } from '../texts/index.ts';
import type { Finding, Said } from './findings.ts';
import { schema, type Schema } from './schema.ts';
import type { Entry, Tree } from './yaml-shapes.ts';

/** What of an ajv error is used here. */
interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly propertyName?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Enough for every place a person can look at; a file of nothing but unknown keys would take long to explain. */
const maxErrors = 300;

export function checkTree(tree: Tree): readonly Finding[] {
  if (validate(toPlain(tree, schema))) return [];
  return (validate.errors ?? []).slice(0, maxErrors).flatMap((error) => explain(tree, error));
}

// ---- what a tree means, by what is wanted in each place ----

/** As JSON would have it; `fromEntries` makes `__proto__` a key like any other. */
export function toPlain(tree: Tree, wanted: Schema | undefined): unknown {
  if (tree.kind === 'list') return tree.items.map((item) => toPlain(item, wanted?.items));
  if (tree.kind === 'text') return plainText(tree.text, tree.plain, wanted?.type ?? []);
  return Object.fromEntries(tree.entries.map(({ key, value }) => [key, toPlain(value, schemaOf(wanted, key))]));
}

function schemaOf(wanted: Schema | undefined, key: string): Schema | undefined {
  const { properties, additionalProperties } = wanted ?? {};
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** `types`: one, or a list; either way `includes` tells whether one of them is wanted, as no type's name is part of another's. */
function plainText(text: string, isPlain: boolean, types: string | readonly string[]): unknown {
  if (!isPlain) return text;
  if (text === '') return types.includes('object') ? {} : types.includes('array') ? [] : null;
  if (isNull(text) && types.includes('null')) return null;
  return types.includes('string') ? text : coreValue(text);
}

export const isNull = (text: string): boolean => text === 'null' || text === 'Null' || text === 'NULL';

/** The scalars of YAML 1.2's core schema. */
function coreValue(text: string): unknown {
  if (/^(null|Null|NULL|~)$/.test(text)) return null;
  if (/^(true|True|TRUE|false|False|FALSE)$/.test(text)) return text.toLowerCase() === 'true';
  if (/^(0x[0-9a-fA-F]+|0o[0-7]+)$/.test(text)) return Number(text);
  return /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(text) ? Number(text) : text;
}

// ---- what an error of the schema says to a person ----

interface Spot {
  /** The last key on the way, "" at the root. */
  readonly key: string;
  readonly keyAt: number;
  readonly tree: Tree;
  readonly wanted: Schema | undefined;
  readonly inList: boolean;
}

function explain(root: Tree, error: SchemaError): readonly Finding[] {
  const spot = findSpot(root, error.instancePath);
  switch (error.keyword) {
    case 'additionalProperties':
      return [unknownKey(spot, String(error.params['additionalProperty']))];
    case 'required':
      return [{ at: spot.keyAt, text: 'config.missingKey', values: { key: String(error.params['missingProperty']) } }];
    case 'propertyNames':
      return [badName(spot, String(error.params['propertyName']))];
    default:
      // The error of the name itself comes again as `propertyNames`, with its place.
      return error.propertyName === undefined ? [wrongValue(spot)] : [];
  }
}

function findSpot(root: Tree, path: string): Spot {
  let spot: Spot = { key: '', keyAt: root.at, tree: root, wanted: schema, inList: false };
  for (const step of path.split('/').slice(1)) spot = stepInto(spot, step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return spot;
}

function stepInto(spot: Spot, step: string): Spot {
  const { tree, wanted } = spot;
  if (tree.kind === 'list') {
    const item = tree.items[Number(step)];
    return item ? { ...spot, keyAt: item.at, tree: item, wanted: wanted?.items, inList: true } : spot;
  }
  const entry = findEntry(tree, step);
  if (!entry) return spot;
  return { key: step, keyAt: entry.keyAt, tree: entry.value, wanted: schemaOf(wanted, step), inList: false };
}

export const findEntry = (tree: Tree, key: string): Entry | undefined =>
  tree.kind === 'map' ? tree.entries.find((entry) => entry.key === key) : undefined;

function unknownKey(spot: Spot, key: string): Finding {
  const at = findEntry(spot.tree, key)?.keyAt ?? spot.keyAt;
  return { at, text: 'config.unknownKey', values: { key, allowed: keysOf(spot.wanted) } };
}

const keysOf = (wanted: Schema | undefined): string => Object.keys(wanted?.properties ?? {}).join(', ');

function badName(spot: Spot, name: string): Finding {
  const at = findEntry(spot.tree, name)?.keyAt ?? spot.keyAt;
  return { at, text: spot.wanted?.propertyNames?.$comment ?? 'config.yaml.key', values: { name } };
}

function wrongValue(spot: Spot): Finding {
  const what = expected(spot.wanted);
  if (spot.key === '') return { at: spot.tree.at, text: 'config.wrongFile', values: { what } };
  const text: TextKey = spot.inList ? 'config.wrongItem' : 'config.wrongValue';
  return { at: spot.tree.at, text, values: { key: spot.key, what } };
}

const expected = (wanted: Schema | undefined): Said => ({
  text: wanted?.$comment ?? 'config.expected.text',
  values: { allowed: keysOf(wanted), values: wanted?.enum?.join(', ') ?? '' },
});

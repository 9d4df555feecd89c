// The fields of an agent's form (ACP `elicitation/create`), read once from what the agent sent; nothing else of it is kept. Pure.
// A schema is hostile until read: anything it holds that is not named here is dropped or refuses the form.
import { fail, ok, type Result } from '../errors.ts';
import { isRecord, linesOf, listOf, rowOf, textOf } from './read.ts';

export interface Choice {
  /** Goes back to the agent exactly as it came. */
  readonly value: string;
  readonly title: string;
  readonly description: string;
}

interface Named {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
}

export const formats = ['email', 'uri', 'date', 'date-time'] as const;
export type Format = (typeof formats)[number];

export type TextField = Named & {
  readonly kind: 'text';
  readonly format?: Format;
  /** In code points. */
  readonly least?: number;
  readonly most?: number;
  /** Shown, and left to the agent to check: an expression of a stranger can take for ever. */
  readonly pattern?: string;
  readonly preset?: string;
};
export type NumberField = Named & {
  readonly kind: 'number' | 'integer';
  readonly least?: number;
  readonly most?: number;
  readonly preset?: number;
};
export type BooleanField = Named & { readonly kind: 'boolean'; readonly preset?: boolean };
export type OneField = Named & { readonly kind: 'one'; readonly choices: readonly Choice[]; readonly preset?: string };
export type ManyField = Named & {
  readonly kind: 'many';
  readonly choices: readonly Choice[];
  readonly least?: number;
  readonly most?: number;
  readonly preset?: readonly string[];
};
export type Field = TextField | NumberField | BooleanField | OneField | ManyField;

/** More than these no person can be asked for. */
export const limits = { fields: 50, choices: 200, name: 200, value: 10_000 } as const;

const empty: Readonly<Record<string, unknown>> = {};

/** The fields in the order in which the agent names them. */
export function readFields(schema: unknown): Result<readonly Field[]> {
  if (!isRecord(schema) || (schema['type'] !== undefined && schema['type'] !== 'object')) {
    return fail('invalid', 'question.noForm');
  }
  const properties = schema['properties'] ?? empty;
  if (!isRecord(properties)) return fail('invalid', 'question.noForm');
  const names = Object.keys(properties);
  if (names.length > limits.fields) return fail('invalid', 'question.tooManyFields', { limit: limits.fields });
  const required = new Set(listOf(schema['required']));
  const fields: Field[] = [];
  for (const name of names) {
    const field = readField(name, properties[name], required.has(name));
    if (!field.ok) return field;
    fields.push(field.value);
  }
  return ok(fields);
}

/** A name is a key of the answer, and is shown where a field has no title. */
const isName = (name: string): boolean =>
  name !== '' && name !== '__proto__' && name.length <= limits.name && rowOf(name) === name && name.trim() === name;

function readField(name: string, schema: unknown, required: boolean): Result<Field> {
  if (!isName(name)) return fail('invalid', 'question.badName', { field: rowOf(name.slice(0, limits.name)) });
  if (!isRecord(schema)) return fail('invalid', 'question.unknownType', { field: name });
  const title = rowOf(textOf(schema['title'])) || name;
  const named: Named = { name, title, description: linesOf(textOf(schema['description'])), required };
  switch (schema['type']) {
    case 'string':
      return schema['enum'] == null && schema['oneOf'] == null ? ok(textField(named, schema)) : oneField(named, schema);
    case 'number':
    case 'integer':
      return ok(numberField(named, schema['type'], schema));
    case 'boolean':
      return ok({ ...named, kind: 'boolean', ...given('preset', booleanOf(schema['default'])) });
    case 'array':
      return manyField(named, schema);
    default:
      return fail('invalid', 'question.unknownType', { field: name });
  }
}

type Schema = Readonly<Record<string, unknown>>;

function textField(named: Named, schema: Schema): TextField {
  const { default: preset } = schema;
  return {
    ...named,
    kind: 'text',
    ...given(
      'format',
      formats.find((format) => format === schema['format']),
    ),
    ...given('least', countOf(schema['minLength'])),
    ...given('most', countOf(schema['maxLength'])),
    ...given('pattern', rowOf(textOf(schema['pattern'])) || undefined),
    ...given('preset', typeof preset === 'string' && preset.length <= limits.value ? preset : undefined),
  };
}

function numberField(named: Named, kind: NumberField['kind'], schema: Schema): NumberField {
  return {
    ...named,
    kind,
    ...given('least', numberOf(schema['minimum'])),
    ...given('most', numberOf(schema['maximum'])),
    ...given('preset', numberOf(schema['default'])),
  };
}

function oneField(named: Named, schema: Schema): Result<OneField> {
  const choices = readChoices(named.name, schema['oneOf'] ?? schema['enum']);
  if (!choices.ok) return choices;
  const preset = choices.value.find(({ value }) => value === schema['default'])?.value;
  return ok({ ...named, kind: 'one', choices: choices.value, ...given('preset', preset) });
}

function manyField(named: Named, schema: Schema): Result<ManyField> {
  const items = isRecord(schema['items']) ? schema['items'] : empty;
  const choices = readChoices(named.name, items['anyOf'] ?? items['enum']);
  if (!choices.ok) return choices;
  const chosen = listOf(schema['default']);
  const preset = choices.value.map(({ value }) => value).filter((value) => chosen.includes(value));
  return ok({
    ...named,
    kind: 'many',
    choices: choices.value,
    ...given('least', countOf(schema['minItems'])),
    ...given('most', countOf(schema['maxItems'])),
    ...given('preset', preset.length > 0 ? preset : undefined),
  });
}

function readChoices(field: string, list: unknown): Result<readonly Choice[]> {
  const raw = listOf(list);
  if (raw.length > limits.choices) return fail('invalid', 'question.tooManyChoices', { field, limit: limits.choices });
  const choices = new Map<string, Choice>();
  for (const one of raw) {
    const value = isRecord(one) ? one['const'] : one;
    if (typeof value !== 'string' || value.length > limits.value || choices.has(value)) continue;
    const titled = isRecord(one) ? one : empty;
    const title = rowOf(textOf(titled['title'])) || rowOf(value);
    choices.set(value, { value, title, description: rowOf(textOf(titled['description'])) });
  }
  return choices.size > 0 ? ok([...choices.values()]) : fail('invalid', 'question.noChoices', { field });
}

/** The form as JSON Schema again, made of what was read alone. */
export function schemaOf(fields: readonly Field[]): Readonly<Record<string, unknown>> {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
}

function propertyOf(field: Field): Schema {
  const named = { title: field.title, ...given('description', field.description || undefined) };
  const preset = given('default', field.preset);
  switch (field.kind) {
    case 'text': {
      const lengths = { ...given('minLength', field.least), ...given('maxLength', field.most) };
      return { type: 'string', ...named, ...lengths, ...given('format', field.format), ...preset };
    }
    case 'number':
    case 'integer':
      return {
        type: field.kind,
        ...named,
        ...given('minimum', field.least),
        ...given('maximum', field.most),
        ...preset,
      };
    case 'boolean':
      return { type: 'boolean', ...named, ...preset };
    case 'one':
      return { type: 'string', ...named, ...(enumOf(field.choices) ?? { oneOf: titled(field.choices) }), ...preset };
    case 'many': {
      const counts = { ...given('minItems', field.least), ...given('maxItems', field.most) };
      const plain = enumOf(field.choices);
      const items = plain ? { type: 'string', ...plain } : { anyOf: titled(field.choices) };
      return { type: 'array', ...named, items, ...counts, ...preset };
    }
  }
}

/** Values that say themselves what they are. */
const enumOf = (choices: readonly Choice[]): Schema | undefined =>
  choices.every(({ value, title, description }) => title === value && description === '')
    ? { enum: choices.map(({ value }) => value) }
    : undefined;

const titled = (choices: readonly Choice[]): readonly Schema[] =>
  choices.map(({ value, title, description }) => ({
    const: value,
    title,
    ...given('description', description || undefined),
  }));

// ---- values that may be missing ----

function given<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  const made: Partial<Record<K, V>> = {};
  if (value !== undefined) made[key] = value;
  return made;
}

const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
const booleanOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

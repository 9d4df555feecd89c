// What a form accepts: each kind of field, its limits, its words; and nothing an agent's schema holds can hurt.
import { describe, expect, test } from 'vitest';
import { checkContent, readTyped, type Content } from '../../../src/core/question/content.ts';
import { readFields, schemaOf, type Field } from '../../../src/core/question/fields.ts';
import { answerShown, fieldShown } from '../../../src/core/question/shown.ts';
import { wordFailure } from '../../../src/core/texts/index.ts';

function fieldsOf(properties: object, required: readonly string[] = []): readonly Field[] {
  const fields = readFields({ type: 'object', properties, required });
  if (!fields.ok) throw new Error(wordFailure('en', fields.error));
  return fields.value;
}

const check = (fields: readonly Field[], content: unknown): unknown => {
  const checked = checkContent(fields, content);
  return checked.ok ? checked.value : `${checked.error.code}: ${wordFailure('en', checked.error)}`;
};

const one = (schema: object, value: unknown): unknown => {
  const checked = check(fieldsOf({ a: schema }), { a: value });
  return typeof checked === 'object' ? Object.values(checked ?? {})[0] : checked;
};

const titled = [
  { const: 'r', title: 'Red' },
  { const: 'g', title: 'Green' },
  { const: 'b', title: 'Blue' },
];

describe('one field', () => {
  test.each<[string, object, unknown, unknown]>([
    ['a text', { type: 'string' }, 'é\nx', 'é\nx'],
    ['no text', { type: 'string' }, 5, 'invalid: a: not a text'],
    ['as short as allowed, counted in characters', { type: 'string', minLength: 2 }, '𝒳𝒴', '𝒳𝒴'],
    ['too short', { type: 'string', minLength: 2 }, '𝒳', 'invalid: a: at least 2 character(s)'],
    ['too long', { type: 'string', maxLength: 2 }, 'abc', 'invalid: a: at most 2 character(s)'],
    ['longer than anybody types', { type: 'string' }, 'x'.repeat(10_001), 'invalid: a: at most 10000 character(s)'],
    ['an e-mail address', { type: 'string', format: 'email' }, 'a@b.c', 'a@b.c'],
    ['none', { type: 'string', format: 'email' }, 'a b@c', 'invalid: a: not an e-mail address'],
    ['a URI', { type: 'string', format: 'uri' }, 'mailto:x', 'mailto:x'],
    ['none', { type: 'string', format: 'uri' }, 'x', 'invalid: a: not a URI'],
    ['a leap day', { type: 'string', format: 'date' }, '2028-02-29', '2028-02-29'],
    ['none', { type: 'string', format: 'date' }, '2026-02-29', 'invalid: a: not a date such as 2026-03-09'],
    ['a time', { type: 'string', format: 'date-time' }, '2026-03-09T14:30:00.5+01:00', '2026-03-09T14:30:00.5+01:00'],
    [
      'none',
      { type: 'string', format: 'date-time' },
      '2026-03-09 14:30',
      'invalid: a: not a time such as 2026-03-09T14:30:00Z',
    ],
    ['an unknown format', { type: 'string', format: 'color' }, 'red', 'red'],
    [
      'a pattern, which the agent checks',
      { type: 'string', pattern: '^(a+)+$' },
      `${'a'.repeat(50)}!`,
      `${'a'.repeat(50)}!`,
    ],
    ['a number', { type: 'number', minimum: 0, maximum: 1 }, 0.5, 0.5],
    ['too small', { type: 'number', minimum: 0 }, -1, 'invalid: a: at least 0'],
    ['too big', { type: 'number', maximum: 1 }, 2, 'invalid: a: at most 1'],
    ['endless', { type: 'number' }, Infinity, 'invalid: a: not a number'],
    ['a whole number', { type: 'integer' }, -3, -3],
    ['half', { type: 'integer' }, 0.5, 'invalid: a: not a whole number'],
    ['digits in a text', { type: 'integer' }, '3', 'invalid: a: not a number'],
    ['no', { type: 'boolean' }, false, false],
    ['"no"', { type: 'boolean' }, 'no', 'invalid: a: neither true nor false'],
    ['a choice', { type: 'string', enum: ['x', 'y'] }, 'y', 'y'],
    ['no choice', { type: 'string', enum: ['x', 'y'] }, 'X', 'invalid: a: not among the choices'],
    ['a titled choice', { type: 'string', oneOf: titled }, 'g', 'g'],
    ['its title', { type: 'string', oneOf: titled }, 'Green', 'invalid: a: not among the choices'],
    ['some choices, in their order', { type: 'array', items: { anyOf: titled } }, ['b', 'r'], ['r', 'b']],
    ['none of them', { type: 'array', items: { type: 'string', enum: ['x'] } }, [], []],
    ['twice the same', { type: 'array', items: { enum: ['x'] } }, ['x', 'x'], 'invalid: a: not among the choices'],
    ['too few', { type: 'array', items: { anyOf: titled }, minItems: 2 }, ['r'], 'invalid: a: choose at least 2'],
    ['too many', { type: 'array', items: { anyOf: titled }, maxItems: 1 }, ['r', 'g'], 'invalid: a: choose at most 1'],
  ])('%s', (_what, schema, value, expected) => {
    expect(one(schema, value)).toEqual(expected);
  });
});

describe('a whole answer', () => {
  const fields = fieldsOf({ a: { type: 'string', title: 'Name' }, b: { type: 'integer', default: 3 } }, ['a']);

  test('a field that is required and missing is named by its title', () => {
    expect(check(fields, { b: 1 })).toBe('invalid: Name: an answer is needed');
    expect(check(fields, undefined)).toBe('invalid: Name: an answer is needed');
  });
  test('what may be left out is left out, also where it has a default', () => {
    expect(check(fields, { a: 'x' })).toEqual({ a: 'x' });
    expect(check(fields, { a: 'x', b: null })).toEqual({ a: 'x' });
  });
  test('a required field falls back to its default', () => {
    expect(check(fieldsOf({ b: { type: 'integer', default: 3 } }, ['b']), {})).toEqual({ b: 3 });
  });
  test('a field nobody asked for is named', () => {
    expect(check(fields, { a: 'x', c: 1 })).toBe('invalid: the question has no field c');
    expect(check(fields, { a: 'x', constructor: 1 })).toBe('invalid: the question has no field constructor');
  });
  test('an empty table of Lua is an empty answer; a list, a text are none', () => {
    expect(check([], [])).toEqual({});
    expect(check([], ['x'])).toBe('invalid: the answer is no table of fields');
    expect(check([], 'x')).toBe('invalid: the answer is no table of fields');
  });
  test('fields named like parts of every object are fields like others', () => {
    const odd = fieldsOf({ constructor: { type: 'string' }, toString: { type: 'string' } }, ['constructor']);
    expect(check(odd, {})).toBe('invalid: constructor: an answer is needed');
    expect(check(odd, { constructor: 'c' })).toEqual({ constructor: 'c' });
  });
});

describe('what was typed', () => {
  const typed = (schema: object, value: unknown, required = false): unknown => {
    const [field] = fieldsOf({ a: schema }, required ? ['a'] : []);
    if (!field) throw new Error('no field');
    const read = readTyped(field, value);
    return read.ok ? read.value : wordFailure('en', read.error);
  };

  test.each<[object, unknown, unknown]>([
    [{ type: 'integer' }, ' 42 ', 42],
    [{ type: 'number' }, '1,5', 1.5],
    [{ type: 'number' }, 'much', 'a: not a number'],
    [{ type: 'integer' }, '', undefined],
    [{ type: 'string' }, '', undefined],
    [{ type: 'string' }, ' x ', ' x '],
    [{ type: 'boolean' }, false, false],
    [{ type: 'string', enum: ['', 'x'] }, '', ''],
  ])('%j: %j', (schema, value, expected) => {
    expect(typed(schema, value)).toEqual(expected);
  });
  test('nothing, where an answer is needed', () => {
    expect(typed({ type: 'string' }, '', true)).toBe('a: an answer is needed');
    expect(typed({ type: 'boolean' }, undefined, true)).toBe('a: an answer is needed');
  });
});

test('the schema that events tell holds what was read, and reads the same again', () => {
  const fields = fieldsOf(
    {
      t: { type: 'string', title: 'T', description: 'd', minLength: 1, maxLength: 9, format: 'email', default: 'x@y' },
      n: { type: 'number', minimum: 0, maximum: 2, default: 1 },
      i: { type: 'integer', minimum: -1 },
      b: { type: 'boolean', default: true },
      o: { type: 'string', oneOf: titled, default: 'g', $ref: '#', extra: { deep: true } },
      m: { type: 'array', items: { anyOf: titled }, minItems: 1, maxItems: 2, default: ['b', 'no'] },
    },
    ['t', 'm'],
  );
  const schema = schemaOf(fields);
  expect(readFields(schema)).toEqual({ ok: true, value: fields });
  expect(JSON.stringify(schema)).not.toMatch(/\$ref|extra|"no"/);
});

test('choices that say themselves what they are stay a plain list, in the schema that is told', () => {
  const plain = {
    one: { type: 'string', title: 'One', enum: ['x', 'y'] },
    many: { type: 'array', title: 'Many', items: { type: 'string', enum: ['x', 'y'] } },
  };
  expect(schemaOf(fieldsOf(plain))).toMatchObject({ properties: plain });
});

test('choices with the same value are one; a default that fits nothing is none', () => {
  const [field] = fieldsOf({ a: { type: 'string', enum: ['x', 'x', 5, 'y'], default: 'z' } });
  expect(field).toMatchObject({ choices: [{ value: 'x' }, { value: 'y' }] });
  expect(field).not.toHaveProperty('preset');
});

test('a field says what it accepts, in both languages', () => {
  const [text, number, many, yes] = fieldsOf({
    a: { type: 'string', format: 'date', minLength: 10 },
    n: { type: 'integer', minimum: 1, maximum: 3, default: 2 },
    m: { type: 'array', items: { anyOf: titled }, maxItems: 2 },
    y: { type: 'boolean', default: false },
  });
  if (!text || !number || !many || !yes) throw new Error('four fields');
  expect(fieldShown('en', text).hint).toBe('a date: 2026-03-09 · at least 10 character(s)');
  expect(fieldShown('fr', text).hint).toBe('une date\u00a0: 2026-03-09 · au moins 10 caractère(s)');
  expect(fieldShown('en', number)).toMatchObject({ hint: 'a whole number · from 1 · up to 3', preset: '2' });
  expect(fieldShown('fr', many).hint).toBe('au plus 2');
  expect(fieldShown('fr', yes).choices.map(({ title }) => title)).toEqual(['oui', 'non']);
  expect(fieldShown('en', yes).preset).toBe(false);
  const free = fieldsOf({ f: { type: 'string' }, p: { type: 'string', pattern: '^x' } });
  expect([...free, text, number].map((field) => fieldShown('en', field).lines)).toEqual([true, false, false, false]);
});

test('an answer is shown by titles, one line a field', () => {
  const fields = fieldsOf({
    o: { type: 'string', title: 'Colour', oneOf: titled },
    m: { type: 'array', items: { anyOf: titled } },
    t: { type: 'string', title: 'Why?' },
    y: { type: 'boolean' },
  });
  const content: Content = { o: 'g', m: ['r', 'b'], t: 'two\nlines', y: false };
  expect(answerShown(fields, content)).toBe('Colour: Green\nm: Red, Blue\nWhy? two ↵ lines\ny: ✗');
});

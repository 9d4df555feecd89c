// Checks what a person answers to the form of an agent, field by field, before the agent gets it. Pure.
import { fail, ok, type Failure, type Result } from '../errors.ts';
import { limits, type Field, type Format, type ManyField, type NumberField, type TextField } from './fields.ts';
import { isRecord } from './read.ts';

export type Value = string | number | boolean | readonly string[];
export type Content = Readonly<Record<string, Value>>;

/** The answer as the agent gets it; wrong content is `invalid` and names the field. */
export function checkContent(fields: readonly Field[], content: unknown): Result<Content> {
  // An empty table of Lua is an empty list.
  const given = Array.isArray(content) && content.length === 0 ? {} : (content ?? {});
  if (!isRecord(given)) return fail('invalid', 'question.noContent');
  const stranger = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (stranger !== undefined) return fail('invalid', 'question.noField', { field: stranger });
  const checked: [string, Value][] = [];
  for (const field of fields) {
    const value = Object.hasOwn(given, field.name) ? given[field.name] : field.required ? field.preset : undefined;
    const result = checkValue(field, value ?? undefined);
    if (!result.ok) return result;
    if (result.value !== undefined) checked.push([field.name, result.value]);
  }
  return ok(Object.fromEntries(checked));
}

/** What a person typed or chose for one field; nothing stands for a field left out. */
export function readTyped(field: Field, typed: unknown): Result<Value | undefined> {
  if (typed === '' && field.kind !== 'one') return checkValue(field, undefined);
  if ((field.kind === 'number' || field.kind === 'integer') && typeof typed === 'string') {
    // A decimal comma is what half of Europe types.
    const number = Number(typed.trim().replace(',', '.'));
    return checkValue(field, typed.trim() === '' ? undefined : number);
  }
  return checkValue(field, typed);
}

export function checkValue(field: Field, value: unknown): Result<Value | undefined> {
  if (value === undefined || value === null) {
    return field.required ? problem(field, 'question.required') : ok(undefined);
  }
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? checkText(field, value) : problem(field, 'question.notText');
    case 'number':
    case 'integer':
      return typeof value === 'number' ? checkNumber(field, value) : problem(field, 'question.notNumber');
    case 'boolean':
      return typeof value === 'boolean' ? ok(value) : problem(field, 'question.notBoolean');
    case 'one':
      return typeof value === 'string' && field.choices.some((choice) => choice.value === value)
        ? ok(value)
        : problem(field, 'question.notChoice');
    case 'many':
      return checkMany(field, value);
  }
}

interface Wrong {
  readonly ok: false;
  readonly error: Failure;
}

const problem = (field: Field, text: Failure['text'], values: Failure['values'] = {}): Wrong =>
  fail('invalid', text, { field: field.title, ...values });

function checkText(field: TextField, value: string): Result<string> {
  const length = Array.from(value).length;
  const { least = 0, most = limits.value, format } = field;
  if (length < least) return problem(field, 'question.tooShort', { least });
  if (length > most) return problem(field, 'question.tooLong', { most });
  if (format && !isOfFormat[format](value)) return problem(field, `question.not.${format}`);
  return ok(value);
}

const isOfFormat: Readonly<Record<Format, (text: string) => boolean>> = {
  // One look at each character: what is typed here may be long.
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 320,
  uri: (text) => URL.canParse(text) && !/\s/.test(text),
  date: isDate,
  'date-time': isDateTime,
};

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const time = new Date(0);
  time.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return time.getUTCMonth() === Number(month) - 1 && time.getUTCDate() === Number(day);
}

function isDateTime(text: string): boolean {
  const [, date = '', hour, minute, second] =
    /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  return isDate(date) && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
}

function checkNumber(field: NumberField, value: number): Result<number> {
  if (!Number.isFinite(value)) return problem(field, 'question.notNumber');
  if (field.kind === 'integer' && !Number.isSafeInteger(value)) return problem(field, 'question.notInteger');
  const { least = -Infinity, most = Infinity } = field;
  if (value < least) return problem(field, 'question.tooSmall', { least });
  if (value > most) return problem(field, 'question.tooBig', { most });
  return ok(value);
}

function checkMany(field: ManyField, value: unknown): Result<readonly string[]> {
  if (!Array.isArray(value)) return problem(field, 'question.notChoice');
  const chosen = field.choices.map((choice) => choice.value).filter((one) => value.includes(one));
  if (chosen.length !== value.length) return problem(field, 'question.notChoice');
  const { least = 0, most = chosen.length } = field;
  if (chosen.length < least) return problem(field, 'question.tooFew', { least });
  if (chosen.length > most) return problem(field, 'question.tooMany', { most });
  return ok(chosen);
}

// Reads JSON of unknown shape: what is missing or of another type comes out as nothing. Never throws.

export type Json = Readonly<Record<string, unknown>>;

const nothing: Json = {};

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): Json => (isObject(value) ? value : nothing);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A whole number, 0 or more. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

export const textsOf = (value: unknown): readonly string[] => listOf(value).filter((one) => typeof one === 'string');

export const textTableOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(objectOf(value)).filter((pair): pair is [string, string] => isText(pair[1])));

const isText = (value: unknown): value is string => typeof value === 'string';

/** An object with that text, or without it where there is none. */
export const only = <K extends string>(key: K, text: string): Partial<Record<K, string>> =>
  text === '' ? {} : ({ [key]: text } as Record<K, string>);

// Writes values as YAML that reads back as the same values, in the plain way a person would. Knows nothing of what they mean.

/** Plain where that cannot be read as anything else, else as a JSON string, which YAML reads alike. */
export function yamlText(text: string): string {
  return /^[A-Za-z_./~-][A-Za-z0-9_./~@=+-]*$/.test(text) && !/^(null|true|false|~|-+|\.+)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

/** A name of letters of any script stands without quotes as a key. */
export const yamlKey = (name: string): string =>
  /^\p{L}[\p{L}\p{M}\p{Nd}_-]*$/u.test(name) && !/^(null|true|false)$/i.test(name) ? name : yamlText(name);

/** On one line, in brackets and braces. */
export function yamlInline(value: unknown): string {
  if (typeof value === 'string') return yamlText(value);
  if (Array.isArray(value)) return `[${value.map(yamlInline).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return `{${inlineEntries(value).join(', ')}}`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'null';
}

const inlineEntries = (map: object): readonly string[] =>
  Object.entries(map).map(([key, value]) => `${yamlKey(key)}: ${yamlInline(value)}`);

/** A longer one gets a line for each of its keys. */
const maxInline = 80;

/** The lines of an entry of a mapping, its own keys `step` blanks further in. */
export function yamlEntry(key: string, value: unknown, step: number): readonly string[] {
  const inline = yamlInline(value);
  if (!isMap(value) || (inline.length <= maxInline && !Object.values(value).some(isMap))) {
    return [`${yamlKey(key)}: ${inline}`];
  }
  const inner = Object.entries(value).flatMap(([name, field]) => yamlEntry(name, field, step));
  return [`${yamlKey(key)}:`, ...inner.map((line) => ' '.repeat(step) + line)];
}

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

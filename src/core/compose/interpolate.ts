// Fills in the variables of a text as Docker Compose does: `$NAME`, `${NAME}`, defaults, alternatives, required ones, `$$`. Reads no environment.
import { fail, ok, type Result } from '../errors.ts';

/** Undefined for a variable that is not set. */
export type Variables = (name: string) => string | undefined;

/** Defaults hold variables with defaults; nobody writes them deeper. */
const maxDepth = 20;

export function interpolate(template: string, variables: Variables): Result<string> {
  return fill(template, variables, 0);
}

function fill(template: string, variables: Variables, depth: number): Result<string> {
  let filled = '';
  for (let at = 0; at < template.length;) {
    const dollar = template.indexOf('$', at);
    if (dollar < 0) return ok(filled + template.slice(at));
    filled += template.slice(at, dollar);
    const taken = takeVariable(template, dollar, variables, depth);
    if (!taken.ok) return taken;
    filled += taken.value.text;
    at = taken.value.end;
  }
  return ok(filled);
}

interface Taken {
  readonly text: string;
  readonly end: number;
}

function takeVariable(template: string, at: number, variables: Variables, depth: number): Result<Taken> {
  const rest = template.slice(at + 1, at + 1 + maxNameLength);
  if (rest.startsWith('$')) return ok({ text: '$', end: at + 2 });
  const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(rest)?.[0];
  if (name !== undefined) return ok({ text: variables(name) ?? '', end: at + 1 + name.length });
  const close = rest.startsWith('{') ? closingBrace(template, at + 1) : -1;
  if (close < 0 || depth > maxDepth) return wrong(template, at);
  const text = fillBraces(template.slice(at + 2, close), variables, depth);
  return text.ok ? ok({ text: text.value, end: close + 1 }) : text;
}

/** A longer name is none. */
const maxNameLength = 1000;

/** The brace that closes the one at `open`; those of variables within count. */
function closingBrace(template: string, open: number): number {
  let depth = 0;
  for (let at = open; at < template.length; at++) {
    if (template[at] === '{' && (at === open || template[at - 1] === '$')) depth++;
    else if (template[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

function fillBraces(inside: string, variables: Variables, depth: number): Result<string> {
  const [, name, operator = '', word = ''] = /^([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-?+])([^]*))?$/.exec(inside) ?? [];
  if (name === undefined) return wrong(`\${${inside}}`, 0);
  const value = variables(name);
  const isThere = value !== undefined && (value !== '' || !operator.startsWith(':'));
  switch (operator.at(-1)) {
    case '-':
      return isThere ? ok(value) : fill(word, variables, depth + 1);
    case '+':
      return isThere ? fill(word, variables, depth + 1) : ok('');
    case '?':
      return isThere ? ok(value) : missing(name, fill(word, variables, depth + 1));
    default:
      return ok(value ?? '');
  }
}

function missing(name: string, reason: Result<string>): Result<string> {
  if (!reason.ok) return reason;
  return fail('invalid', 'compose.required', { name, what: reason.value });
}

const wrong = (template: string, at: number): Result<never> =>
  fail('invalid', 'compose.variable', { what: template.slice(at, at + 40) });

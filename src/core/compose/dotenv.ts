// Reads the `.env` file that stands beside a Compose file, as Compose does. Reads no file and no environment itself.
import { interpolate, type Variables } from './interpolate.ts';

/** Later lines win; `outside` is what the environment says, which variables in values mean first. */
export function readDotenv(text: string, outside: Variables): ReadonlyMap<string, string> {
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const found = new Map<string, string>();
  const variables: Variables = (name) => outside(name) ?? found.get(name);
  const line = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*[=:][ \t]*/gm;
  for (let begin = line.exec(source); begin; begin = line.exec(source)) {
    const { value, end } = takeValue(source, line.lastIndex, variables);
    found.set(begin[1] ?? '', value);
    line.lastIndex = end;
  }
  return found;
}

interface Value {
  readonly value: string;
  /** Where the line it ends on ends. */
  readonly end: number;
}

function takeValue(source: string, at: number, variables: Variables): Value {
  const quote = source[at] ?? '';
  const close = quote === "'" || quote === '"' ? closingQuote(source, at, quote) : -1;
  if (close < 0) return takePlain(source, at, variables);
  const inside = source.slice(at + 1, close);
  return { value: quote === '"' ? expand(unescape(inside), variables) : inside, end: lineEnd(source, close) };
}

function closingQuote(source: string, open: number, quote: string): number {
  for (let at = open + 1; at < source.length; at++) {
    if (source[at] === '\\' && quote === '"') at++;
    else if (source[at] === quote) return at;
  }
  return -1;
}

/** A comment begins at a `#` after a blank. */
function takePlain(source: string, at: number, variables: Variables): Value {
  const end = lineEnd(source, at);
  const written = source.slice(at, end);
  const comment = /(^|\s)#/.exec(written);
  return { value: expand(written.slice(0, comment?.index).trim(), variables), end };
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf('\n', at);
  return end < 0 ? source.length : end;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** An escaped `$` is one that begins no variable. */
const unescape = (text: string): string =>
  text.replace(/\\([^])/g, (_, sign: string) => (sign === '$' ? '$$' : (escapes[sign] ?? sign)));

/** A value that no variable can be filled into is taken as it is: such files are shared with other programs. */
function expand(text: string, variables: Variables): string {
  const filled = interpolate(text, variables);
  return filled.ok ? filled.value : text;
}

// Owns: the command line of the scripted agent. Must not: act on it.
import { readFileSync } from 'node:fs';

const json = (text) => JSON.parse(text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text);
const jsonOrText = (text) => (/^[-\d[{"]|^(true|false|null)$/.test(text) ? json(text) : text);
const numbers = (text) => text.split(',').map(Number);

/** METHOD=VALUE, where the value is read by `read`. */
const byMethod = (read) => (text) => {
  const at = text.indexOf('=');
  return at < 0 ? [text, read('')] : [text.slice(0, at), read(text.slice(at + 1))];
};

// flag: no value. value: the last one counts. list: every one counts. map: METHOD=VALUE, every one counts.
const known = {
  name: { kind: 'value', read: String, start: 'scripted' },
  title: { kind: 'value', read: String },
  log: { kind: 'value', read: String },
  pids: { kind: 'value', read: String },
  info: { kind: 'value', read: String },
  reply: { kind: 'value', read: String },
  script: { kind: 'value', read: json },
  // start-up
  noise: { kind: 'list', read: (text) => (text.startsWith('"') ? JSON.parse(text) : text) },
  stderr: { kind: 'list', read: String },
  protocol: { kind: 'value', read: jsonOrText, start: 1 },
  auth: { kind: 'value', read: String },
  'auth-file': { kind: 'value', read: String },
  'sign-in': { kind: 'value', read: String },
  'auth-methods': {
    kind: 'value',
    read: json,
    start: [{ id: 'sign-in', name: 'Sign in', description: 'Runs the sign-in.' }],
  },
  split: { kind: 'value', read: numbers },
  'split-pause': { kind: 'value', read: Number, start: 0 },
  // one method at a time
  silent: { kind: 'list', read: String },
  delay: { kind: 'map', read: Number },
  exit: { kind: 'map', read: Number },
  kill: { kind: 'map', read: (text) => text || 'SIGKILL' },
  error: { kind: 'map', read: json },
  answer: { kind: 'map', read: json },
  // what it offers
  load: { kind: 'flag' },
  store: { kind: 'value', read: String },
  replay: { kind: 'value', read: json, start: [] },
  'prompt-capabilities': { kind: 'value', read: json, start: { image: false, audio: false, embeddedContext: true } },
  'agent-capabilities': { kind: 'value', read: json, start: {} },
  'session-capabilities': { kind: 'value', read: json },
  modes: { kind: 'value', read: json },
  models: { kind: 'value', read: json },
  'config-options': { kind: 'value', read: json },
  commands: { kind: 'value', read: json },
  'commands-early': { kind: 'value', read: json },
  'before-new': { kind: 'value', read: json, start: [] },
  'after-new': { kind: 'value', read: json, start: [] },
  // how it ends, and what it leaves
  'ignore-eof': { kind: 'flag' },
  'ignore-sigterm': { kind: 'flag' },
  child: { kind: 'flag' },
  'child-detached': { kind: 'flag' },
};

const startOf = ({ kind, start }) => ({ flag: false, list: [], map: new Map(), value: start })[kind];
const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** Options by their camel-case names. An option that is unknown, or has no value, ends the process. */
export function parseOptions(args) {
  const options = Object.fromEntries(Object.entries(known).map(([name, option]) => [camel(name), startOf(option)]));
  for (let i = 0; i < args.length; i += 1) {
    const [, name, , attached] = /^--([a-z-]+)(=([\s\S]*))?$/.exec(args[i]) ?? [];
    const option = known[name];
    if (option === undefined) fail(`unknown option ${args[i]}`);
    const value = option.kind === 'flag' ? '' : (attached ?? args[(i += 1)]);
    if (value === undefined) fail(`--${name} needs a value`);
    take(options, camel(name), option, value);
  }
  return options;
}

function take(options, key, { kind, read }, text) {
  if (kind === 'flag') options[key] = true;
  else if (kind === 'value') options[key] = read(text);
  else if (kind === 'list') options[key] = [...options[key], read(text)];
  else options[key] = new Map([...options[key], byMethod(read)(text)]);
}

function fail(message) {
  process.stderr.write(`scripted agent: ${message}\n`);
  process.exit(2);
}

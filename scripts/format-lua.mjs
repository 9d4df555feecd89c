// Formats every Lua file with StyLua's WebAssembly build; --write writes, else it only names those that differ.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Config, formatCode, IndentType, OutputVerification, QuoteStyle } from '@johnnymorganz/stylua';
import { root } from './lib/paths.mjs';

const elsewhere = new Set(['node_modules', '.deps', '.git', 'dist', 'fixtures']);

/** @param {string} folder @returns {string[]} */
const luaFiles = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return elsewhere.has(entry.name) ? [] : luaFiles(path);
    return entry.isFile() && entry.name.endsWith('.lua') ? [path] : [];
  });

/** The same settings as an editor's StyLua reads. @returns {Map<string, string>} */
const settings = () => {
  const text = readFileSync(join(root, 'stylua.toml'), 'utf8');
  return new Map([...text.matchAll(/^(\w+)\s*=\s*"?([^"\n]*)"?/gm)].map(([, key = '', value = '']) => [key, value]));
};

/** @param {string} name @returns {QuoteStyle} */
const quoteStyle = (name) => (name === 'AutoPreferSingle' ? QuoteStyle.AutoPreferSingle : QuoteStyle.AutoPreferDouble);

/** StyLua takes its settings over, so each file needs them anew. @param {Map<string, string>} from */
const styLuaConfig = (from) => {
  const config = Config.new();
  config.column_width = Number(from.get('column_width') ?? 120);
  config.indent_width = Number(from.get('indent_width') ?? 4);
  config.indent_type = from.get('indent_type') === 'Spaces' ? IndentType.Spaces : IndentType.Tabs;
  config.quote_style = quoteStyle(from.get('quote_style') ?? '');
  return config;
};

/** @param {string} path @param {Map<string, string>} from @returns {{ path: string, problem: string, text?: string } | undefined} */
const inspect = (path, from) => {
  const text = readFileSync(path, 'utf8');
  try {
    const formatted = formatCode(text, styLuaConfig(from), undefined, OutputVerification.Full);
    return formatted === text ? undefined : { path, problem: 'not formatted', text: formatted };
  } catch (error) {
    return { path, problem: String(error) };
  }
};

const from = settings();
const found = luaFiles(root).flatMap((path) => inspect(path, from) ?? []);
const write = process.argv.includes('--write');
for (const { path, text } of found) if (write && text !== undefined) writeFileSync(path, text);
const left = found.filter(({ text }) => !write || text === undefined);
for (const { path, problem } of left) process.stderr.write(`${path}: ${problem}\n`);
process.exitCode = left.length > 0 ? 1 : 0;

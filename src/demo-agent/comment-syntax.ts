// Owns: which comment a type of file has, and where in it a comment can stand. Must not: read or write files.
import { basename, extname } from 'node:path';

export interface CommentSyntax {
  readonly open: string;
  readonly close: string;
  /** Plain text takes the line at its end: its first line is often a title or a tag. */
  readonly atEnd: boolean;
}

const line = (open: string): CommentSyntax => ({ open: `${open} `, close: '', atEnd: false });
const block = (open: string, close: string): CommentSyntax => ({ open: `${open} `, close: ` ${close}`, atEnd: false });

const slashes = line('//');
const hash = line('#');
const dashes = line('--');
const markup = block('<!--', '-->');
const plain: CommentSyntax = { open: '# ', close: '', atEnd: true };

const byExtension = new Map<string, CommentSyntax>();
const assign = (syntax: CommentSyntax, extensions: string): void => {
  for (const extension of extensions.split(' ')) byExtension.set(`.${extension}`, syntax);
};
assign(slashes, 'c cc cpp cs dart go h hpp java js jsonc jsx kt mjs cjs mts cts proto rs scala swift ts tsx zig');
assign(hash, 'conf ex exs fish gd graphql jl mk nix pl ps1 py r rb sh tf toml yaml yml zsh bash');
assign(dashes, 'elm hs lua sql');
assign(markup, 'htm html markdown md svg vue xml');
assign(block('/*', '*/'), 'css less scss');
assign(line('"'), 'vim');
assign(line(';;'), 'clj el lisp scm');
assign(line(';'), 'ini');
assign(line('%'), 'erl tex');
assign(plain, 'txt text');

const byName = new Map<string, CommentSyntax>([
  ['makefile', hash],
  ['gnumakefile', hash],
  ['dockerfile', hash],
  ['gemfile', hash],
  ['rakefile', hash],
  ['.gitignore', hash],
  ['.dockerignore', hash],
  ['.editorconfig', hash],
  ['.env', hash],
  ['readme', plain],
  ['todo', plain],
  ['notes', plain],
]);

/** The comment of this file, or undefined for a type without comments, or one we do not know. */
export function commentSyntax(path: string): CommentSyntax | undefined {
  const name = basename(path).toLowerCase();
  return byName.get(name) ?? byExtension.get(extname(name));
}

/** The index of the line before which a comment can stand, or undefined where there is no safe place. */
export function commentLine(path: string, lines: readonly string[]): number | undefined {
  const syntax = commentSyntax(path);
  if (syntax === undefined) return undefined;
  if (syntax.atEnd) return lines.at(-1) === '' ? lines.length - 1 : lines.length;
  if (syntax === markup) return lineAfterProlog(lines);
  // Vim9 script has another comment than the rest of Vim's files.
  if (extname(path) === '.vim' && lines.some((text) => text.startsWith('vim9script'))) return undefined;
  let index = 0;
  while (isFirstByRule(lines[index], index)) index += 1;
  return index;
}

/** Lines that a tool wants to see first: interpreter, encoding, directives. */
function isFirstByRule(text: string | undefined, index: number): boolean {
  if (text === undefined) return false;
  if (index === 0 && text.startsWith('#!')) return true;
  if (index < 2 && /^#.*coding[:=]/.test(text)) return true;
  return /^(# *(syntax|escape|check) *=|@charset |%YAML |#compdef |#autoload)/.test(text);
}

/** After front matter, an XML declaration and a doctype; undefined if one of them shares its last line. */
function lineAfterProlog(lines: readonly string[]): number | undefined {
  const fence = lines[0] ?? '';
  if (fence === '---' || fence === '+++') {
    const end = lines.indexOf(fence, 1);
    return end === -1 ? 0 : end + 1;
  }
  let index = 0;
  while (/^\s*(<\?xml|<!doctype)/i.test(lines[index] ?? '')) {
    const end = lines.findIndex((text, at) => at >= index && text.includes('>'));
    if (end === -1 || !(lines[end] ?? '').trimEnd().endsWith('>')) return undefined;
    if ((lines[end] ?? '').split('>').length > 2) return undefined;
    index = end + 1;
  }
  return index;
}

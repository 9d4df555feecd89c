// Reads an sbx environment file for the assistant that adds an agent (SPEC section 15): which sandbox it declares, and the commands for it.
// Nothing the file names is run or looked at; it stands quoted in the commands.
import { posix } from 'node:path';
import { findEntry } from './config/check.ts';
import { wordFindings } from './config/findings.ts';
import type { Tree } from './config/yaml-shapes.ts';
import { readTree } from './config/yaml-tree.ts';
import { fail, ok, type Result } from './errors.ts';
import { commandLine, isOddWord } from './shell.ts';
import type { Language } from './texts/index.ts';

export interface SandboxEnv {
  readonly name: string;
  /** "" for a sandbox that sees no folder of this computer. */
  readonly workspace: string;
  /** The same folder, as it is called in the sandbox. */
  readonly sandboxFolder: string;
  readonly createCommand: string;
  readonly stopCommand: string;
  readonly removeCommand: string;
}

interface File {
  readonly path: string;
  readonly tree: Tree;
}

/** `path` is absolute. */
export function readSandboxEnv(path: string, text: string, language: Language): Result<SandboxEnv> {
  if (isOddWord(path)) return fail('invalid', 'file.oddName', { path });
  const source = text.replace(/^\uFEFF/, '');
  const { tree, findings } = readTree(source);
  const [first] = wordFindings(language, source, findings);
  if (first) return fail('invalid', 'sandbox.broken', { path, ...first, warning: '' });
  if (!tree || textAt(tree, 'schemaVersion') === '' || textAt(tree, 'agent') === '') {
    return fail('invalid', 'sandbox.notEnvironment', { path });
  }
  const version = textAt(tree, 'schemaVersion');
  return version === '1' ? describe({ path, tree }) : fail('invalid', 'sandbox.version', { path, version });
}

function describe(file: File): Result<SandboxEnv> {
  const workspace = readWorkspace(file);
  if (!workspace.ok) return workspace;
  const name = readName(file, workspace.value);
  if (!name.ok) return name;
  if (!/^[A-Za-z0-9][A-Za-z0-9.+-]*$/.test(name.value)) return fail('invalid', 'sandbox.name', { name: name.value });
  return ok({
    name: name.value,
    workspace: workspace.value,
    sandboxFolder: workspace.value,
    createCommand: commandLine('sbx', 'env', 'create', file.path),
    stopCommand: commandLine('sbx', 'stop', name.value),
    removeCommand: commandLine('sbx', 'env', 'rm', '--force', file.path),
  });
}

/** A text, or a mapping with a path; mounted in the sandbox where it is outside. */
function readWorkspace(file: File): Result<string> {
  const entry = findEntry(file.tree, 'workspace');
  if (!entry) return ok('');
  const written = entry.value.kind === 'map' ? textAt(entry.value, 'path') : textAt(file.tree, 'workspace');
  const path = fillReferences(file, written);
  if (!path.ok) return path;
  if (path.value.trim() === '') return fail('invalid', 'sandbox.workspace', { path: file.path });
  return ok(posix.resolve(posix.dirname(file.path), path.value));
}

function readName(file: File, workspace: string): Result<string> {
  const written = textAt(file.tree, 'name');
  if (written !== '') return fillReferences(file, written);
  const agent = fillReferences(file, textAt(file.tree, 'agent'));
  return agent.ok ? ok(`${agent.value}-${posix.basename(workspace || posix.dirname(file.path))}`) : agent;
}

// ---- references: `${{ env.args.NAME }}` and the two folders; `$${{` is one that means itself ----

const reference = /(\$?)\$\{\{\s*env\.(args\.)?([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}/g;

function fillReferences(file: File, text: string): Result<string> {
  const unknown: string[] = [];
  const filled = text.replace(reference, (whole, literal: string, isArgument: string | undefined, name: string) => {
    if (literal) return whole.slice(1);
    const value = isArgument ? argument(file, name) : folders(file)[name];
    if (value === undefined) unknown.push(name);
    return value ?? '';
  });
  const [first] = unknown;
  return first === undefined ? ok(filled) : fail('invalid', 'sandbox.argument', { name: first, path: file.path });
}

const folders = ({ path }: File): Readonly<Record<string, string>> => ({
  projectDir: posix.dirname(path),
  fileDir: posix.dirname(path),
});

function argument({ tree }: File, name: string): string | undefined {
  const declared = valueAt(valueAt(tree, 'args'), name);
  const value = valueAt(declared, 'default');
  return value?.kind === 'text' ? value.text : undefined;
}

const valueAt = (tree: Tree | undefined, key: string): Tree | undefined => tree && findEntry(tree, key)?.value;

function textAt(tree: Tree, key: string): string {
  const value = findEntry(tree, key)?.value;
  return value?.kind === 'text' ? value.text.trim() : '';
}

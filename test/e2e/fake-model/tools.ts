// Owns which tool of which agent writes, edits, reads or runs, and how its arguments are named. Runs nothing itself.
import { asObject, type JsonObject } from './json.ts';
import type { OfferedTool, Reply } from './model.ts';

export interface WriteStep {
  readonly op: 'write';
  readonly path: string;
  readonly content: string;
}

export interface EditStep {
  readonly op: 'edit';
  readonly path: string;
  readonly old: string;
  readonly new: string;
}

export interface ReadStep {
  readonly op: 'read';
  readonly path: string;
}

export interface BashStep {
  readonly op: 'bash';
  readonly command: string;
}

export interface NamedStep {
  readonly op: 'tool';
  readonly name: string;
  readonly args: JsonObject;
}

export type ToolStep = WriteStep | EditStep | ReadStep | BashStep | NamedStep;

const TOOL_OPS = ['write', 'edit', 'read', 'bash', 'tool'];

export function isToolStep(step: { readonly op: string }): step is ToolStep {
  return TOOL_OPS.includes(step.op);
}

/** The use of the tool that does this step; if the agent offers none, words that say so. */
export function toolReply(step: ToolStep, offered: readonly OfferedTool[]): Reply {
  const reply = choose(step, offered);
  if (reply) return reply;
  return { kind: 'text', text: `No tool for ${step.op}; offered: ${offered.map((tool) => tool.name).join(', ')}` };
}

function choose(step: ToolStep, offered: readonly OfferedTool[]): Reply | undefined {
  switch (step.op) {
    case 'write':
      return firstOffered(WRITE, step, offered);
    case 'edit':
      return firstOffered(EDIT, step, offered);
    case 'read':
      return firstOffered(READ, step, offered);
    case 'bash':
      return firstOffered(BASH, step, offered);
    case 'tool':
      return firstOffered([[step.name, () => step.args]], step, offered);
  }
}

/** A tool's name and how it wants its arguments. In a list the first one that the agent offers wins. */
type Choice<S> = readonly [name: string, args: (step: S, tool: OfferedTool) => JsonObject];

function firstOffered<S>(choices: readonly Choice<S>[], step: S, offered: readonly OfferedTool[]): Reply | undefined {
  for (const [name, args] of choices) {
    const tool = offered.find((candidate) => candidate.name === name);
    if (tool) return { kind: 'tool', name, args: args(step, tool), custom: tool.custom };
  }
  return undefined;
}

const WRITE: readonly Choice<WriteStep>[] = [
  ['mcp__acp__Write', (step) => ({ file_path: step.path, content: step.content })], // claude-code-acp
  ['Write', (step) => ({ file_path: step.path, content: step.content })], // claude
  ['write_file', (step) => ({ file_path: step.path, content: step.content })], // gemini, qwen
  ['create', (step) => ({ path: step.path, file_text: step.content })], // copilot
  ['write', (step, tool) => ({ [pathName(tool)]: step.path, content: step.content })], // opencode, pi
  ['apply_patch', (step) => ({ input: patchThatAdds(step) })], // codex with a model it knows
  ['exec_command', (step) => ({ cmd: patchCommand(patchThatAdds(step)) })], // codex with a model it does not know
];

const EDIT: readonly Choice<EditStep>[] = [
  ['mcp__acp__Edit', (step) => ({ file_path: step.path, old_string: step.old, new_string: step.new })],
  ['Edit', (step) => ({ file_path: step.path, old_string: step.old, new_string: step.new })],
  [
    'replace',
    (step) => ({ file_path: step.path, old_string: step.old, new_string: step.new, instruction: 'replace the text' }),
  ],
  ['edit', editArguments],
  ['apply_patch', (step) => ({ input: patchThatReplaces(step) })],
  ['exec_command', (step) => ({ cmd: patchCommand(patchThatReplaces(step)) })],
];

const READ: readonly Choice<ReadStep>[] = [
  ['mcp__acp__Read', (step) => ({ file_path: step.path })],
  ['Read', (step) => ({ file_path: step.path })],
  ['read_file', (step, tool) => ({ [takes(tool, 'absolute_path') ? 'absolute_path' : 'file_path']: step.path })],
  ['view', (step) => ({ path: step.path })], // copilot
  ['read', (step, tool) => ({ [pathName(tool)]: step.path })], // opencode, pi
];

const BASH: readonly Choice<BashStep>[] = [
  ['mcp__acp__Bash', (step) => ({ command: step.command, timeout: 60_000, description: 'a command' })],
  ['Bash', (step) => ({ command: step.command, description: 'a command' })],
  ['run_shell_command', (step) => ({ command: step.command, description: 'a command', is_background: false })],
  ['bash', (step) => ({ command: step.command, description: 'a command' })],
  ['exec_command', (step) => ({ cmd: step.command })],
  ['shell', (step) => ({ command: ['bash', '-lc', step.command] })],
  ['shell_command', (step) => ({ command: step.command })],
];

/** Four agents call their tool `edit`, each with arguments of its own. */
function editArguments(step: EditStep, tool: OfferedTool): JsonObject {
  if (takes(tool, 'filePath')) return { filePath: step.path, oldString: step.old, newString: step.new }; // opencode
  if (takes(tool, 'old_str')) return { path: step.path, old_str: step.old, new_str: step.new }; // copilot
  if (takes(tool, 'edits')) return { path: step.path, edits: [{ oldText: step.old, newText: step.new }] }; // pi
  return { file_path: step.path, old_string: step.old, new_string: step.new }; // qwen
}

function pathName(tool: OfferedTool): string {
  return takes(tool, 'filePath') ? 'filePath' : 'path';
}

function takes(tool: OfferedTool, property: string): boolean {
  return property in asObject(tool.schema['properties']);
}

function patchThatAdds(step: WriteStep): string {
  return patch(`*** Add File: ${step.path}`, marked('+', step.content.replace(/\n$/, '')));
}

function patchThatReplaces(step: EditStep): string {
  return patch(`*** Update File: ${step.path}`, '@@', marked('-', step.old), marked('+', step.new));
}

function patch(...lines: string[]): string {
  return ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
}

function marked(sign: string, text: string): string {
  return text
    .split('\n')
    .map((line) => sign + line)
    .join('\n');
}

/** The shell form that codex takes for a patch. */
function patchCommand(text: string): string {
  return `apply_patch <<'EOF'\n${text}\nEOF\n`;
}

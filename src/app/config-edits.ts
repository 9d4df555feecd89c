// Changes to the configuration file itself: a whole text, or an agent added to it (SPEC sections 14 and 15). Nothing typed in its
// buffer and nothing saved meanwhile is lost.
import { addAgent, checkValid, type NewAgent } from '../core/config/add-agent.ts';
import { draft, type AgentDraft } from '../core/config/agent-draft.ts';
import { parseConfig } from '../core/config/parse.ts';
import type { Problem } from '../core/contract/shapes.ts';
import { fail, ok, type Result } from '../core/errors.ts';
import type { Disk, Editor } from '../core/ports.ts';
import type { ConfigChoice } from './config-choice.ts';
import type { Settings } from './settings.ts';

export interface ConfigEditOptions {
  readonly settings: Settings;
  readonly choice: ConfigChoice;
  readonly editor: Editor;
  readonly disk: Disk;
}

/** Problems and warnings, in the order of the text. */
export function checkText({ settings }: Pick<ConfigEditOptions, 'settings'>, text: string): Problem[] {
  const { problems, warnings } = parseConfig(text, settings.source.setting());
  return [...problems, ...warnings].sort((a, b) => a.line - b.line || a.column - b.column);
}

export async function saveText(
  options: ConfigEditOptions,
  text: string,
): Promise<Result<{ saved: boolean; problems: Problem[] }>> {
  const problems = checkText(options, text);
  if (problems.some(({ warning }) => !warning)) return ok({ saved: false, problems });
  const written = await write(options, text);
  return written.ok ? ok({ saved: true, problems }) : written;
}

/** Somebody may save the file between its reading and its writing. */
const maxTries = 5;

export async function addToFile(options: ConfigEditOptions, agent: NewAgent): Promise<Result<undefined>> {
  const { settings } = options;
  for (let tries = 0; tries < maxTries; tries++) {
    const before = await readOrEmpty(settings);
    if (!before.ok) return before;
    const added = addAgent(before.value, agent, settings.source.setting());
    if (!added.ok) return added;
    const now = await readOrEmpty(settings);
    if (now.ok && now.value === before.value) return write(options, added.value);
  }
  return fail('busy', 'file.failed', { path: settings.path, what: '' });
}

/** What `addToFile` would write; nothing is written. */
export async function draftAgent(
  { settings }: Pick<ConfigEditOptions, 'settings'>,
  agent: NewAgent,
): Promise<Result<AgentDraft>> {
  const text = await readOrEmpty(settings);
  return text.ok ? draft(text.value, agent, settings.source.setting()) : text;
}

/** Fails where nothing could be added now: the person should hear of it before questions are answered in vain. */
export async function checkAddable({ settings, editor }: ConfigEditOptions): Promise<Result<undefined>> {
  const { path } = settings;
  const text = await readOrEmpty(settings);
  if (!text.ok) return text;
  const valid = checkValid(text.value, settings.source.setting());
  if (!valid.ok) return valid;
  const buffer = await editor.readBuffer(path);
  if (!buffer.ok) return buffer;
  return buffer.value?.modified ? fail('conflict', 'config.add.unsaved', { path }) : ok(undefined);
}

/** A file that was named but is not there yet is made by what is added. */
async function readOrEmpty({ source }: Settings): Promise<Result<string>> {
  const text = await source.text();
  return !text.ok && text.error.code === 'not-found' ? ok('') : text;
}

async function write({ settings, choice, editor, disk }: ConfigEditOptions, text: string): Promise<Result<undefined>> {
  const { path } = settings;
  const buffer = await editor.readBuffer(path);
  if (!buffer.ok) return buffer;
  if (buffer.value?.modified && buffer.value.text !== text) return fail('conflict', 'config.add.unsaved', { path });
  const written = await disk.writeText(path, text);
  if (!written.ok) return written;
  if (settings.chosen.database !== '') await choice.allow(path);
  await settings.refresh();
  // Reading it brings a buffer without changes up to date with its file.
  const shown = buffer.value ? await editor.readBuffer(path) : buffer;
  return shown.ok ? ok(undefined) : shown;
}

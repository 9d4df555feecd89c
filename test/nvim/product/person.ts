// Owns what a person does at a Neovim with Sidekicks, for the tests of the whole product: start, type, look, go somewhere.
// It goes by keys, commands and the screen; it knows no module of the plugin.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedAgent, type AgentEntry, type ScriptedOptions, type Step } from '../support/agents.ts';
import type { Ground, StartOptions } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import type { Place } from '../support/place.ts';
import { Sidekicks } from '../support/sidekicks.ts';

export interface Setting {
  readonly own: Place;
  readonly nvim: Nvim;
  readonly sidekicks: Sidekicks;
}

export interface SettingOptions extends Omit<StartOptions, 'config' | 'place'> {
  readonly place?: Place;
  /** Further keys of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Agents of the configuration: scripted ones by their options, others as their entry stands in the file. */
export type Agents = Readonly<Record<string, ScriptedOptions | AgentEntry>>;

const isEntry = (agent: ScriptedOptions | AgentEntry): agent is AgentEntry => 'command' in agent;

/** A Neovim in a place of its own whose configuration has these agents. */
export async function startWith(ground: Ground, agents: Agents, options: SettingOptions = {}): Promise<Setting> {
  const { config, files, place, ...rest } = options;
  const own = place ?? ground.place(files);
  configure(own, agents, config);
  const nvim = await ground.start({ ...rest, place: own });
  return { own, nvim, sidekicks: await Sidekicks.in(nvim) };
}

export function configure(own: Place, agents: Agents, config: SettingOptions['config'] = {}): void {
  const entries = new Map(
    Object.entries(agents).map(([name, agent]) => [name, isEntry(agent) ? agent : scriptedAgent(own, name, agent)]),
  );
  own.writeConfig({ agents: entries, ...config });
}

/** Types a message where the cursor is, in Insert mode, and sends it. */
export async function say(nvim: Nvim, text: string): Promise<void> {
  await nvim.feed(`${text.replaceAll('<', '<lt>').replaceAll('\n', '<C-j>')}<CR>`);
}

const IN_KIND = `return vim.b.sidekicks ~= nil and vim.b.sidekicks.kind == ...`;

/** From the input of a conversation to its transcript, in Normal mode. */
export async function goToTranscript(nvim: Nvim): Promise<void> {
  await nvim.feed('<Esc><C-w>k');
  await nvim.waitForLua('the transcript', IN_KIND, 'transcript');
}

/** From the transcript to the input, in Insert mode. */
export async function goToInput(nvim: Nvim): Promise<void> {
  await nvim.feed('i');
  await nvim.waitForLua('the input', IN_KIND, 'input');
}

/** The line of the transcript in the current window that holds the text, from 1. */
export async function lineOf(nvim: Nvim, text: string): Promise<number> {
  const lines = await nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)');
  return lines.findIndex((line) => line.includes(text)) + 1;
}

/** A step at which an agent waits until the test opens the gate of this name. */
export const gate = (own: Place, name: string): Step => ({ op: 'wait_file', path: gateFile(own, name) });

export const openGate = (own: Place, name: string): void => writeFileSync(gateFile(own, name), '');

const gateFile = (own: Place, name: string): string => join(own.root, `gate-${name}`);

/** Rows of the screen that fit, as far as they fit, in order. */
export const rowsWith = (nvim: Nvim, pattern: RegExp): string[] =>
  nvim.screen
    .text()
    .split('\n')
    .flatMap((row) => pattern.exec(row)?.[0] ?? []);

/** All that is drawn of the conversation with an agent: rows, colours and what stands beside them. */
export function drawing(nvim: Nvim, agent: string): Promise<unknown> {
  return nvim.lua(
    `
    local buf = vim.fn.bufnr('^sidekicks://agent/' .. ... .. '$')
    local space = vim.api.nvim_get_namespaces()['sidekicks.transcript']
    local marks = vim.api.nvim_buf_get_extmarks(buf, space, 0, -1, { details = true })
    local drawn = vim.tbl_map(function(mark)
      local details = mark[4]
      return { mark[2], mark[3], details.end_row or -1, details.end_col or -1, details.hl_group or '',
        details.virt_text or {} }
    end, marks)
    table.sort(drawn, function(a, b) return vim.inspect(a) < vim.inspect(b) end)
    return { vim.api.nvim_buf_get_lines(buf, 0, -1, false), drawn }`,
    agent,
  );
}

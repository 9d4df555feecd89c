// A person, an agent by the protocol and one straight on disk, in one file and a real Neovim, in any order: after every step all
// the person ever typed can be reached. SIDEKICKS_SEED repeats a run.
import { renameSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RandomEdits, wordsIn } from '../../random-edits.ts';
import { script } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import { gate, openGate, startWith, type Setting } from './person.ts';
import { answerTo } from './wire.ts';

const mostSteps = 100;
const fewestSteps = 20;
const limitMs = 15_000;
const FILE = 'a.txt';

/** Every text the buffer ever held: its undo is read into another buffer, so that this one notices nothing. */
const ALL_TEXTS = `
  local buf, file = vim.fn.bufnr('a.txt'), vim.fn.tempname()
  local lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  vim.api.nvim_buf_call(buf, function() vim.cmd('silent wundo! ' .. file) end)
  local copy = vim.api.nvim_create_buf(false, true)
  local texts = { table.concat(lines, '\\n') }
  if vim.uv.fs_stat(file) then
    vim.api.nvim_buf_call(copy, function()
      vim.api.nvim_buf_set_lines(copy, 0, -1, false, lines)
      vim.cmd('silent rundo ' .. file)
      for step = 0, vim.fn.undotree().seq_last do
        vim.cmd('silent undo ' .. step)
        table.insert(texts, table.concat(vim.api.nvim_buf_get_lines(copy, 0, -1, false), '\\n'))
      end
    end)
  end
  vim.api.nvim_buf_delete(copy, { force = true })
  return texts`;

class Story {
  readonly #setting: Setting;
  readonly #edits: RandomEdits;
  readonly #typed = new Set<string>();
  readonly #bob: string;
  #known: string | undefined;
  #requests = 0;
  /** How many texts the buffer was found to have held. */
  states = 0;

  constructor(setting: Setting, edits: RandomEdits, bob: string) {
    this.#setting = setting;
    this.#edits = edits;
    this.#bob = bob;
  }

  async step(): Promise<void> {
    const choice = this.#edits.random(11);
    if (choice < 4) await this.#types();
    else if (choice === 4) await this.#writes();
    else if (choice === 5) await this.#setting.nvim.command('silent undo');
    else if (choice === 6) await this.#bobReads();
    else if (choice < 9) await this.#bobWrites();
    else this.#diskWritten();
  }

  async #types(): Promise<void> {
    const { nvim } = this.#setting;
    const text = `${(await nvim.bufferLines(FILE)).join('\n')}\n`;
    const after = this.#edits.edited(text, 'me');
    await nvim.lua(
      `vim.cmd('let &undolevels = &undolevels')
      vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(..., '\\n'))`,
      after.slice(0, -1),
    );
    for (const word of wordsIn(after)) this.#typed.add(word);
  }

  /** Where the agent on disk was in the same lines a moment ago, the first attempt is refused. */
  async #writes(): Promise<void> {
    const { nvim } = this.#setting;
    const said = await nvim.lua<string>(`return select(2, pcall(vim.cmd, 'silent write')) or ''`);
    if (said !== '') expect(said).toContain('not written: sed changed');
  }

  async #bobReads(): Promise<void> {
    const answer = await this.#asked({ op: 'read' });
    if (hasContent(answer)) this.#known = answer.content;
  }

  async #bobWrites(): Promise<void> {
    if (this.#known === undefined) return;
    const content = this.#edits.edited(this.#known, 'bob');
    const answer = await this.#asked({ op: 'write', content });
    if (answer !== undefined && !('code' in answer)) this.#known = content;
  }

  async #asked(step: { readonly op: string; readonly content?: string }): Promise<object | undefined> {
    const { own, sidekicks } = this.#setting;
    this.#requests += 1;
    const id = `random-${this.#requests}`;
    await sidekicks.ask(this.#bob, script({ ...step, path: own.path(FILE), id }));
    const answer = answerTo(own, 'bob', id);
    return typeof answer === 'object' && answer !== null ? answer : undefined;
  }

  #diskWritten(): void {
    const { own } = this.#setting;
    const text = this.#edits.edited(own.read(FILE), 'sed');
    if (this.#edits.random(2) === 0) {
      own.write(FILE, text);
      return;
    }
    writeFileSync(own.path('beside.tmp'), text);
    renameSync(own.path('beside.tmp'), own.path(FILE));
  }

  /** What the person typed and nothing leads to any more. */
  async lost(): Promise<string[]> {
    const { own, nvim, sidekicks } = this.#setting;
    // The buffer is read last: a conflict that was settled meanwhile has its text there.
    const { conflicts } = await sidekicks.call('ChangesService.List', {});
    const kept = await Promise.all(conflicts.map(({ id }) => this.#mineOf(id)));
    const held = await nvim.lua<string[]>(ALL_TEXTS);
    this.states = held.length;
    const texts = [...held, own.read(FILE), ...kept];
    const reached = new Set(texts.flatMap(wordsIn));
    return [...this.#typed].filter((word) => !reached.has(word));
  }

  async #mineOf(id: string): Promise<string> {
    try {
      return (await this.#setting.sidekicks.request('ViewService.Conflict', { id })).mine;
    } catch (error) {
      if (String(error).includes('that conflict is settled')) return '';
      throw error;
    }
  }

  get typed(): number {
    return this.#typed.size;
  }
}

const hasContent = (answer: object | undefined): answer is { readonly content: string } =>
  answer !== undefined && 'content' in answer && typeof answer.content === 'string';

describeNvim(
  'whatever comes in whatever order',
  (ground) => {
    it('no text of the person is lost', async () => {
      const edits = new RandomEdits();
      process.stderr.write(`SIDEKICKS_SEED=${edits.seed}\n`);
      const files = { [FILE]: 'one\ntwo\nthree\nfour\nfive\nsix\n' };
      const setting = await startWith(ground, { bob: {}, sed: {} }, { files, args: [FILE] });
      const { own, nvim, sidekicks } = setting;
      const sed = await sidekicks.direct('sed');
      await sidekicks.send(sed.id, script({ op: 'text', text: 'begun' }, gate(own, 'end')));
      await sidekicks.waitForEvent('message:delta', ({ text }) => text === 'begun');
      const bob = await sidekicks.direct('bob');

      const story = new Story(setting, edits, bob.id);
      const since = performance.now();
      let steps = 0;
      while (steps < mostSteps && (steps < fewestSteps || performance.now() - since < limitMs)) {
        steps += 1;
        await story.step();
        expect(await story.lost(), `step ${steps}, seed ${edits.seed}`).toEqual([]);
        expect(await nvim.isBlocked(), `step ${steps}, seed ${edits.seed}`).toBe(false);
      }
      openGate(own, 'end');
      await sidekicks.waitUntilIdle(sed.id);
      expect(await story.lost(), `the end, seed ${edits.seed}`).toEqual([]);
      expect(story.typed).toBeGreaterThan(0);
      expect(story.states).toBeGreaterThan(story.typed);
      expect(await nvim.messages()).not.toMatch(/W1[126]|E325/);
    });
  },
  90_000,
);

// Going to a hit far back in a long conversation (SPEC 16): what stands around it, reading on from there, and the way back.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHistory } from '../../src/adapters/sqlite/history.ts';
import { answer, message } from '../unit/adapters/sqlite/support.ts';
import { gate, goToInput, goToTranscript, openGate, say, startWith } from './product/person.ts';
import { describeNvim, type Ground } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import type { Place } from './support/place.ts';

const BOB = 'sidekicks://agent/bob';
const count = 2000;
const NEWER = 'newer messages are below';

/** A message far back says `needle`. */
function fill(own: Place, id: string): void {
  const dataFolder = join(own.root, 'config', 'sidekicks', 'data');
  const history = openHistory({ dataFolder, configPath: own.config, word: ({ text }) => text });
  for (let at = 1; at <= count; at++) {
    const text = at === 501 ? 'the needle of 501' : `said ${at}.`;
    const place = `0-${String(at).padStart(5, '0')}`;
    const said = at % 2 === 0 ? answer(place, 'bob', text) : message(place, text);
    history.saveMessage({ ...said, channel: id }, place);
  }
  history.close();
}

/** A Neovim at the hit, in the transcript. */
async function atTheHit(ground: Ground, script: Parameters<typeof startWith>[1][string] = {}) {
  const own = ground.place();
  const before = await startWith(ground, { bob: {} }, { place: own });
  const { id } = await before.sidekicks.direct('bob');
  await before.nvim.dispose();
  fill(own, id);
  const { nvim, sidekicks } = await startWith(ground, { bob: script }, { place: own });
  return { own, nvim, sidekicks, id };
}

async function goToHit(nvim: Nvim, words = 'needle', line = 'the needle of 501'): Promise<void> {
  await nvim.command(`Sidekicks search ${words}`);
  await nvim.waitForLua('the hit', `return #vim.fn.getqflist() == 1 and vim.bo.filetype == 'qf'`);
  await nvim.command('cclose | cfirst');
  await nvim.waitForLua('the message', `return vim.api.nvim_get_current_line() == ...`, line);
}

const rows = (nvim: Nvim): Promise<string[]> => nvim.bufferLines(BOB);
/** The numbers of the messages that are drawn. */
async function said(nvim: Nvim): Promise<number[]> {
  const numbers = (await rows(nvim)).map((row) => /^(?:said|the needle of) (\d+)/.exec(row)?.[1]);
  return numbers.filter((number) => number !== undefined).map(Number);
}

describeNvim('a hit far back', (ground) => {
  it('opens with what stands around it, and is read on from in both directions, nothing moving', async () => {
    const { nvim } = await atTheHit(ground);
    await goToHit(nvim);
    await nvim.waitForScreen('said 502.');
    await nvim.waitForScreen('far back');
    const around = await said(nvim);
    expect(around).toContain(501);
    expect(around.length).toBeLessThan(400);
    expect((await rows(nvim)).at(-1)).toContain(NEWER);
    await nvim.feed('9999G');
    await nvim.waitFor('newer messages', async () => (await said(nvim)).includes((around.at(-1) ?? 0) + 1));
    expect(await nvim.lua(`return vim.fn.line('.') < vim.fn.line('$') - 50`)).toBe(true);
    await nvim.feed('gg');
    await nvim.waitFor('older messages', async () => (await said(nvim)).includes((around[0] ?? 0) - 1));
    const all = await said(nvim);
    expect(all).toEqual(Array.from({ length: all.length }, (_, at) => (all[0] ?? 0) + at));
    expect(all.length).toBeLessThan(600);
    expect((await rows(nvim)).at(-1)).toContain(NEWER);
  });

  it('leads back with G, and what is said meanwhile stands at the end alone', async () => {
    const own = ground.place();
    const { nvim, sidekicks, id } = await atTheHit(ground, {
      script: [gate(own, 'go'), { op: 'text', text: 'The live answer.' }],
    });
    await nvim.command('Sidekicks open bob');
    await nvim.waitForScreen(`said ${count}.`);
    await say(nvim, 'a question');
    await nvim.waitForScreen('a question');
    await goToTranscript(nvim);
    await goToHit(nvim);
    const before = await rows(nvim);
    openGate(own, 'go');
    await sidekicks.waitUntilIdle(id);
    expect(await rows(nvim)).toEqual(before);
    await nvim.feed('G');
    await nvim.waitForScreen('The live answer.');
    expect((await said(nvim)).at(-1)).toBe(count);
    await nvim.waitFor('the sign to go', () => !nvim.screen.text().includes('far back'));
    expect(await nvim.lua(`return vim.fn.line('.') == vim.fn.line('$')`)).toBe(true);
    expect((await rows(nvim)).filter((row) => row === 'The live answer.')).toHaveLength(1);
    await goToInput(nvim);
    await say(nvim, 'and then');
    await nvim.waitFor(
      'its answer',
      async () => (await rows(nvim)).filter((row) => row === 'The live answer.').length === 2,
    );
  });

  it('is left for a hit near the end, which stands there among its own', async () => {
    const { nvim } = await atTheHit(ground);
    await goToHit(nvim);
    await goToHit(nvim, `said ${count - 50}`, `said ${count - 50}.`);
    await nvim.waitForScreen(`said ${count - 49}.`);
    expect((await said(nvim)).at(-1)).toBe(count);
    expect(await nvim.lua(`return vim.fn.line('w$') - vim.fn.line('.')`)).toBeGreaterThan(5);
  });

  it('is left by sending a message', async () => {
    const { nvim } = await atTheHit(ground);
    await nvim.command('Sidekicks open bob');
    await nvim.waitForScreen(`said ${count}.`);
    await goToTranscript(nvim);
    await goToHit(nvim);
    await goToInput(nvim);
    await say(nvim, 'back again');
    await nvim.waitForScreen('back again');
    await nvim.waitForScreen('Hello from bob.');
    expect((await rows(nvim)).join('\n')).not.toContain(NEWER);
  });

  it('becomes the end again when it is read on to it', async () => {
    const { nvim } = await atTheHit(ground);
    await goToHit(nvim);
    const end = async () => (await said(nvim)).at(-1) === count;
    while (!(await end())) {
      const last = (await said(nvim)).at(-1);
      await nvim.feed('9999G');
      await nvim.waitFor('more', async () => (await said(nvim)).at(-1) !== last);
    }
    await nvim.waitFor('the end', async () => !(await rows(nvim)).join('\n').includes(NEWER));
    const all = await said(nvim);
    expect(all).toEqual(Array.from({ length: all.length }, (_, at) => count - all.length + 1 + at));
    await nvim.feed('G');
    await goToInput(nvim);
    await say(nvim, 'and on');
    await nvim.waitForScreen('Hello from bob.');
  });
});

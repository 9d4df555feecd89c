// TerminalService (SPEC 13, 14): terminals for scripts, and the events that tell what they print.
import { expect, it } from 'vitest';
import { describeNvim, type Ground } from './support/describe-nvim.ts';
import type { Sidekicks } from './support/sidekicks.ts';
import { startWith } from './product/person.ts';

const start = (ground: Ground) => startWith(ground, { bob: {} }, { env: { SHELL: '/bin/sh', PS1: '', ENV: '' } });

const printed = (sidekicks: Sidekicks, id: string): string =>
  sidekicks
    .events('terminal:output')
    .filter((event) => event.id === id)
    .map(({ data }) => data)
    .join('');

const open = (sidekicks: Sidekicks, cols = 80, rows = 24) =>
  sidekicks.request('TerminalService.Open', { agent: 'bob', cols, rows });

describeNvim('TerminalService', (ground) => {
  it('opens one that no window shows, of the size that is asked for, and gives it another', async () => {
    const { nvim, sidekicks } = await start(ground);
    const { id } = await open(sidekicks, 200, 77);
    expect(await nvim.lua('return vim.fn.winnr("$")')).toBe(1);
    await sidekicks.request('TerminalService.Write', { id, data: 'stty size\n' });
    await nvim.waitFor('its size', () => printed(sidekicks, id).includes('77 200'));
    await sidekicks.request('TerminalService.Resize', { id, cols: 100, rows: 30 });
    await sidekicks.request('TerminalService.Write', { id, data: 'stty size\n' });
    await nvim.waitFor('its new size', () => printed(sidekicks, id).includes('30 100'));
    await nvim.command('Sidekicks terminal bob');
    await nvim.waitForScreen('30 100');
  });

  it('makes nobody type elsewhere, whatever is set up for terminals', async () => {
    const { nvim, sidekicks } = await start(ground);
    await nvim.command('autocmd TermOpen * startinsert');
    const { id } = await open(sidekicks);
    await sidekicks.request('TerminalService.Write', { id, data: 'exit\n' });
    await sidekicks.waitForEvent('terminal:exit');
    expect(await nvim.mode()).toBe('n');
    expect(await nvim.lua('return vim.fn.winnr("$")')).toBe(1);
  });

  it('knows no id it did not give, takes nothing for a shell that ended, and no odd size', async () => {
    const { nvim, sidekicks } = await start(ground);
    const { id } = await open(sidekicks);
    const unknown = 'there is no terminal nobody';
    const call = sidekicks.request.bind(sidekicks);
    await expect(call('TerminalService.Write', { id: 'nobody', data: 'x' })).rejects.toThrow(`not-found: ${unknown}`);
    await expect(call('TerminalService.Resize', { id: 'nobody', cols: 9, rows: 9 })).rejects.toThrow(unknown);
    await expect(call('TerminalService.Close', { id: 'nobody' })).rejects.toThrow(`not-found: ${unknown}`);
    await expect(call('TerminalService.Resize', { id, cols: 0, rows: 9 })).rejects.toThrow('invalid');
    await expect(open(sidekicks, 80, 100_000)).rejects.toThrow('invalid');
    await expect(call('TerminalService.Open', { agent: 'nobody', cols: 9, rows: 9 })).rejects.toThrow('not-found');
    await call('TerminalService.Write', { id, data: 'exit\n' });
    await sidekicks.waitForEvent('terminal:exit', (event) => event.id === id);
    await expect(call('TerminalService.Write', { id, data: 'x' })).rejects.toThrow('unavailable: the shell of this');
    await call('TerminalService.Close', { id });
    await expect(call('TerminalService.Close', { id })).rejects.toThrow('not-found');
    expect(
      await nvim.lua(`return #vim.tbl_filter(function(b) return vim.bo[b].buftype == 'terminal' end,
      vim.api.nvim_list_bufs())`),
    ).toBe(0);
  });

  it('tells all of 100,000 lines in few pieces, while the editor answers', async () => {
    const { nvim, sidekicks } = await start(ground);
    const { id } = await open(sidekicks);
    await sidekicks.request('TerminalService.Write', { id, data: 'stty -echo; seq 100000; echo do""ne\n' });
    await nvim.waitFor('the end', () => printed(sidekicks, id).includes('done'), 30_000);
    const lines = printed(sidekicks, id).split('\r\n');
    const first = lines.indexOf('1');
    expect(lines.slice(first, first + 100_000)).toEqual(Array.from({ length: 100_000 }, (_, i) => String(i + 1)));
    const pieces = sidekicks.events('terminal:output').map(({ data }) => Buffer.byteLength(data));
    expect(Math.max(...pieces)).toBeLessThanOrEqual(32 * 1024);
    expect(pieces.length).toBeLessThan(1000);
  });

  it('cuts no character, however it comes', async () => {
    const { nvim, sidekicks } = await start(ground);
    const { id } = await open(sidekicks);
    const slow = String.raw`for byte in 342 202 254 360 237 230 200 303 251; do printf "\\$byte"; sleep 0.1; done`;
    await sidekicks.request('TerminalService.Write', { id, data: `stty -echo; ${slow}; echo " slow"\n` });
    await nvim.waitFor('the end', () => printed(sidekicks, id).includes(' slow\r'));
    expect(printed(sidekicks, id)).toContain('€😀é slow');
    // 3 bytes each: some piece of 32 KB would end within one.
    const many = String.raw`i=0; while [ $i -lt 16 ]; do i=$((i+1)); printf '€%.0s' $(seq 1000); printf x; done; echo " many"`;
    await sidekicks.request('TerminalService.Write', { id, data: `${many}\n` });
    await nvim.waitFor('the end', () => printed(sidekicks, id).includes(' many\r'));
    const all = printed(sidekicks, id);
    expect(all).not.toContain('\ufffd');
    expect(all.match(/€/g)?.length).toBeGreaterThanOrEqual(16_001);
  });

  it('tells bytes that are no character too, as they are, at the latest with the end', async () => {
    const { nvim, sidekicks } = await start(ground);
    await nvim.lua(`vim.g.bytes = ''
      require('sidekicks').on('terminal:output', function(event)
        vim.g.bytes = vim.g.bytes .. event.data:gsub('[^ -~]', function(c) return ('<%02x>'):format(c:byte()) end)
      end)`);
    const { id } = await open(sidekicks);
    // Neovim 0.10 itself spoils the output of what ends within a character.
    const [end, last] = ground.version === '0.10' ? ['z', 'z'] : [String.raw`z\342\202`, 'z<e2><82>'];
    const data = `${String.raw`printf 'a\377b\000c\n'`}; exec printf '${end}'\n`;
    await sidekicks.request('TerminalService.Write', { id, data });
    await sidekicks.waitForEvent('terminal:exit');
    expect(await nvim.lua<string>('return vim.g.bytes')).toContain('a<ff>b<00>c<0d><0a>');
    expect((await nvim.lua<string>('return vim.g.bytes')).endsWith(last)).toBe(true);
  });

  it('tells by an autocommand too', async () => {
    const { nvim, sidekicks } = await start(ground);
    await nvim.lua(`
      vim.g.seen = ''
      vim.api.nvim_create_autocmd('User', { pattern = 'SidekicksTerminalOutput', callback = function(event)
        vim.g.seen = vim.g.seen .. event.data.data
      end })
      vim.api.nvim_create_autocmd('User', { pattern = 'SidekicksTerminalExit', callback = function(event)
        vim.g.over = event.data.id
      end })`);
    const { id } = await open(sidekicks);
    await sidekicks.request('TerminalService.Write', { id, data: 'echo he""llo; exit\n' });
    await nvim.waitForLua('its end', 'return vim.g.over == ...', id);
    expect(await nvim.lua('return vim.g.seen')).toContain('hello');
  });
});

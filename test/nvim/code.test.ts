// The colours of code blocks, as they stand on the screen, and what a language's name may and may not do.
import { expect, it } from 'vitest';
import { block, StandIn } from './stand-in.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';

const fenced = (lang: string, lines: readonly string[], open = false) =>
  block('c', 'code', [`\`\`\`${lang}`, ...lines, '```'], { lang, copy: [1, lines.length + 1], open });

const quiet = (nvim: Nvim) => nvim.waitForLua('the colours', `return not require('sidekicks.code').is_busy()`);

/** The highlight groups of the extmarks on a row of the transcript, with their text. */
const colours = (nvim: Nvim, row: number): Promise<[string, string][]> =>
  nvim.lua(
    `local row = ...
    local buf = vim.fn.bufnr('sidekicks://agent/bob')
    local namespace = vim.api.nvim_get_namespaces()['sidekicks.code']
    return vim.tbl_map(function(mark)
      local to = mark[4].end_row == row and mark[4].end_col or -1
      local line = vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1]
      return { mark[4].hl_group, line:sub(mark[3] + 1, to) }
    end, vim.api.nvim_buf_get_extmarks(buf, namespace, { row, 0 }, { row, -1 }, { details = true }))`,
    row,
  );

describeNvim('code colours', ({ start, place }) => {
  it('come from the parser of the language where there is one', async () => {
    const nvim = await start();
    await StandIn.open(nvim, [fenced('lua', ['local naïve = "日本" -- comment'])]);
    await quiet(nvim);
    expect(await colours(nvim, 1)).toEqual(
      expect.arrayContaining([
        ['@keyword.lua', 'local'],
        ['@string.lua', '"日本"'],
        ['@comment.lua', '-- comment'],
      ]),
    );
    expect(nvim.screen.groupsOf('-- comment')).toContain('Comment');
    expect(await colours(nvim, 0)).toEqual([]);
    expect(await colours(nvim, 2)).toEqual([]);
  });

  it('come from its syntax file elsewhere, by whatever name the language is called', async () => {
    const nvim = await start();
    await StandIn.open(nvim, [fenced('py', ['def f(x):', '    return "two"  # three'])]);
    await quiet(nvim);
    expect(await colours(nvim, 1)).toContainEqual(['pythonStatement', 'def']);
    expect(await colours(nvim, 2)).toContainEqual(['pythonComment', '# three']);
    await nvim.waitForScreen('three');
    expect(nvim.screen.groupsOf('# three')).toContain('Comment');
    expect(await nvim.lua(`return #vim.fn.getbufinfo({ buflisted = 1 })`)).toBe(1);
  });

  it('stand right in a block that is indented in a list', async () => {
    const nvim = await start();
    const rows = ['- item', '  ```lua', '  local x = 1', '    return x', '  ```'];
    const list = block('c', 'code', rows.slice(1), { lang: 'lua', copy: [1, 3], offsets: [2, 2, 2, 2] });
    await StandIn.open(nvim, [block('p', 'prose', rows.slice(0, 1)), list]);
    await quiet(nvim);
    expect(await colours(nvim, 2)).toContainEqual(['@keyword.lua', 'local']);
    expect(await colours(nvim, 3)).toContainEqual(['@keyword.return.lua', 'return']);
  });

  it('wait until a block is finished, and go with its rows', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [fenced('lua', ['local x'], true)]);
    await host.patch([{ op: 'grow', at: 0, row: 2, rows: ['local y', '```'], marks: [] }]);
    expect(await colours(nvim, 1)).toEqual([]);
    await host.patch([{ op: 'splice', at: 0, remove: 1, blocks: [fenced('lua', ['local x', 'local y'])] }]);
    await quiet(nvim);
    expect(await colours(nvim, 2)).toContainEqual(['@keyword.lua', 'local']);
    await host.patch([{ op: 'splice', at: 0, remove: 1, blocks: [block('p', 'prose', ['a', 'b', 'c', 'd'])] }]);
    expect(await colours(nvim, 2)).toEqual([]);
  });

  it('come first where somebody looks, and reach blocks that moved meanwhile', async () => {
    const nvim = await start();
    const blocks = Array.from({ length: 40 }, (_, index) => ({ ...fenced('lua', ['local x = 1']), id: `c${index}` }));
    const host = await StandIn.open(nvim, blocks);
    await host.patch([{ op: 'splice', at: 0, remove: 0, blocks: [block('p', 'prose', ['a', 'b'])] }]);
    await quiet(nvim);
    for (const row of [3, 60, 120]) expect(await colours(nvim, row)).toContainEqual(['@keyword.lua', 'local']);
  });

  it('keep nobody waiting in a block of thousands of lines', async () => {
    const nvim = await start();
    const lines = Array.from(
      { length: 3000 },
      (_, index) => `    result["key ${index}"] = compute(${index}, "text")  # note`,
    );
    await StandIn.open(nvim, [fenced('python', ['def f():', ...lines])]);
    const delays: number[] = [];
    while (await nvim.lua(`return require('sidekicks.code').is_busy()`)) {
      const before = performance.now();
      await nvim.request('nvim_eval', '1');
      delays.push(performance.now() - before);
    }
    delays.sort((a, b) => a - b);
    expect(delays.length).toBeGreaterThan(50);
    expect(delays[Math.floor(delays.length / 2)]).toBeLessThan(16);
    expect(await colours(nvim, 3000)).toContainEqual(['pythonComment', '# note']);
  });

  it.each([
    ['js', 'javascript'],
    ['ts', 'typescript'],
    ['tsx', 'typescriptreact'],
    ['C++', 'cpp'],
    ['sh', 'sh'],
    ['shell', 'sh'],
    ['jsonc', 'jsonc'],
    ['yml', 'yaml'],
    ['rs', 'rust'],
    ['golang', 'go'],
    ['csharp', 'cs'],
    ['Dockerfile', 'dockerfile'],
  ])('know %s as %s', async (name, filetype) => {
    const nvim = await start();
    expect(await nvim.lua(`return require('sidekicks.code.languages').find(...).filetype`, name)).toBe(filetype);
  });

  it('are none for a name that is no language, and nothing in it is run', async () => {
    const trap = place();
    const nvim = await start({ place: trap });
    const names = [
      `x|call writefile([], '${trap.path('trap')}')`,
      `lua\nlua vim.fn.writefile({}, '${trap.path('trap')}')`,
      '../../../etc/passwd',
      '*',
      '`touch trap`',
      '{a,b}',
      'plaintext',
      '',
      'x'.repeat(5000),
    ];
    const blocks = names.map((lang, index) => ({ ...fenced('lua', ['local x']), id: `c${index}`, lang }));
    await StandIn.open(nvim, blocks);
    await quiet(nvim);
    for (const index of names.keys()) expect(await colours(nvim, index * 3 + 1)).toEqual([]);
    expect(trap.exists('trap')).toBe(false);
  });
});

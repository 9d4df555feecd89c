// `:checkhealth sidekicks`: what it tells when all is well, and what when something is wrong.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedAgent } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';

async function report(nvim: Nvim): Promise<string> {
  await nvim.command('checkhealth sidekicks');
  const lines = await nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)');
  return lines.join('\n');
}

describeNvim('health', ({ start, place }) => {
  it('names Neovim, Node, the host, the configuration, each agent, the history, the log and the clipboard', async () => {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob'), zoe: { command: 'no-such-program' } } });
    const nvim = await start({ place: own });
    const text = await report(nvim);
    for (const words of [
      /OK Neovim 0\./,
      /OK Node \d+\.\d+\.\d+ \(.*node.*\)/,
      /OK the Node side is built/,
      /OK the Node side answers: version \d/,
      /OK options: nothing wrong/,
      new RegExp(`OK ${own.config} \\(env\\)`),
      /OK bob: /,
      /WARNING zoe: .*no-such-program/,
      /docker/,
      /sbx/,
      /OK history: .*history\.db/,
      /log: .*host\.log/,
      /OSC 52/,
    ]) {
      expect(text).toMatch(words);
    }
    expect(text).not.toContain('ERROR');
  });

  it('speaks the language of the configuration throughout, of the options too, which are read before it', async () => {
    const own = place();
    own.writeConfig({ language: 'fr', agents: {} });
    const nvim = await start({ place: own, args: ['--cmd', "let g:sidekicks = {'windw': 1}"] });
    nvim.allowErrors(/windw/);
    const text = await report(nvim);
    expect(text).toContain('WARNING option windw\u00a0: inconnue');
    expect(text).toContain('OK la partie Node répond');
  });

  it('names each problem of the configuration with its place, and each wrong option', async () => {
    const own = place();
    own.writeConfig('agents:\n  bob:\n    comand: x\n');
    const nvim = await start({ place: own, args: ['--cmd', `lua vim.g.sidekicks = { windw = 1 }`] });
    const text = await report(nvim);
    expect(text).toMatch(new RegExp(`ERROR ${own.config}:3:5: .*comand`));
    expect(text).toMatch(/WARNING option windw/);
  });

  it('is told in the language of the configuration', async () => {
    const own = place();
    own.writeConfig({ language: 'fr' });
    const text = await report(await start({ place: own }));
    expect(text).toMatch(/WARNING aucun agent n’est configuré/);
  });

  it('still tells the rest where the Node side cannot start', async () => {
    const own = place();
    const node = join(own.root, 'node');
    writeFileSync(node, '#!/bin/sh\ntest "$1" = --version && echo v18.0.0 && exit 0\necho broken >&2\nexit 3\n');
    chmodSync(node, 0o755);
    const nvim = await start({ place: own, args: ['--cmd', `lua vim.g.sidekicks = { node = '${node}' }`] });
    nvim.allowErrors(/could not start/);
    const text = await report(nvim);
    expect(text).toMatch(/ERROR Node 18\.0\.0 .*too old/);
    expect(text).toMatch(/:Sidekicks install/);
    expect(text).toMatch(/ERROR the Node side does not answer/);
    expect(text).toMatch(/OK Neovim/);
    expect(text).toMatch(/clipboard/);
  });
});

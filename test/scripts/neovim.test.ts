// The Neovims beside the project: that trying one out leaves no trace in the person's own folders.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root } from './run.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'home-'));
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

it('writes nothing into the home folder when a Neovim is tried out', async () => {
  const code = `import { checkNeovim } from ${JSON.stringify(join(root, 'scripts/lib/neovim.mjs'))};
    await checkNeovim(${JSON.stringify(resolve('.deps/nvim-0.12'))}, [0, 12, 0]);
    console.log('it runs');`;
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('XDG_'));
  const env = { ...Object.fromEntries(kept), HOME: home };
  const tried = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env });
  expect(tried.stdout).toBe('it runs\n');
  expect(readdirSync(home)).toEqual([]);
});

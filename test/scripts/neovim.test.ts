// The Neovims beside the project: that looking at one leaves no trace in the person's own folders.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { checkNeovim } from '../../scripts/lib/neovim.mjs';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'home-'));
  vi.stubEnv('HOME', home);
  for (const name of ['CONFIG', 'DATA', 'STATE', 'CACHE']) vi.stubEnv(`XDG_${name}_HOME`, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

it('writes nothing into the home folder when a Neovim is tried out', async () => {
  await checkNeovim(resolve('.deps/nvim-0.12'), [0, 12, 0]);
  expect(readdirSync(home)).toEqual([]);
});

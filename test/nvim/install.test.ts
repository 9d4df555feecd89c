// `:Sidekicks install`: what a person sees of the build, and what a script gets. The build itself is set up elsewhere.
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { describeNvim } from './support/describe-nvim.ts';
import { ROOT } from './support/nvim.ts';
import type { Place } from './support/place.ts';

/** The plugin in a folder of its own, with a set-up that only says what it was told and ends as asked. */
function pluginWithSetUp(place: Place, status: number): readonly string[] {
  const root = join(place.root, 'plugin');
  mkdirSync(join(root, 'scripts'), { recursive: true });
  for (const part of ['lua', 'plugin', 'ftplugin']) symlinkSync(join(ROOT, part), join(root, part));
  writeFileSync(
    join(root, 'scripts/run.mjs'),
    `console.log('told: ' + process.argv.slice(2).join(' ')); process.exitCode = ${status};`,
  );
  return ['--cmd', `lua vim.opt.rtp:remove('${ROOT}')`, '--cmd', `lua vim.opt.rtp:prepend('${root}')`];
}

describeNvim('the installation', ({ start, place, version }) => {
  it('is watched in a split that goes when all went well', async () => {
    const own = place();
    const nvim = await start({ place: own, args: pluginWithSetUp(own, 0) });
    await nvim.command('Sidekicks install');
    await nvim.waitForScreen('everything is in place');
    await nvim.waitForLua('the split to close', 'return vim.fn.winnr("$") == 1');
  });

  it('keeps what was printed in view when it failed', async () => {
    const own = place();
    const nvim = await start({ place: own, args: pluginWithSetUp(own, 3) });
    nvim.allowErrors(/the installation failed/);
    await nvim.command('Sidekicks install');
    await nvim.waitForScreen('the installation failed (exit status 3)');
    await nvim.waitForScreen('told: setup --plugin');
    expect(await nvim.lua('return vim.fn.winnr("$")')).toBe(2);
    expect(await nvim.lua('return vim.bo.buftype')).toBe('');
  });

  it('passes on what is printed, and its failure, where there is no screen', () => {
    const run = (status: number) => {
      const own = place();
      const args = ['--headless', ...pluginWithSetUp(own, status), '+Sidekicks install', '+qall!'];
      return spawnSync(resolve(ROOT, 'scripts/nvim'), args, {
        cwd: own.project,
        env: { ...own.environment(), SIDEKICKS_NVIM: version },
        encoding: 'utf8',
      });
    };
    expect(run(0)).toMatchObject({ status: 0, stdout: 'told: setup --plugin\n', stderr: '' });
    const failed = run(1);
    expect(failed).toMatchObject({ status: 1, stdout: 'told: setup --plugin\n' });
    expect(failed.stderr).toContain('the installation failed');
  });
});

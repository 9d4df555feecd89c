// Neovim as the port `Terminals`: has lua/sidekicks/terminal run, feed, size and wipe its terminals. Decides nothing about them.
import type { NeovimClient } from 'neovim';
import { fail, ok, type Result } from '../../core/errors.ts';
import type { Terminals } from '../../core/ports.ts';
import type { TextKey } from '../../core/texts/index.ts';
import { ask } from './ask.ts';

interface Told {
  readonly pid?: number;
  readonly error?: TextKey;
  readonly values?: Readonly<Record<string, string>>;
}

export function neovimTerminals(nvim: NeovimClient): Terminals {
  const call = async (method: string, ...args: unknown[]): Promise<Result<Told>> => {
    const told = await ask<Told>(nvim, '', `return require('sidekicks.terminal.jobs').${method}(...)`, args);
    if (!told.ok || told.value.error === undefined) return told;
    return fail('unavailable', told.value.error, told.value.values);
  };
  const done = async (method: string, ...args: unknown[]): Promise<Result<undefined>> => {
    const told = await call(method, ...args);
    return told.ok ? ok(undefined) : told;
  };
  return {
    async open(plan, cols, rows) {
      const told = await call('open', plan, cols, rows);
      return told.ok ? ok(told.value.pid ?? 0) : told;
    },
    write: (id, data) => done('write', id, data),
    resize: (id, cols, rows) => done('resize', id, cols, rows),
    close: (id) => done('close', id),
  };
}

// Owns finding the errors that a person at this Neovim would have seen. It decides nothing about which are expected.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Nvim } from './nvim.ts';

const ERROR_LINE = /\bE\d{2,4}: |\bError (executing|detected|in|while)\b|stack traceback|^\s*\[string /;
const ATTEMPTS_TO_LEAVE_PROMPTS = 20;

/** Lines of `:messages` that are errors, `v:errmsg`, and prompts that keep Neovim waiting for a key. */
export async function shownErrors(nvim: Nvim): Promise<string[]> {
  if (nvim.hasExited) return [];
  const prompts = await leavePrompts(nvim);
  const lines = (await nvim.messages()).split('\n').filter((line) => ERROR_LINE.test(line));
  const last = await nvim.lua<string>('return vim.v.errmsg');
  return [...prompts, ...lines, ...(last === '' ? [] : [`v:errmsg: ${last}`])];
}

/** Answers prompts that block Neovim ("Press ENTER", questions) and gives what stood on the screen meanwhile. */
async function leavePrompts(nvim: Nvim): Promise<string[]> {
  const found: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS_TO_LEAVE_PROMPTS; attempt += 1) {
    if (!(await nvim.isBlocked())) return found;
    found.push(`Neovim waits for a key:\n${nvim.screen.text().trimEnd()}`);
    await nvim.feed('<C-c><CR>');
    await sleep(20);
  }
  throw new Error(`a prompt cannot be left\n${nvim.screen.text()}`);
}

// Owns: how long it takes from nothing to the host's first answer, and the floor of that. Must not: print.
import { resolve } from 'node:path';
import type { Figure } from './figures.ts';
import type { Measuring } from './measuring.ts';
import { onStage } from './stage.ts';

const floorHost = resolve(import.meta.dirname, 'floors/host.cjs');

const FIRST_ANSWER = `
  local started = vim.uv.hrtime()
  require('sidekicks').call('AgentService.List')
  return (vim.uv.hrtime() - started) / 1e6
`;

const FLOOR = `
  local command = ...
  local started = vim.uv.hrtime()
  local channel = vim.fn.jobstart(command, { rpc = true })
  vim.rpcrequest(channel, 'hello')
  return (vim.uv.hrtime() - started) / 1e6
`;

export interface FirstAnswers {
  readonly product: readonly number[];
  readonly floor: readonly number[];
}

const usualRuns = 11;

export async function measureFirstAnswers(measuring: Measuring): Promise<FirstAnswers> {
  const { running, runs = usualRuns, step, profile } = measuring;
  const into = profile('first-answer');
  const floor = (): Promise<number> =>
    onStage(running, ({ nvim }) => nvim.lua<number>(FLOOR, [process.execPath, floorHost]));
  const product = (): Promise<number> =>
    onStage(running, ({ nvim }) => nvim.lua<number>(FIRST_ANSWER), { profile: into });
  // The first start of each reads its files from the disk.
  step('first answer: once without counting');
  await floor();
  await product();
  const took = { product: [] as number[], floor: [] as number[] };
  for (let run = 1; run <= runs; run += 1) {
    step(`first answer: ${run} of ${runs}`);
    took.floor.push(await floor());
    took.product.push(await product());
  }
  return took;
}

export function firstAnswerFigures({ product, floor }: FirstAnswers): Figure[] {
  const reach = { type: 'ratio', most: 2 } as const;
  return [{ group: 'a', what: 'from nothing to the first answer', unit: 'ms', values: product, floor, reach }];
}

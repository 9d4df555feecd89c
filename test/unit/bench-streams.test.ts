// The measurements of `npm run bench`, once each and in small: they run, and leave nothing behind.
import { existsSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { measureFirstAnswers } from '../../bench/first-answer.ts';
import { knowsMemory } from '../../bench/machine.ts';
import type { Measuring } from '../../bench/measuring.ts';
import { Running } from '../../bench/running.ts';
import { onStage } from '../../bench/stage.ts';
import { measureStarts } from '../../bench/startup.ts';
import { streamDrawn, streamRead } from '../../bench/streams.ts';

const running = new Running();
const measuring: Measuring = { running, runs: 1, step: () => undefined, profile: () => undefined };
const limitMs = 40_000;

afterAll(() => running.endAll());

it('measures a stream that Sidekicks draws', { timeout: limitMs }, async () => {
  const { ms, probes, host, editor, notes } = await streamDrawn(running, 500);
  expect(ms).toBeGreaterThan(0);
  expect(probes.every(({ took = NaN }) => took >= 0)).toBe(true);
  expect(notes['frames']).toBeGreaterThan(0);
  if (knowsMemory()) expect([host?.now, editor?.now].every((size = 0) => size > 1)).toBe(true);
});

it('measures the same stream read by the floor', { timeout: limitMs }, async () => {
  const { ms, notes } = await streamRead(running, 500);
  expect(ms).toBeGreaterThan(0);
  expect(notes['updates']).toBe(501);
});

it('measures the first answer and the start', { timeout: limitMs }, async () => {
  const { product, floor } = await measureFirstAnswers(measuring);
  expect([...product, ...floor].map((ms) => ms > 0)).toEqual([true, true]);
  const starts = await measureStarts(measuring);
  expect(starts.plugin[0]?.sourced).toBeGreaterThan(0);
  expect(starts.floor[0]?.sourced).toBe(0);
});

it('leaves nothing behind when it is interrupted', { timeout: limitMs }, async () => {
  const interrupted = new Running();
  const nvim = await new Promise<{ pid: number; root: string }>((resolve, reject) => {
    const never = new Promise<void>(() => undefined);
    onStage(interrupted, ({ nvim, place }) => {
      resolve({ pid: nvim.pid, root: place.root });
      return never;
    }).catch(reject);
  });
  await interrupted.endAll();
  expect(() => process.kill(nvim.pid, 0)).toThrow('ESRCH');
  expect(existsSync(nvim.root)).toBe(false);
});

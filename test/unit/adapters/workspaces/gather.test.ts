// Words that are run to their end: what they print, and the limits of time and bytes.
import { expect, test } from 'vitest';
import { gather } from '../../../../src/adapters/inside/gather.ts';

const sh = (script: string, more: object = {}) =>
  gather(['sh', '-c', script], { maxBytes: 1000, limitMs: 10_000, ...more });

test('gives what was printed, how it ended, and its last words, harmless', async () => {
  const gathered = await sh('cat; echo "\u001b[31mred\u0007" >&2; exit 7', { input: Buffer.from('in\0put') });
  expect(gathered).toEqual({ ok: true, value: { code: 7, output: Buffer.from('in\0put'), errors: 'red\ufffd' } });
});

test('ends what takes too long or prints too much', async () => {
  expect(await sh('exec sleep 60', { limitMs: 50 })).toEqual({ ok: false, error: { type: 'tooLong' } });
  expect(await sh('while :; do echo more; done')).toEqual({ ok: false, error: { type: 'tooMuch' } });
});

test('takes no harm from a program that reads nothing', async () => {
  const gathered = await sh('exec true', { input: Buffer.alloc(1 << 20) });
  expect(gathered).toMatchObject({ ok: true, value: { code: 0 } });
});

test('says that there is no such program', async () => {
  const gathered = await gather(['no-such-program'], { maxBytes: 1, limitMs: 1000 });
  expect(gathered).toMatchObject({ ok: false, error: { type: 'notStarted', cause: { code: 'ENOENT' } } });
});

// Reading the system's process table, and telling which processes are an agent's.
import { describe, expect, test } from 'vitest';
import {
  findFamily,
  parseStat,
  processTable,
  startOf,
  tableOfPs,
  type ProcessEntry,
} from '../../../../src/adapters/runtimes/process-table.ts';

const entry = (pid: number, more: Partial<ProcessEntry> = {}): ProcessEntry => ({
  pid,
  parent: 1,
  group: pid,
  session: pid,
  started: `s${String(pid)}`,
  ended: false,
  ...more,
});

const family = (table: readonly ProcessEntry[], known: [number, string][] = [[100, 's100']]): number[] =>
  findFamily(table, 100, new Map(known)).map((one) => one.pid);

describe('parseStat', () => {
  const rest = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23';

  test.each([
    ['plain', `42 (sh) S ${rest}`],
    ['brackets and blanks', `42 (a) S (b c) S ${rest}`],
  ])('a name with %s', (_, line) => {
    expect(parseStat(line)).toEqual({ pid: 42, parent: 1, group: 2, session: 3, started: '19', ended: false });
  });

  test('one that ended, and half a line', () => {
    expect(parseStat(`42 (sh) Z ${rest}`)?.ended).toBe(true);
    expect(parseStat('42 (sh) S 1 2')).toBeUndefined();
    expect(parseStat('')).toBeUndefined();
  });
});

describe('findFamily', () => {
  const init = entry(1, { parent: 0 });

  test('the group, the session, children and what they made, in any order', () => {
    const table = [
      init,
      entry(106, { parent: 105 }), // a session of its own, two below
      entry(105, { parent: 101 }),
      entry(101, { parent: 100, group: 100, session: 100 }),
      entry(102, { group: 100, session: 100 }), // its parent died
      entry(103, { group: 103, session: 100 }), // a group of its own in the agent's session, parent died
      entry(107, { group: 106, session: 106 }), // in the group of a descendant, parent died
      entry(100),
      entry(200),
      entry(201, { parent: 200 }),
    ];
    expect(family(table).sort((a, b) => a - b)).toEqual([100, 101, 102, 103, 105, 106, 107]);
  });

  test('what was known before, although its parent died', () => {
    const table = [init, entry(150), entry(151, { parent: 150 })];
    expect(family(table)).toEqual([]);
    expect(family(table, [[100, 's100'], [150, 's150']])).toEqual([150, 151]); // prettier-ignore
  });

  test('never a process that was given a number again', () => {
    const table = [init, entry(100, { started: 'later' }), entry(101, { parent: 100, group: 100, session: 100 })];
    expect(family(table)).toEqual([]);
    expect(family([init, entry(150, { started: 'later' })], [[100, 's100'], [150, 's150']])).toEqual([]); // prettier-ignore
  });

  test('never ourselves', () => {
    expect(family([entry(100), entry(process.pid, { parent: 100 })])).toEqual([100]);
  });
});

test('the table of this system holds ourselves, also the one of ps', async () => {
  for (const table of [await processTable(), await tableOfPs()]) {
    const self = table.find((one) => one.pid === process.pid);
    expect(self).toMatchObject({ parent: process.ppid, ended: false });
    expect(self?.started).not.toBe('');
  }
  expect(startOf(0)).toBe('');
});

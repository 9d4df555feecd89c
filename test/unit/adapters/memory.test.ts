// Memory of the computer, from what Linux and macOS say of it (SPEC section 4).
import { expect, test } from 'vitest';
import { linuxMemory, macMemory, measureMemory } from '../../../src/adapters/system/memory.ts';

const meminfo = (available: number) =>
  `MemTotal:       1000 kB\nMemFree:          10 kB\nMemAvailable:    ${available} kB\nBuffers:  20 kB\nCached: 170 kB\n`;

test.each([
  [1000, 'normal'],
  [200, 'normal'],
  [199, 'warning'],
  [100, 'warning'],
  [99, 'critical'],
  [0, 'critical'],
])('%i of 1000 kB available is %s', (available, level) => {
  expect(linuxMemory(meminfo(available))).toEqual({ level, used: (1000 - available) * 1024, total: 1_024_000 });
});

test('an old kernel does not say what is available', () => {
  const old = meminfo(0).replace(/^MemAvailable.*\n/m, '');
  expect(linuxMemory(old)).toEqual({ level: 'normal', used: 800 * 1024, total: 1_024_000 });
});

const vmStat = `Mach Virtual Memory Statistics: (page size of 16384 bytes)
Pages free:                               10000.
Pages active:                            100000.
Pages wired down:                         30000.
Pages purgeable:                           1000.
"Translation faults":                   9999999.
Anonymous pages:                          61000.
Pages occupied by compressor:             10000.
`;

test.each([
  ['1\n', 'normal'],
  ['2\n', 'warning'],
  ['4\n', 'critical'],
])('macOS says its level itself: %j is %s', (pressure, level) => {
  const total = 16 * 2 ** 30;
  expect(macMemory(pressure, vmStat, total)).toEqual({ level, used: 100_000 * 16_384, total });
});

test('what is not understood is not measured', () => {
  const nothing = { level: '', used: 0, total: 0 };
  expect(linuxMemory('')).toEqual(nothing);
  expect(macMemory('3\n', vmStat, 1)).toEqual(nothing);
  expect(macMemory('1\n', 'vm_stat: command failed', 1)).toEqual(nothing);
});

test('a system without the means says nothing, and the log why', async () => {
  const logged: string[] = [];
  const log = { write: (text: string) => logged.push(text) };
  const other = process.platform === 'darwin' ? 'linux' : 'darwin';
  expect(await measureMemory(log, other)).toEqual({ level: '', used: 0, total: 0 });
  expect(logged).toEqual(['the memory cannot be measured']);
});

test('this computer has some', async () => {
  const { used, total } = await measureMemory({ write: () => undefined });
  expect(used).toBeGreaterThan(0);
  expect(total).toBeGreaterThan(used);
});

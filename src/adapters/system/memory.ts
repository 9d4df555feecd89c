// Measures the memory of this computer (SPEC section 4). Says nothing where it cannot be measured; never throws.
import { promises as fs } from 'node:fs';
import * as os from 'node:os';
import { promisify } from 'node:util';
import type { Log, Memory } from '../../core/ports.ts';

/** A system in need of memory may answer late; the next look is 5 s away. */
const timeoutMs = 3_000;

const unknown: Memory = { level: '', used: 0, total: 0 };

export async function measureMemory(log: Log, platform: string = process.platform): Promise<Memory> {
  try {
    if (platform === 'linux') return linuxMemory(await fs.readFile('/proc/meminfo', 'utf8'));
    if (platform === 'darwin') return await askMac();
    return fromAvailable(os.totalmem(), os.freemem());
  } catch (cause) {
    log.write('the memory cannot be measured', cause);
    return unknown;
  }
}

export function linuxMemory(meminfo: string): Memory {
  const sizes = new Map(
    [...meminfo.matchAll(/^(\w+):\s+(\d+) kB$/gm)].map(([, name, kb]) => [name, Number(kb) * 1024]),
  );
  const size = (name: string): number => sizes.get(name) ?? 0;
  // Kernels before 3.14 do not say what is available.
  const available = sizes.get('MemAvailable') ?? size('MemFree') + size('Buffers') + size('Cached');
  return fromAvailable(size('MemTotal'), available);
}

function fromAvailable(total: number, available: number): Memory {
  if (!(total > 0)) return unknown;
  const part = available / total;
  return { level: part < 0.1 ? 'critical' : part < 0.2 ? 'warning' : 'normal', used: total - available, total };
}

async function askMac(): Promise<Memory> {
  const { execFile } = await import('node:child_process');
  const run = promisify(execFile);
  const options = { timeout: timeoutMs };
  const [pressure, pages] = await Promise.all([
    run('/usr/sbin/sysctl', ['-n', 'kern.memorystatus_vm_pressure_level'], options),
    run('/usr/bin/vm_stat', [], options),
  ]);
  return macMemory(pressure.stdout, pages.stdout, os.totalmem());
}

const macLevels: Readonly<Record<string, Memory['level']>> = { '1': 'normal', '2': 'warning', '4': 'critical' };

/** App memory, wired and compressed, as Activity Monitor counts them. */
export function macMemory(pressure: string, vmStat: string, total: number): Memory {
  const level = macLevels[pressure.trim()];
  const pageSize = Number(/page size of (\d+) bytes/.exec(vmStat)?.[1]);
  const pages = new Map(
    [...vmStat.matchAll(/^"?([^":\n]+)"?:\s+(\d+)\.?$/gm)].map(([, name, count]) => [name, Number(count)]),
  );
  const count = (name: string): number => pages.get(name) ?? NaN;
  const app = count('Anonymous pages') - count('Pages purgeable');
  const used = (app + count('Pages wired down') + count('Pages occupied by compressor')) * pageSize;
  return level !== undefined && used > 0 ? { level, used, total } : unknown;
}

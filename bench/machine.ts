// Owns: what the machine says of itself and of one process. Must not: start anything but `scripts/nvim --version`.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { resolve } from 'node:path';
import { ROOT } from '../test/nvim/support/nvim.ts';

export const launcher = resolve(ROOT, 'scripts/nvim');
/** Above this the other processes of the machine are part of what is measured. */
export const busyLoad = 1.5;

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly neovim: string;
}

export function describeMachine(): Machine {
  const all = cpus();
  const [neovim = ''] = execFileSync(launcher, ['--version'], { encoding: 'utf8' }).split('\n');
  return {
    processor: all[0]?.model ?? 'unknown processor',
    cores: all.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    neovim: neovim.replace('NVIM ', ''),
  };
}

export function machineLine({ processor, cores, memoryGb, system, node, neovim }: Machine): string {
  return `${processor}, ${cores} cores, ${memoryGb} GB, ${system}; Neovim ${neovim}, Node ${node}`;
}

/** Processes that ran or wanted to, over the last minute. */
export const load = (): number => loadavg()[0] ?? 0;

export const knowsMemory = (): boolean => existsSync('/proc/self/status');

export interface Memory {
  readonly now: number;
  readonly peak: number;
}

/** Of one process, in megabytes; only Linux tells. */
export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: field('VmRSS'), peak: field('VmHWM') };
}

/** The kernel counts in hundredths of a second, whatever the machine. */
const ticksPerSecond = 100;

/** Seconds of processor one process has used; undefined where nobody tells. */
export function cpuOf(pid: number): number | undefined {
  if (!knowsMemory()) return undefined;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** How often the threads of a process have gone to sleep of their own accord: as often they had been woken. */
export function wakesOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/status`, 'utf8'));
  const count = (status: string): number => Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]);
  return threads.reduce((sum, status) => sum + count(status), 0);
}

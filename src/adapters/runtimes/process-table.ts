// What the system says of its processes, and which of them an agent launched. Signals nothing.
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not tell. */
  readonly session: number;
  /** Tells a process from a later one of the same number; "" when unknown. */
  readonly started: string;
  /** Ended, and not yet taken note of by its parent. */
  readonly ended: boolean;
}

/** Empty where the system has neither `/proc` nor `ps`. */
export type ProcessTable = () => Promise<readonly ProcessEntry[]>;

export const processTable: ProcessTable = () =>
  fs.existsSync('/proc/self/stat') ? Promise.resolve(tableOfProc()) : tableOfPs();

/** "" where `/proc` does not tell. */
export const startOf = (pid: number): string => readProc(String(pid))?.started ?? '';

/** One look serves all who ask in the same turn of the event loop: when Neovim leaves, all agents are stopped together. */
export function shared(table: ProcessTable): ProcessTable {
  let looking: ReturnType<ProcessTable> | undefined;
  return () => {
    if (looking) return looking;
    setImmediate(() => {
      looking = undefined;
    });
    looking = table();
    return looking;
  };
}

/** With what value of a variable each process was started; each is looked into once, for all who ask. */
export class StartedWith {
  readonly #variable: string;
  #table: readonly ProcessEntry[] = [];
  #values: ReadonlyMap<ProcessEntry, string> = new Map();
  #known: ReadonlyMap<string, string> = new Map();

  constructor(variable: string) {
    this.#variable = variable;
  }

  /** "" for one that was started without it, or where `/proc` does not tell. */
  in(table: readonly ProcessEntry[]): ReadonlyMap<ProcessEntry, string> {
    if (table === this.#table) return this.#values;
    const named = table.map((one) => [one, `${String(one.pid)} ${one.started}`] as const);
    const values = named.map(
      ([one, name]) => [one, this.#known.get(name) ?? valueOf(one.pid, this.#variable)] as const,
    );
    this.#table = table;
    this.#values = new Map(values);
    this.#known = new Map(named.map(([one, name]) => [name, this.#values.get(one) ?? '']));
    return this.#values;
  }
}

function valueOf(pid: number, variable: string): string {
  try {
    const environment = fs.readFileSync(`/proc/${String(pid)}/environ`, 'latin1').split('\0');
    return environment.find((entry) => entry.startsWith(`${variable}=`))?.slice(variable.length + 1) ?? '';
  } catch {
    return ''; // it ended meanwhile, or is somebody else's
  }
}

function tableOfProc(): readonly ProcessEntry[] {
  const names = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.map(readProc).filter((entry) => entry !== undefined);
}

function readProc(pid: string): ProcessEntry | undefined {
  try {
    return parseStat(fs.readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return undefined; // it ended meanwhile
  }
}

/** The name stands in brackets and may hold anything, brackets too: what counts follows the last one (proc(5)). */
export function parseStat(text: string): ProcessEntry | undefined {
  const close = text.lastIndexOf(')');
  const [state = '', parent, group, session, ...rest] = text.slice(close + 2).split(' ');
  const started = rest[15];
  if (close < 0 || started === undefined) return undefined;
  return {
    pid: Number.parseInt(text, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started,
    ended: state === 'Z' || state === 'X',
  };
}

export function tableOfPs(): Promise<readonly ProcessEntry[]> {
  const columns = ['pid=', 'ppid=', 'pgid=', 'stat=', 'lstart='].flatMap((name) => ['-o', name]);
  return new Promise((resolve) => {
    const options = { env: { ...process.env, LC_ALL: 'C' }, maxBuffer: 1 << 24 };
    execFile('ps', ['-A', ...columns], options, (error, output) => {
      resolve(error ? [] : output.split('\n').flatMap(parsePs));
    });
  });
}

function parsePs(line: string): ProcessEntry[] {
  const [pid, parent, group, state = '', ...started] = line.trim().split(/\s+/);
  if (!pid || started.length === 0) return [];
  const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group), session: 0 };
  return [{ ...numbers, started: started.join('-'), ended: state.startsWith('Z') }];
}

/** Process number to start: what is known to be an agent's. */
export type Known = ReadonlyMap<number, string>;

/**
 * The leader's group and session, whatever descends from those, the groups and sessions these made, and what was known
 * before: a process whose parent died belongs to nobody by its parent any more.
 */
export function findFamily(table: readonly ProcessEntry[], leader: number, known: Known): readonly ProcessEntry[] {
  const reused = new Set(table.filter((one) => !sameStart(known.get(one.pid), one.started)).map((one) => one.pid));
  const ours = new Set([leader, ...known.keys()].filter((pid) => !reused.has(pid)));
  const belongs = (one: ProcessEntry): boolean =>
    ours.has(one.pid) || ours.has(one.parent) || ours.has(one.group) || ours.has(one.session);
  const family = new Set<ProcessEntry>();
  for (let before = -1; before < family.size;) {
    before = family.size;
    for (const one of table) if (!family.has(one) && !reused.has(one.pid) && belongs(one)) family.add(one);
    for (const one of family) ours.add(one.pid);
  }
  return [...family].filter((one) => one.pid !== process.pid);
}

const sameStart = (known: string | undefined, started: string): boolean => !known || known === started;

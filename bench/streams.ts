// Owns: one stream of the bench agent drawn by Sidekicks, and the same read by the floor beside an idle Neovim; both are
// probed meanwhile. Must not: print or judge.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Answer, MethodName, Params } from '../src/core/contract/methods.ts';
import type { Nvim } from '../test/nvim/support/nvim.ts';
import type { Place } from '../test/nvim/support/place.ts';
import { cpuOf, knowsMemory, memoryOf, type Memory } from './machine.ts';
import { Probes, type Probe } from './probes.ts';
import { within } from '../test/nvim/support/wait.ts';
import type { Running } from './running.ts';
import { agentName, onStage } from './stage.ts';

const limitMs = 120_000;
const chunkBytes = 8;
const watchScript = readFileSync(resolve(import.meta.dirname, 'watch.lua'), 'utf8');
const profileScript = readFileSync(resolve(import.meta.dirname, 'profile.lua'), 'utf8');
const reader = resolve(import.meta.dirname, 'floors/reader.mjs');

export interface Stream {
  /** Milliseconds from the prompt to its last words in the transcript, in an editor that answers again; or to its end. */
  readonly ms: number;
  /** Those sent meanwhile. */
  readonly probes: readonly Probe[];
  /** Of the host, or of the floor in its place. */
  readonly host: Memory | undefined;
  readonly editor: Memory | undefined;
  /** Not judged: what helps to understand the rest. */
  readonly notes: Readonly<Record<string, number | undefined>>;
}

const promptOf = (chunks: number): string => `flood ${chunks} ${chunkBytes} end=bench`;
const mark = 'donemark-bench';

/** What goes on beside a stream, begun right before it; the function it gives ends it. */
export type Beside = (place: Place) => Promise<() => Promise<void>>;

export function streamDrawn(running: Running, chunks: number, profile?: string, beside?: Beside): Promise<Stream> {
  return onStage(running, ({ nvim, place }) => drawn(nvim, chunks, profile, () => beside?.(place)), { profile });
}

export function streamRead(running: Running, chunks: number): Promise<Stream> {
  return onStage(running, ({ nvim }) => {
    const child = spawn(process.execPath, [reader, promptOf(chunks)]);
    child.stderr.pipe(process.stderr);
    return running.until(
      () => void child.kill('SIGKILL'),
      () => read(nvim, child),
    );
  });
}

async function drawn(
  nvim: Nvim,
  chunks: number,
  profile: string | undefined,
  beside: () => ReturnType<Beside> | undefined,
): Promise<Stream> {
  const { conversation, buffer } = await open(nvim);
  const host = hostOf(nvim);
  const probes = await probing(nvim);
  const told = Promise.all([notified(nvim, 'bench_seen'), notified(nvim, 'bench_idle')]);
  if (profile !== undefined) await nvim.lua(profileScript);
  const before = [cpuOf(host), cpuOf(nvim.pid), nvim.screen.flushes] as const;
  const endBeside = await beside();
  const sentAt = performance.now();
  await nvim.lua(watchScript, await channelOf(nvim), conversation, promptOf(chunks), mark, buffer);
  const [[seenMs, worstWait], [idleMs]] = await told;
  const settledMs = (await probes.settled(sentAt + seenMs - probeSlackMs, limitMs)) - sentAt;
  probes.stop();
  await endBeside?.();
  if (profile !== undefined)
    writeFileSync(join(profile, 'editor.txt'), await nvim.lua<string>('return BenchProfile()'));
  const ms = Math.max(seenMs, settledMs);
  return {
    ms,
    probes: probes.between(sentAt, sentAt + ms),
    ...memories(host, nvim.pid),
    notes: {
      seenMs,
      settledMs,
      idleMs,
      worstWait,
      cpuHost: since(cpuOf(host), before[0]),
      cpuEditor: since(cpuOf(nvim.pid), before[1]),
      frames: nvim.screen.flushes - before[2],
    },
  };
}

/** The probe that was under way when the last words came says as much as the next one. */
const probeSlackMs = 10;

async function read(nvim: Nvim, child: ChildProcessWithoutNullStreams): Promise<Stream> {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const pid = child.pid ?? 0;
  await lines.next();
  const probes = await probing(nvim);
  const sentAt = performance.now();
  child.stdin.write('go\n');
  const line = await lines.next();
  if (line.done) throw new Error('the floor ended before its answer');
  const { ms, updates } = JSON.parse(line.value) as { ms: number; updates: number };
  probes.stop();
  const stream = { ms, probes: probes.between(sentAt, sentAt + ms), ...memories(pid, nvim.pid) };
  child.stdin.end();
  await once(child, 'exit');
  return { ...stream, notes: { updates } };
}

/** The conversation on screen, its agent and its session ready. */
async function open(nvim: Nvim): Promise<{ readonly conversation: string; readonly buffer: number }> {
  await nvim.command(`Sidekicks open ${agentName}`);
  const find = `local buf = vim.fn.bufnr('^sidekicks://agent/${agentName}$') return buf > 0 and buf`;
  const buffer = Number(await nvim.waitForLua('the transcript', find));
  const { id } = await call(nvim, 'ChannelService.Direct', { agent: agentName });
  await call(nvim, 'AgentService.Start', { name: agentName });
  await call(nvim, 'ChannelService.Prepare', { id });
  return { conversation: id, buffer };
}

export function call<M extends MethodName>(nvim: Nvim, method: M, params: Params<M>): Promise<Answer<M>> {
  return nvim.lua<Answer<M>>(`return require('sidekicks').call(...)`, method, params);
}

export function hostOf(nvim: Nvim): number {
  const host = nvim.processes().find(({ command }) => command.includes('/rplugin/node/sidekicks/index.cjs'));
  if (!host) throw new Error('the host does not run');
  return host.pid;
}

export async function channelOf(nvim: Nvim): Promise<number> {
  const info = await nvim.request('nvim_get_api_info');
  return Array.isArray(info) ? Number(info[0]) : 0;
}

/** Probes of an editor that has come to rest. */
async function probing(nvim: Nvim): Promise<Probes> {
  const probes = new Probes(nvim);
  probes.start();
  await probes.settled(performance.now(), limitMs);
  return probes;
}

/** The numbers that come with a notification; one that does not come in time is an error that shows the screen. */
function notified(nvim: Nvim, name: string): Promise<[number, number]> {
  const numbers = new Promise<[number, number]>((resolve, reject) => {
    nvim.onNotification(name, ([first, second]) => resolve([Number(first), Number(second)]));
    nvim.onNotification('bench_failed', ([message]) => reject(new Error(String(message))));
  });
  return within(limitMs, numbers, () => {
    throw new Error(`no ${name} within ${limitMs / 1000} s\n${nvim.screen.text()}`);
  });
}

function memories(host: number, editor: number): Pick<Stream, 'host' | 'editor'> {
  if (!knowsMemory()) return { host: undefined, editor: undefined };
  return { host: memoryOf(host), editor: memoryOf(editor) };
}

const since = (now: number | undefined, before: number | undefined): number | undefined =>
  now === undefined || before === undefined ? undefined : now - before;

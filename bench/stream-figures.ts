// Owns: the figures that streams give: time, round trips meanwhile, memory after. Must not: measure or print.
import type { Figure, Reach } from './figures.ts';
import { knowsMemory } from './machine.ts';
import { percentile } from './statistics.ts';
import type { Series, Streams } from './stream-series.ts';
import type { Stream } from './streams.ts';

/** More than this and the time grows faster than the stream. */
const linear = 1.2;
const memoryLimitMb = 120;

export function streamFigures({ short, long }: Series): Figure[] {
  return [
    ...[short, long].map(timeFigure),
    linearFigure(short, long),
    ...[short, long].flatMap(probeFigures),
    ...(knowsMemory() ? memoryFigures(long) : []),
  ];
}

const count = (chunks: number): string => chunks.toLocaleString('en');

function timeFigure({ chunks, product, floor }: Streams): Figure {
  const seconds = ({ ms }: Stream): number => ms / 1000;
  const reach = { type: 'ratio', most: 2 } as const;
  const what = `${count(chunks)} chunks, in the transcript and settled`;
  return { group: 'b', what, unit: 's', values: product.map(seconds), floor: floor.map(seconds), reach };
}

function linearFigure(short: Streams, long: Streams): Figure {
  const times = long.chunks / short.chunks;
  const growth = (which: 'product' | 'floor'): number[] =>
    long[which].map(({ ms }, run) => ms / times / (short[which][run]?.ms ?? NaN));
  return {
    group: 'b',
    what: `a chunk of ${count(long.chunks)} over one of ${count(short.chunks)}`,
    unit: '×',
    values: growth('product'),
    floor: growth('floor'),
    reach: { type: 'most', most: linear },
  };
}

function probeFigures({ chunks, product, floor }: Streams): Figure[] {
  const figure = (what: string, of: (stream: Stream) => number, reach?: Reach): Figure => ({
    group: 'c',
    what: `${what}, ${count(chunks)} chunks`,
    unit: 'ms',
    values: product.map(of),
    floor: floor.map(of),
    ...(reach && { reach }),
  });
  const answers = (share: number) => (stream: Stream) =>
    percentile(
      stream.probes.map(({ took = NaN }) => took),
      share,
    );
  const late = (stream: Stream): number =>
    percentile(
      stream.probes.map((probe) => probe.late),
      1,
    );
  return [
    figure('round trip p50', answers(0.5)),
    figure('round trip p95', answers(0.95)),
    figure('round trip p99', answers(0.99), { type: 'under', limit: 16 }),
    figure('round trip max', answers(1), { type: 'under', limit: 30 }),
    figure('our own timer late, max', late),
  ];
}

function memoryFigures({ chunks, product, floor }: Streams): Figure[] {
  const figure = (who: 'host' | 'editor', when: 'now' | 'peak', what: string, reach?: Reach): Figure => ({
    group: 'd',
    what: `${what} ${count(chunks)} chunks`,
    unit: 'MB',
    values: product.map((stream) => stream[who]?.[when] ?? NaN),
    floor: floor.map((stream) => stream[who]?.[when] ?? NaN),
    ...(reach && { reach }),
  });
  return [
    figure('host', 'now', 'host after', { type: 'under', limit: memoryLimitMb }),
    figure('host', 'peak', 'host at most, during'),
    figure('editor', 'now', 'editor after'),
    figure('editor', 'peak', 'editor at most, during'),
  ];
}

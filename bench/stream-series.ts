// Owns: taking the streams of both lengths again and again, the floor's and ours in turn. Must not: judge or print.
import type { Measuring } from './measuring.ts';
import { streamDrawn, streamRead, type Stream } from './streams.ts';

/** The streams of one length. */
export interface Streams {
  readonly chunks: number;
  readonly product: Stream[];
  readonly floor: Stream[];
}

export interface Series {
  readonly short: Streams;
  readonly long: Streams;
}

const usualRuns = 5;

export async function measureStreams({ running, runs = usualRuns, step, profile }: Measuring): Promise<Series> {
  const short: Streams = { chunks: 20_000, product: [], floor: [] };
  const long: Streams = { chunks: 100_000, product: [], floor: [] };
  for (let run = 1; run <= runs; run += 1) {
    for (const { chunks, product, floor } of [short, long]) {
      step(`${chunks} chunks, ${run} of ${runs}: read by the floor`);
      floor.push(await streamRead(running, chunks));
      step(`${chunks} chunks, ${run} of ${runs}: drawn by Sidekicks`);
      product.push(await streamDrawn(running, chunks, profile(`stream-${chunks}`)));
    }
  }
  return { short, long };
}

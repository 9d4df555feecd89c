// Owns: the process of the demo agent: standard streams, environment, exit. Must not: hold behaviour.
import { Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { agentVersion, DemoAgent } from './agent.ts';
import { openStore, storeFolder } from './store.ts';
import { textsFor } from './texts/texts.ts';

const defaultPace = 12;
const maxPace = 1000;

function paceOf(value: string | undefined): number {
  const pace = Number(value);
  return value === undefined || value === '' || !(pace >= 0) ? defaultPace : Math.min(pace, maxPace);
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Bytes from standard input; its end ends the process at once, whatever is under way. */
function input(leave: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      process.stdin.on('data', (bytes: Buffer) => controller.enqueue(bytes));
      process.stdin.on('end', leave);
      process.stdin.on('error', leave);
    },
  });
}

function main(): void {
  const demo = new DemoAgent({
    texts: textsFor(process.env),
    pace: paceOf(process.env['SIDEKICKS_DEMO_PACE']),
    store: openStore(storeFolder(process.env), log),
    log,
  });
  const leave = (): never => {
    demo.keepAll();
    process.exit(0);
  };
  // A client that is gone closes both pipes; the write end may be the first to tell.
  process.stdout.on('error', leave);
  demo.connect(ndJsonStream(Writable.toWeb(process.stdout), input(leave)));
  log(`demo agent ${agentVersion} ready`);
}

main();

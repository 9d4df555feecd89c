// The msgpack-RPC connection to Neovim over standard input and output, by the `neovim` package. Knows no method of ours.
// Not from the package's front, which also loads what finds and starts Neovims.
import { NeovimClient } from 'neovim/lib/api/client.js';
import type { Log } from '../../core/ports.ts';

/** Answers a request, or takes a notification (the answer is then thrown away). */
export type Handler = (name: string, args: readonly unknown[]) => Promise<object>;

interface Response {
  send(answer: unknown, isError?: boolean): void;
}

/**
 * The package holds every message back until Neovim has described its whole API, of which it keeps only the number of its
 * own channel. Nothing here wants that number, and the first answer would wait for 32 KB to be read.
 */
class Client extends NeovimClient {
  override requestApi(): Promise<number[]> {
    return Promise.resolve([0]);
  }
}

/** Handlers get the function's name without the plugin path Neovim puts before it (`<path>:function:<name>`). */
export function connectNeovim(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  handler: Handler,
  log: Log,
): NeovimClient {
  const nvim = new Client({ logger: quietLogger(log) });
  nvim.attach({ reader: input, writer: output });
  nvim.on('request', (method: string, args: unknown[], response: Response) => {
    if (method === 'poll') {
      response.send('ok');
      return;
    }
    handler(functionName(method), parameters(args)).then(
      (answer) => {
        response.send(answer);
      },
      (cause: unknown) => {
        log.write(`the request ${method} failed`, cause);
        response.send(String(cause), true);
      },
    );
  });
  nvim.on('notification', (method: string, args: unknown[]) => {
    handler(functionName(method), parameters(args)).catch((cause: unknown) => {
      log.write(`the notification ${method} failed`, cause);
    });
  });
  return nvim;
}

const functionName = (method: string): string => method.slice(method.lastIndexOf(':') + 1);

/** A function registered as a remote one sends its arguments as one list. */
const parameters = (args: unknown[]): readonly unknown[] => (Array.isArray(args[0]) ? (args[0] as unknown[]) : args);

/** The package's own logger would take over `console` and load a logging library; ours keeps only what went wrong. */
function quietLogger(log: Log) {
  const ignore = () => undefined;
  const keep = (message: unknown, ...rest: unknown[]) => {
    log.write(`neovim client: ${String(message)}`, rest.length > 0 ? rest : undefined);
  };
  return { level: 'warn', debug: ignore, info: ignore, warn: keep, error: keep } as unknown as NeovimClient['logger'];
}

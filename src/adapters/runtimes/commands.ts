// Runs lines of the configuration by `sh -c`, each in a process group of its own that ends with the host (SPEC section 4), and
// says whether a container or sandbox is there.
import { harmless } from '../../core/harmless.ts';
import { LineReader } from '../../core/line-reader.ts';
import { fail, ok, type Result } from '../../core/errors.ts';
import type { Answered, Clock, CommandRunner, Exit } from '../../core/ports.ts';
import { insideWords, type Inside } from '../../core/runtime.ts';
import type { LocalLauncher, Program } from './local.ts';

const maxLine = 4096;
/** Nobody can answer what a command asks: it reads the end of its input at once. */
const withoutInput = 'exec sh -c "$1" </dev/null';

/** An engine that does not answer for so long is not there. */
const reachMs = 30_000;
/** `docker exec` ends with these when the container is there, and the program in it is not. */
const reachedCodes = [0, 126, 127];

export const commandRunner = (processes: LocalLauncher, clock: Clock): CommandRunner => ({
  run: (line, folder, printed) => {
    const program = { command: 'sh', args: ['-c', withoutInput, 'sh', line], env: {} };
    return run(processes, program, folder, printed).ended;
  },
  reach: (inside) => reach(processes, clock, inside),
  ask: (inside, words) => ask(processes, clock, inside, words),
  dispose: () => processes.dispose(),
});

async function reach(processes: LocalLauncher, clock: Clock, inside: Inside): Promise<Result<undefined>> {
  const asked = await ask(processes, clock, inside, ['true']);
  if (!asked.ok) return asked;
  const { code, said } = asked.value;
  if (reachedCodes.includes(code)) return ok(undefined);
  return fail('unavailable', 'sandbox.unreachable', { name: inside.name, what: said.at(-1) ?? '' });
}

async function ask(
  processes: LocalLauncher,
  clock: Clock,
  inside: Inside,
  words: readonly string[],
): Promise<Result<Answered>> {
  const { name } = inside;
  const [command = '', ...args] = insideWords(inside, words, { folder: '' });
  const said: string[] = [];
  const { ended, stop } = run(processes, { command, args, env: {} }, '/', (line) => said.push(line));
  const exit = await within(clock, reachMs, ended);
  if (!exit) {
    stop();
    return fail('timeout', 'sandbox.noAnswer', { name, command });
  }
  if (!exit.ok) return fail('unavailable', 'sandbox.noProgram', { name, command }, exit.error.cause);
  return ok({ code: exit.value.code, said });
}

/** Undefined when it takes longer. */
function within<T>(clock: Clock, ms: number, promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(undefined));
    void promise.then((value) => {
      cancel();
      resolve(value);
    });
  });
}

interface Command {
  readonly ended: Promise<Result<Exit>>;
  readonly stop: () => void;
}

function run(processes: LocalLauncher, program: Program, folder: string, printed: (line: string) => void): Command {
  const [output, errors] = [lines(printed), lines(printed)];
  let stop: Command['stop'] = () => undefined;
  const ended = new Promise<Result<Exit>>((resolve) => {
    const launched = processes.launch(program, folder, {
      output: (chunk) => output.push(chunk),
      errors: (chunk) => errors.push(chunk),
      outputClosed: () => undefined,
      failed: (error) => resolve({ ok: false, error }),
      ended: (exit) => {
        output.end();
        errors.end();
        resolve(ok(exit));
      },
    });
    stop = () => void launched.stop();
  });
  return { ended, stop: () => stop() };
}

function lines(printed: (line: string) => void): LineReader {
  const tell = (line: string): void => {
    const shown = harmless(line);
    if (shown.trim() !== '') printed(shown);
  };
  return new LineReader(maxLine, tell, tell);
}

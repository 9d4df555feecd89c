// Runs lines of the configuration by `sh -c`, each in a process group of its own that ends with the host (SPEC section 4).
import { harmless } from '../../core/harmless.ts';
import { LineReader } from '../../core/line-reader.ts';
import { ok, type Result } from '../../core/errors.ts';
import type { CommandRunner, Exit } from '../../core/ports.ts';
import type { LocalLauncher } from './local.ts';

const maxLine = 4096;
/** Nobody can answer what a command asks: it reads the end of its input at once. */
const withoutInput = 'exec sh -c "$1" </dev/null';

export const commandRunner = (processes: LocalLauncher): CommandRunner => ({
  run: (line, folder, printed) => run(processes, line, folder, printed),
  dispose: () => processes.dispose(),
});

function run(
  processes: LocalLauncher,
  line: string,
  folder: string,
  printed: (line: string) => void,
): Promise<Result<Exit>> {
  const [output, errors] = [lines(printed), lines(printed)];
  const program = { command: 'sh', args: ['-c', withoutInput, 'sh', line], env: {} };
  return new Promise((resolve) => {
    processes.launch(program, folder, {
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
  });
}

function lines(printed: (line: string) => void): LineReader {
  const tell = (line: string): void => {
    const shown = harmless(line);
    if (shown.trim() !== '') printed(shown);
  };
  return new LineReader(maxLine, tell, tell);
}

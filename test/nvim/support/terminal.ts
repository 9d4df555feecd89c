// Owns one Neovim in a real terminal (a pseudo-terminal made by script(1)), for what only a terminal can show.
// There is no screen here; for everything else the child Neovim of nvim.ts is simpler and faster.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { ROOT, SURVIVORS_LIMIT_MS, type NvimVersion } from './nvim.ts';
import { clipboardWrites, type ClipboardWrite } from './osc52.ts';
import type { Place } from './place.ts';
import { MARK, ProcessFamily } from './processes.ts';
import { RpcChannel } from './rpc.ts';
import { typedAnswers } from './terminal-answers.ts';
import { waitFor } from './wait.ts';

export interface NvimTerminalOptions {
  readonly version: NvimVersion;
  readonly place: Place;
  readonly args?: readonly string[];
}

export class NvimTerminal {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #family: ProcessFamily;
  readonly #output: Buffer[] = [];
  readonly #address: string;
  #socket: Socket | undefined;
  #rpc: RpcChannel | undefined;

  static async start(options: NvimTerminalOptions): Promise<NvimTerminal> {
    const terminal = new NvimTerminal(options);
    try {
      await terminal.#connect();
    } catch (error) {
      await terminal.#family.kill();
      throw new Error(`no Neovim ${options.version} in a terminal:\n${terminal.output()}`, { cause: error });
    }
    return terminal;
  }

  private constructor({ version, place, args = [] }: NvimTerminalOptions) {
    this.#address = join(place.root, `run/${randomUUID().slice(0, 8)}`);
    const mark = randomUUID();
    const words = [resolve(ROOT, 'scripts/nvim'), '--listen', this.#address, ...args];
    const child = spawn('script', scriptArguments(`stty rows 40 cols 120; exec ${words.map(quoted).join(' ')}`), {
      cwd: place.project,
      env: { ...place.environment(), SIDEKICKS_NVIM: version, TERM: 'xterm-256color', [MARK]: mark },
      detached: true,
      stdio: 'pipe',
    });
    if (child.pid === undefined) throw new Error('script(1) cannot be started');
    this.#process = child;
    this.#family = new ProcessFamily(child.pid, mark);
    child.stdout.on('data', (data: Buffer) => {
      this.#output.push(data);
      for (const answer of typedAnswers(data.toString('latin1'))) child.stdin.write(answer);
    });
    child.stderr.on('data', (data: Buffer) => this.#output.push(data));
    // A terminal that is gone reads no answer any more; that it went is seen from its processes.
    child.stdin.on('error', () => undefined);
  }

  async #connect(): Promise<void> {
    this.#socket = await waitFor('the socket', () => connected(this.#address));
    this.#rpc = new RpcChannel(this.#socket, this.#socket, () => undefined);
    await this.waitFor('the end of the start', () => this.lua('return vim.v.vim_did_enter == 1'));
  }

  /** Runs Lua that may `return` something; the arguments are its `...`. */
  lua(code: string, ...args: readonly unknown[]): Promise<unknown> {
    if (!this.#rpc) throw new Error('not connected yet');
    return this.#rpc.request('nvim_exec_lua', [code, args]);
  }

  /** Sends bytes as the keyboard would: no key notation, `\x1b` is Escape. */
  type(bytes: string): Promise<void> {
    return new Promise((done, failed) => {
      this.#process.stdin.write(bytes, (error) => (error ? failed(error) : done()));
    });
  }

  waitFor<T>(what: string, probe: () => T | Promise<T>, limitMs?: number) {
    return waitFor(what, probe, limitMs);
  }

  /** Every byte that has reached the terminal so far. */
  output(): string {
    return Buffer.concat(this.#output).toString('utf8');
  }

  clipboardWrites(): ClipboardWrite[] {
    return clipboardWrites(this.output());
  }

  /** Leaves, and throws if anything it started stays running. */
  async dispose(): Promise<void> {
    this.#family.alive();
    // The channel closes before an answer could come; a refusal shows as a process that stays.
    const left = this.lua(`vim.cmd('qall!')`).then(() => '', String);
    try {
      await this.#family.waitUntilGone(SURVIVORS_LIMIT_MS);
    } finally {
      await this.#family.kill();
      await left;
      this.#socket?.destroy();
    }
  }
}

/** A socket is there a moment before anybody listens on it, so only a connection that stands counts. */
function connected(address: string): Promise<Socket | undefined> {
  return new Promise((done) => {
    const socket = connect(address);
    socket.once('connect', () => done(socket));
    socket.once('error', () => done(undefined));
  });
}

/** script(1) of util-linux takes one command line, that of BSD and macOS a list of words. */
function scriptArguments(commandLine: string): string[] {
  if (process.platform === 'linux') return ['-qfec', commandLine, '/dev/null'];
  return ['-q', '/dev/null', 'sh', '-c', commandLine];
}

function quoted(word: string): string {
  return `'${word.replaceAll(`'`, `'\\''`)}'`;
}

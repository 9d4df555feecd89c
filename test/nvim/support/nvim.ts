// Owns one child Neovim: its process, the RPC with it and the screen it draws. Knows nothing of Sidekicks.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { clipboardWrites, type ClipboardWrite } from './osc52.ts';
import type { Place } from './place.ts';
import { kill, MARK, ProcessFamily, type ProcessInfo } from './processes.ts';
import { RpcChannel } from './rpc.ts';
import { Screen } from './screen.ts';
import { shownErrors } from './shown-errors.ts';
import { terminalAnswers } from './terminal-answers.ts';
import { waitFor, within } from './wait.ts';

export type NvimVersion = '0.12' | '0.10';

export interface NvimOptions {
  readonly version: NvimVersion;
  readonly place: Place;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly lines?: number;
  /** As on a full disk: nothing it starts can make a file grow beyond so much. */
  readonly fileLimitKb?: number;
}

export const ROOT = resolve(import.meta.dirname, '../../..');

const REQUEST_LIMIT_MS = 20_000;
/** Sidekicks gives an agent 8 s to end (5 to SIGTERM, 3 more to SIGKILL); after 9 nothing may be left. */
export const SURVIVORS_LIMIT_MS = 9000;

/** The shell gives way to what it starts; `ulimit` counts in blocks of 512 bytes. */
const fileLimit = (kb: number | undefined): readonly string[] =>
  kb === undefined ? [] : ['sh', '-c', `trap '' XFSZ; ulimit -f ${kb * 2}; exec "$@"`, 'sh'];

export class Nvim {
  readonly version: NvimVersion;
  readonly place: Place;
  readonly screen = new Screen();
  readonly #process: ChildProcess;
  readonly #rpc: RpcChannel;
  readonly #family: ProcessFamily;
  readonly #listeners = new Map<string, (params: readonly unknown[]) => void>();
  readonly #terminal: Buffer[] = [];
  readonly #errorsRead: Promise<unknown>;
  readonly #answers: Promise<void>[] = [];
  readonly #allowedErrors: RegExp[] = [];

  /** Starts a Neovim with a screen attached from its first moment, and waits until it has read everything. */
  static async start(options: NvimOptions): Promise<Nvim> {
    const nvim = new Nvim(options);
    await nvim.#attach(options.columns ?? 120, options.lines ?? 40);
    return nvim;
  }

  private constructor({ version, place, args = [], env = {}, fileLimitKb }: NvimOptions) {
    this.version = version;
    this.place = place;
    const mark = randomUUID();
    const [program = '', ...words] = [...fileLimit(fileLimitKb), resolve(ROOT, 'scripts/nvim'), '--embed', ...args];
    const child = spawn(program, words, {
      cwd: place.project,
      env: { ...place.environment(), SIDEKICKS_NVIM: version, [MARK]: mark, ...env },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    if (child.pid === undefined) throw new Error('scripts/nvim cannot be started');
    this.#process = child;
    this.#family = new ProcessFamily(child.pid, mark);
    child.stderr.on('data', (data: Buffer) => this.#terminal.push(data));
    this.#errorsRead = new Promise((resolve) => child.stderr.once('close', resolve));
    this.#rpc = new RpcChannel(child.stdout, child.stdin, (method, params) => this.#notified(method, params));
  }

  async #attach(columns: number, lines: number): Promise<void> {
    const ui = { rgb: true, ext_linegrid: true, ext_hlstate: true, stdin_tty: true, stdout_tty: true };
    try {
      await this.request('nvim_ui_attach', columns, lines, ui);
    } catch (error) {
      // What it said may still be on its way.
      await this.#errorsRead;
      throw new Error(`Neovim ${this.version} does not start: ${this.terminalOutput()}`, { cause: error });
    }
    await this.waitForLua('the end of the start', 'return vim.v.vim_did_enter == 1');
    await Promise.all(this.#answers);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  get hasExited(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  get exitCode(): number | null {
    return this.#process.exitCode;
  }

  /** One API call. A Neovim that waits for a key answers none, so a late answer is an error that shows the screen. */
  request(method: string, ...params: readonly unknown[]): Promise<unknown> {
    return within(REQUEST_LIMIT_MS, this.#rpc.request(method, params), () => {
      throw new Error(`no answer to ${method} within ${REQUEST_LIMIT_MS / 1000} s\n${this.screen.text()}`);
    });
  }

  /** Runs Lua that may `return` something; the arguments are its `...`. The caller says what shape comes back. */
  async lua<T = unknown>(code: string, ...args: readonly unknown[]): Promise<T> {
    return (await this.request('nvim_exec_lua', code, args)) as T;
  }

  async command(command: string): Promise<void> {
    await this.request('nvim_command', command);
  }

  /** Types keys as a person would; `<` is written `<lt>`. Neovim has taken them when the next request is answered. */
  async feed(keys: string): Promise<void> {
    await this.request('nvim_input', keys);
  }

  /** What the test waits for; a wait in vain shows the screen and `:messages`. */
  async waitFor<T>(what: string, probe: () => T | Promise<T>, limitMs?: number) {
    try {
      return await waitFor(what, probe, limitMs);
    } catch (error) {
      throw new Error(`waiting for ${what}\n${await this.describe()}`, { cause: error });
    }
  }

  waitForLua(what: string, code: string, ...args: readonly unknown[]) {
    return this.waitFor(what, () => this.lua(code, ...args));
  }

  /** Waits until the screen shows the text, or a text that fits the pattern. */
  waitForScreen(text: string | RegExp, limitMs?: number) {
    const shows = (): boolean => {
      const screen = this.screen.text();
      return typeof text === 'string' ? screen.includes(text) : text.test(screen);
    };
    return this.waitFor(`${text} on the screen`, shows, limitMs);
  }

  /** Calls back for each `vim.rpcnotify(channel, name, …)` to this test; one listener a name. */
  onNotification(name: string, listener: (params: readonly unknown[]) => void): void {
    this.#listeners.set(name, listener);
  }

  async messages(): Promise<string> {
    const all = await this.lua<string>(`return vim.api.nvim_exec2('messages', { output = true }).output`);
    const lines = all.split('\n').filter((line) => !OWN_FAULT.test(line));
    return lines.join('\n');
  }

  /** The lines of the loaded buffer of this name (or this path of the project). */
  async bufferLines(name: string): Promise<string[]> {
    const lines = await this.lua<string[] | false>(BUFFER_LINES, name, this.place.path(name));
    if (lines === false) throw new Error(`no loaded buffer is called ${name}\n${await this.describe()}`);
    return lines;
  }

  async register(name: string): Promise<string> {
    return this.lua<string>('return vim.fn.getreg(...)', name);
  }

  async mode(): Promise<string> {
    return this.lua<string>('return vim.api.nvim_get_mode().mode');
  }

  /** Whether Neovim waits for a key and would answer no other request. */
  async isBlocked(): Promise<boolean> {
    const mode = await this.request('nvim_get_mode');
    return typeof mode === 'object' && mode !== null && 'blocking' in mode && mode.blocking === true;
  }

  /** What Neovim wrote for the terminal around its own drawing: `nvim_ui_send`, its standard output and error. */
  terminalOutput(): string {
    return Buffer.concat(this.#terminal).toString('utf8');
  }

  clipboardWrites(): ClipboardWrite[] {
    return clipboardWrites(this.terminalOutput());
  }

  /** An error whose text fits is expected, and does not fail the test at its end. */
  allowErrors(pattern: RegExp): void {
    this.#allowedErrors.push(pattern);
  }

  /** Neovim itself, and all it has started that still runs. */
  processes(): ProcessInfo[] {
    return this.#family.alive();
  }

  /** Ends Neovim as a crash would. */
  async crash(): Promise<void> {
    this.processes();
    kill(this.pid);
    await this.#exit();
  }

  /** Leaves as a person does, and gives the milliseconds until Neovim was gone. */
  async quit(): Promise<number> {
    this.processes();
    const started = performance.now();
    // The channel closes before an answer could come, so only a refusal is answered.
    const refusal = this.#rpc.request('nvim_command', ['qall!']).then(() => '', String);
    await within(REQUEST_LIMIT_MS, this.#exit(), async () => {
      throw new Error(`Neovim does not leave: ${await within(0, refusal, () => 'no answer')}\n${this.screen.text()}`);
    });
    return performance.now() - started;
  }

  /** The errors a person would have seen, without those that the test expects. */
  async errors(): Promise<string[]> {
    const shown = await shownErrors(this);
    return shown.filter((text) => !this.#allowedErrors.some((pattern) => pattern.test(text)));
  }

  /** Leaves, and throws if anything it started is still running when Sidekicks' own limits are over. */
  async dispose(limitMs = SURVIVORS_LIMIT_MS): Promise<void> {
    try {
      if (!this.hasExited) await this.quit();
      await this.#family.waitUntilGone(limitMs);
    } finally {
      await this.#family.kill();
    }
  }

  /** For the message of a failed test. */
  async describe(): Promise<string> {
    if (this.hasExited) {
      return `Neovim has exited (${this.exitCode ?? this.#process.signalCode})\n${this.terminalOutput()}`;
    }
    const screen = `--- screen (mode ${this.screen.mode}) ---\n${this.screen.text().trimEnd()}`;
    const messages = await within(1000, this.messages(), () => '(no answer: Neovim waits for a key)');
    return `${screen}\n--- :messages ---\n${messages}`;
  }

  #exit(): Promise<void> {
    if (this.hasExited) return Promise.resolve();
    return new Promise((done) => this.#process.once('exit', () => done()));
  }

  #notified(method: string, params: readonly unknown[]): void {
    if (method !== 'redraw') return this.#listeners.get(method)?.(params);
    this.screen.apply(params);
    for (const event of params) {
      if (Array.isArray(event) && event[0] === 'ui_send') this.#takeTerminalOutput(event.slice(1));
    }
  }

  #takeTerminalOutput(uses: readonly unknown[]): void {
    for (const use of uses) {
      const text = Array.isArray(use) ? String(use[0]) : '';
      this.#terminal.push(Buffer.from(text));
      for (const answer of terminalAnswers(text)) this.#answers.push(this.#answer(answer));
    }
  }

  async #answer(sequence: string): Promise<void> {
    await this.request('nvim_ui_term_event', 'termresponse', sequence);
  }
}

/** On a busy machine our answer to Neovim's question for the background may come after the 0.1 s it waits. */
const OWN_FAULT = /^E1568: Terminal did not respond/;

const BUFFER_LINES = `
  local name, path = ...
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local own = vim.api.nvim_buf_get_name(buf)
    if vim.api.nvim_buf_is_loaded(buf) and (own == name or own == path) then
      return vim.api.nvim_buf_get_lines(buf, 0, -1, false)
    end
  end
  return false
`;

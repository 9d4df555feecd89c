// The editor: its buffers and windows, as far as app asks for them. Interfaces and plain data only.
import type { HostEvent } from '../contract/events.ts';
import type { Result } from '../errors.ts';
import type { ContextWord } from '../prompt/reading.ts';

/** A loaded buffer of a file. `text` is what writing it would put on disk, as text. */
export interface BufferSnapshot {
  readonly text: string;
  readonly modified: boolean;
  /** Neovim's changedtick, to see whether it moved on. */
  readonly tick: number;
  /** The states of the file the buffer was last read from and written as, as `Disk.stamp` gives them; "" if not known. */
  readonly read: string;
  readonly wrote: string;
}

/** Lines `from` to `to` (from 0, end excluded) are replaced. */
export interface LineChange {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

export interface Editor {
  /** Neovim's own, not that of a window or tab page. */
  workingDirectory(): Promise<string>;
  /** Events in order, gathered into one message by the caller. */
  send(events: readonly HostEvent[]): void;
  /** The buffer of a file, undefined when none is loaded; a clean one whose file changed is reloaded first (SPEC 9). */
  readBuffer(path: string): Promise<Result<BufferSnapshot | undefined>>;
  /** One undo step, only if the buffer still has `tick`; false when it moved on. `ended`: the last line has its line end. */
  changeBuffer(path: string, tick: number, changes: readonly LineChange[], ended: boolean): Promise<Result<boolean>>;
  /** What the window a person was in last shows of these (SPEC 6). */
  context(words: readonly ContextWord[]): Promise<Result<EditorContext>>;
  /** What the buffer held when it was last read or written, while its folder is followed; undefined if that is not known. */
  bufferBase(path: string): Promise<Result<string | undefined>>;
  /** For each path what tells one state of its buffer and of the file below it from another; "" where none is loaded. */
  bufferVersions(paths: readonly string[]): Promise<Result<readonly string[]>>;
  /** Whether the buffer of a file holds unsaved text, also one that `readBuffer` cannot give; false where none is loaded. */
  isModified(path: string): Promise<Result<boolean>>;
  /** Writes the buffer of a file to disk if it still has `tick` and nobody else changed the file; false when not. */
  saveBuffer(path: string, tick: number): Promise<Result<boolean>>;
  /** Loads a file into a buffer that no window shows. */
  loadBuffer(path: string): Promise<Result<undefined>>;
  /** While agents work in these folders (resolved) Neovim asks nothing about changed files there; gives the files of loaded buffers. */
  followBuffers(folders: readonly string[]): Promise<Result<readonly string[]>>;
  /** Asks the person for a path; the answer comes later, through `ViewService.Answer` with this id. Fails with `no-ui`. */
  askPath(id: number, prompt: string): Promise<Result<undefined>>;
  /** What `vim.secure` says of a file (SPEC 3). */
  trust(path: string, how: TrustQuestion): Promise<Result<Trust>>;
}

/** Lines of a buffer; `path` relative to the working directory where it lies in it, "" for a buffer without a name. */
export interface ContextLines {
  readonly path: string;
  readonly filetype: string;
  /** From 1. */
  readonly first: number;
  readonly last: number;
  readonly text: string;
  /** There is more than was taken. */
  readonly cut: boolean;
}

export interface ContextFinding {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: string;
  readonly message: string;
}

/** What could be found of what was asked for; a key left out stands for nothing. */
export interface EditorContext {
  readonly selection?: ContextLines;
  readonly buffer?: ContextLines;
  readonly diagnostics?: { readonly path: string; readonly found: readonly ContextFinding[] };
  readonly quickfix?: { readonly title: string; readonly found: readonly ContextFinding[] };
}

/** `look` asks nobody; `ask` asks the person where nothing typed could be taken for the answer; `allow` is the person's own word. */
export type TrustQuestion = 'look' | 'ask' | 'allow';

export interface Trust {
  /** Of the content that is trusted, in hexadecimal; "" when none is. */
  readonly sha256: string;
  /** The file Neovim keeps its answers in: when it changes, so may this. */
  readonly database: string;
}

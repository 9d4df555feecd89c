// Owns one file with a buffer in memory, as the ports of the host see both, for tests that interleave many edits.
import { fail, ok } from '../../../src/core/errors.ts';
import { splitText } from '../../../src/core/edits.ts';
import type { Disk, Editor, LineChange } from '../../../src/core/ports.ts';

export const FILE = '/w/a.txt';

export class OneFile {
  disk: string;
  buffer: string;
  modified = false;
  tick = 1;
  /** Every text the buffer ever held: what undo leads back to. */
  readonly undo: string[] = [];
  /** Called between two calls of the host, as a person who types meanwhile. */
  meanwhile: () => void = () => undefined;
  #version = 1;
  #read = '1';
  #wrote = '';
  #base: string;

  constructor(text: string) {
    this.disk = text;
    this.buffer = text;
    this.#base = text;
  }

  set(text: string, modified: boolean): void {
    if (text === this.buffer) return;
    this.undo.push(this.buffer);
    this.buffer = text;
    this.modified = modified;
    this.tick += 1;
  }

  /** The person's `:write`. */
  save(): void {
    this.writeDisk(this.buffer);
    this.modified = false;
    this.#wrote = String(this.#version);
    this.#read = '';
    this.#base = this.buffer;
  }

  writeDisk(text: string): void {
    this.disk = text;
    this.#version += 1;
  }

  get version(): string {
    return String(this.#version);
  }

  readonly editor: Editor = {
    workingDirectory: () => Promise.resolve('/w'),
    send: () => undefined,
    readBuffer: async () => {
      if (!this.modified && this.buffer !== this.disk) {
        this.set(this.disk, false);
        this.#read = String(this.#version);
        this.#base = this.disk;
      }
      const { buffer: text, modified, tick } = this;
      const snapshot = { text, modified, tick, read: this.#read, wrote: this.#wrote };
      await Promise.resolve();
      this.meanwhile();
      return ok(snapshot);
    },
    changeBuffer: (_path, tick, changes, ended) => {
      if (tick !== this.tick) return Promise.resolve(ok(false));
      this.set(changed(this.buffer, changes, ended), true);
      return Promise.resolve(ok(true));
    },
    bufferBase: () => Promise.resolve(ok(this.#base)),
    bufferVersions: (paths) => Promise.resolve(ok(paths.map(() => `${this.tick} ${this.#version}`))),
    isModified: () => Promise.resolve(ok(this.modified)),
    saveBuffer: () => Promise.resolve(ok(false)),
    loadBuffer: () => Promise.resolve(ok(undefined)),
    followBuffers: (folders) => Promise.resolve(ok(folders.length > 0 ? [FILE] : [])),
    context: () => Promise.resolve(fail('no-ui', 'error.noUi')),
    askPath: () => Promise.resolve(fail('no-ui', 'error.noUi')),
    trust: () => Promise.resolve(ok({ sha256: '', database: '' })),
  };

  readonly files: Disk = {
    stamp: () => Promise.resolve(String(this.#version)),
    look: () => Promise.resolve(ok({ text: this.disk, stamp: String(this.#version) })),
    exists: () => Promise.resolve(true),
    fileSize: () => Promise.resolve(ok(this.disk.length)),
    readBytes: () => Promise.resolve(ok(new TextEncoder().encode(this.disk))),
    readText: () => Promise.resolve(ok(this.disk)),
    writeText: (_path, text) => {
      this.writeDisk(text);
      return Promise.resolve(ok(undefined));
    },
    resolve: (path) => Promise.resolve(ok(path)),
    keepCopy: () => Promise.resolve(ok('')),
    copyIn: () => Promise.resolve(fail('invalid', 'error.noUi')),
    missingFolder: () => Promise.resolve(''),
    remove: () => Promise.resolve(ok(undefined)),
  };
}

function changed(text: string, changes: readonly LineChange[], ended: boolean): string {
  const lines = [...splitText(text).lines];
  for (const { from, to, lines: put } of changes.toReversed()) lines.splice(from, to - from, ...put);
  return lines.join('\n') + (ended ? '\n' : '');
}

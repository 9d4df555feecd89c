// Puts together how agents' edits reach the person's text (SPEC section 9): by the protocol, straight to disk, and the review of both.
// Says which turn an edit belongs to. Decides nothing about texts.
import type { HostEvent } from '../core/contract/events.ts';
import type { Failure, Result } from '../core/errors.ts';
import type { Clock, Disk, Editor, ReadRequest, ToolPatch, WatchFolder } from '../core/ports.ts';
import { AgentFiles } from './agent-files.ts';
import { Changes } from './changes.ts';
import type { TurnRef } from './running.ts';
import { DiskFollow } from './disk-follow.ts';
import { FileTexts } from './file-texts.ts';
import { Saver } from './saver.ts';
import type { Settings } from './settings.ts';
import type { TurnObserver } from './turns.ts';

export interface AgentEditsOptions {
  readonly clock: Clock;
  readonly nextId: () => string;
  readonly settings: Settings;
  readonly editor: Editor;
  readonly disk: Disk;
  readonly watchFolder: WatchFolder;
  readonly tell: (event: HostEvent) => void;
}

/** Where an agent's session works, and for which conversation. */
export interface SessionPlace {
  readonly workspace: string;
  readonly channel: string;
}

export class AgentEdits implements TurnObserver {
  readonly changes: Changes;
  readonly #files: AgentFiles;
  readonly #follow: DiskFollow;
  readonly #saver: Saver;
  /** Agent to the turn it began last: a late edit still belongs to it. */
  readonly #turns = new Map<string, TurnRef>();
  /** What was refused to an agent and told: the person hears of it once. */
  readonly #told = new Map<string, Set<string>>();
  readonly #tellRefused: (key: 'edits.readRefused' | 'edits.writeRefused', agent: string, failure: Failure) => void;

  constructor(options: AgentEditsOptions) {
    const { settings, tell } = options;
    this.#tellRefused = (key, agent, failure) => {
      const message = settings.word(key, { agent, why: settings.wordFailure(failure) });
      tell({ name: 'host:notice', payload: { level: 'warn', message } });
    };
    const failed = (failure: Failure) => {
      tell({ name: 'host:notice', payload: { level: 'warn', message: settings.wordFailure(failure) } });
    };
    const edits = () => settings.config.edits;
    const texts = new FileTexts(options.editor, options.disk, (path) => this.#follow.wrote(path));
    this.changes = new Changes({
      texts,
      nextId: options.nextId,
      tell,
      word: (key, values) => settings.word(key, values),
      wordFailure: (failure) => settings.wordFailure(failure),
    });
    this.#saver = new Saver({ editor: options.editor, when: () => edits().save, failed });
    this.#files = new AgentFiles({ ...options, texts, changes: this.changes, saver: this.#saver, edits });
    this.#follow = new DiskFollow({
      ...options,
      texts,
      changes: this.changes,
      failed,
      known: (agent, path, text) => {
        this.#files.remember(agent, path, text);
      },
    });
  }

  async turnBegan(turn: TurnRef, workspace: string): Promise<void> {
    this.#turns.set(turn.agent, turn);
    await this.#follow.turnBegan(turn, workspace);
  }

  async turnEnded(turn: TurnRef): Promise<void> {
    await this.#follow.turnEnded(turn);
    await this.#saver.turnEnded();
  }

  /** A tool call of the agent said something about itself. */
  toolChanged(agent: string, patch: ToolPatch): void {
    this.#follow.toolChanged(agent, patch);
  }

  bufferRead(path: string, stamp: string): Promise<void> {
    return this.#follow.bufferRead(path, stamp);
  }

  bufferWrites(path: string): Promise<string> {
    return this.#follow.bufferWrites(path);
  }

  /** In the order of the wire: what it goes on to do, straight to disk say, comes after what it has named. */
  async read(agent: string, { workspace }: SessionPlace, request: ReadRequest): Promise<Result<string>> {
    await this.#follow.named();
    const read = await this.#files.read(agent, workspace, request);
    if (!read.ok) this.#refused('edits.readRefused', agent, request.path, read.error);
    return read;
  }

  async write(agent: string, place: SessionPlace, path: string, text: string): Promise<Result<undefined>> {
    await this.#follow.named();
    const turn = this.#turns.get(agent) ?? { messageId: '', channel: place.channel, agent };
    const written = await this.#files.write(turn, place.workspace, path, text);
    if (!written.ok) this.#refused('edits.writeRefused', agent, path, written.error);
    return written;
  }

  /** The agent's process is gone. */
  forget(agent: string): void {
    this.#files.forget(agent);
    this.#told.delete(agent);
    void this.#follow.agentGone(agent);
  }

  /** Agents look for files that are not there, and conflicts are told where they are listed. */
  #refused(key: 'edits.readRefused' | 'edits.writeRefused', agent: string, path: string, failure: Failure): void {
    if (failure.code === 'not-found' || failure.code === 'conflict') return;
    const told = this.#told.get(agent) ?? new Set();
    this.#told.set(agent, told);
    const what = `${key} ${failure.text} ${path}`;
    if (!told.has(what)) this.#tellRefused(key, agent, failure);
    told.add(what);
  }

  dispose(): void {
    this.#follow.dispose();
  }
}

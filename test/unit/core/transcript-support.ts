// Makers of messages for the tests of the transcript, and a view that applies patches as Neovim does.
import type { Block, Message, Part, PatchOperation, Permission, Tool } from '../../../src/core/contract/shapes.ts';
import {
  blocks,
  drawAll,
  drawnSoFar,
  emptyTranscript,
  type Transcript,
  type TranscriptOptions,
} from '../../../src/core/transcript/index.ts';

const names: Readonly<Record<string, string>> = { bob: 'Bob (llama.cpp)' };

export const english: TranscriptOptions = {
  language: 'en',
  speaker: (agent) => names[agent] ?? agent,
  timeOfDay: (time) => `12:${String(time % 60).padStart(2, '0')}`,
};

export const message = (fields: Partial<Message>): Message => ({
  id: 'm',
  channel: 'c',
  createdAt: 5,
  agent: 'bob',
  role: 'agent',
  parts: [],
  done: true,
  queued: false,
  stopReason: fields.done === false || (fields.role ?? 'agent') !== 'agent' ? '' : 'end_turn',
  error: '',
  code: '',
  attachments: [],
  ...fields,
});

export const text = (value: string): Part => ({ kind: 'text', text: value });
export const thought = (value: string): Part => ({ kind: 'thought', text: value });
export const user = (value: string, fields: Partial<Message> = {}): Message =>
  message({ role: 'user', agent: '', parts: [text(value)], ...fields });

export const toolCall = (fields: Partial<Tool>): Tool => ({
  id: 't',
  title: 'Edit a.txt',
  kind: 'edit',
  status: 'completed',
  input: '',
  output: '',
  locations: [],
  diffs: [],
  ...fields,
});
export const tool = (fields: Partial<Tool>): Part => ({ kind: 'tool', tool: toolCall(fields) });

export const permission = (fields: Partial<Permission> = {}): Permission => ({
  id: 'p',
  channel: 'c',
  agent: 'bob',
  messageId: 'm',
  toolCall: toolCall({ status: 'pending' }),
  options: [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ],
  rejections: 0,
  ...fields,
});

/** Drawn at once, whole. */
export const drawn = (messages: readonly Message[], options = english): Transcript =>
  drawAll(emptyTranscript(options), messages, false).transcript;

/** The rows of the buffer. */
export const rowsOf = (transcript: Transcript): readonly string[] =>
  blocks(transcript).flatMap((block) => block.rows.slice());

export const rows = (...messages: readonly Message[]): readonly string[] => rowsOf(drawn(messages));

/** What a view that opens now is sent. */
export function wire(transcript: Transcript): readonly Block[] {
  const view = new View();
  view.apply(drawnSoFar(transcript));
  return view.blocks;
}

/** Blocks kept by patches alone. */
export class View {
  #blocks: Block[] = [];

  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  apply(operations: readonly PatchOperation[]): void {
    for (const operation of operations) {
      if (operation.op === 'splice') this.#splice(operation);
      else this.#grow(operation);
    }
  }

  #splice({ at, remove, blocks: added }: PatchOperation & { op: 'splice' }): void {
    if (at < 0 || at + remove > this.#blocks.length) throw new Error(`no blocks ${at} to ${at + remove}`);
    this.#blocks.splice(at, remove, ...added);
  }

  #grow({ at, row, rows: added, marks, offsets }: PatchOperation & { op: 'grow' }): void {
    const block = this.#blocks[at];
    if (!block?.open) throw new Error(`block ${at} is not open`);
    if (row > block.rows.length) throw new Error(`block ${at} has no row ${row}`);
    if (marks.some((mark) => mark[0] < row)) throw new Error('a mark of a row that stays');
    if ((offsets === undefined) !== (block.offsets === undefined)) throw new Error('offsets come and go');
    this.#blocks[at] = {
      ...block,
      rows: [...block.rows.slice(0, row), ...added],
      marks: [...block.marks.filter((mark) => mark[0] < row), ...marks],
      ...(block.offsets && { offsets: [...block.offsets.slice(0, row), ...(offsets ?? [])] }),
    };
  }
}

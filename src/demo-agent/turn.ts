// Owns: one turn: everything it sends, its pace, its open tool calls, and its obedience to cancel.
// Must not: decide what is said.
import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { methods } from '@agentclientprotocol/sdk';
import type {
  AgentContext,
  ClientCapabilities,
  PlanEntry,
  SessionUpdate,
  ToolCall,
  ToolCallContent,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import { filesOf } from './files.ts';
import type { Files, ReadResult, WriteResult } from './files.ts';
import { record } from './session.ts';
import type { Session } from './session.ts';
import type { Texts } from './texts/texts.ts';

/** Thrown inside a turn that was cancelled; ends it with the stop reason `cancelled`. */
export class Cancelled extends Error {}

export interface TurnParts {
  readonly session: Session;
  readonly client: AgentContext;
  readonly can: ClientCapabilities;
  readonly texts: Texts;
  /** Milliseconds a chunk; 0 sends as fast as the client reads. */
  readonly pace: number;
  readonly signal: AbortSignal;
}

const contextWindow = 32_000;
const charactersPerToken = 4;
/** Without a pace, the event loop gets its turn this often, so that a cancel is heard. */
const chunksPerBreath = 32;
const hurry = 4;

export class Turn {
  readonly session: Session;
  readonly client: AgentContext;
  readonly can: ClientCapabilities;
  readonly texts: Texts;
  readonly #signal: AbortSignal;
  readonly #pace: number;
  readonly #files: Files;
  readonly #openTools = new Set<string>();
  readonly #cancelled: Promise<never>;
  #chunks = 0;

  constructor(parts: TurnParts) {
    this.session = parts.session;
    this.client = parts.client;
    this.can = parts.can;
    this.texts = parts.texts;
    this.#signal = parts.signal;
    this.#pace = parts.session.settings.model === 'demo-fast' ? parts.pace / hurry : parts.pace;
    this.#files = filesOf(parts.client, parts.can, parts.session, parts.texts);
    this.#cancelled = new Promise((_resolve, reject) => {
      this.#signal.addEventListener('abort', () => reject(new Cancelled()), { once: true });
    });
    // Heard by `heed`; a turn that waits for nothing when the cancel comes must not make it an unhandled one.
    this.#cancelled.catch(() => undefined);
  }

  get readsUnsavedText(): boolean {
    return this.#files.viaClient;
  }

  read(path: string): Promise<ReadResult> {
    return this.heed(this.#files.read(path));
  }

  write(path: string, text: string): Promise<WriteResult> {
    return this.heed(this.#files.write(path, text));
  }

  /** Waits for something foreign, but not longer than the turn lives. */
  async heed<T>(work: Promise<T>): Promise<T> {
    this.#mustRun();
    return Promise.race([work, this.#cancelled]);
  }

  async update(update: SessionUpdate): Promise<void> {
    this.#mustRun();
    await this.#send(update);
  }

  async pause(milliseconds: number): Promise<void> {
    try {
      await setTimeout(milliseconds, undefined, { signal: this.#signal });
    } catch (error) {
      this.#mustRun();
      throw error;
    }
  }

  /** Streams a text word by word. */
  async say(markdown: string): Promise<void> {
    for (const text of pieces(markdown)) await this.sayAtOnce(text);
  }

  /** Sends a text as one chunk. */
  async sayAtOnce(text: string): Promise<void> {
    await this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
    await this.#breathe();
  }

  async think(thought: string): Promise<void> {
    if (!this.session.settings.thoughts) return;
    for (const text of pieces(thought)) {
      await this.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } });
      await this.#breathe();
    }
  }

  async plan(entries: readonly PlanEntry[]): Promise<void> {
    await this.update({ sessionUpdate: 'plan', entries: [...entries] });
  }

  async openTool(call: Omit<ToolCall, 'toolCallId'>): Promise<string> {
    const toolCallId = `${call.kind ?? 'other'}-${randomUUID().slice(0, 8)}`;
    await this.update({ sessionUpdate: 'tool_call', toolCallId, ...call });
    this.#openTools.add(toolCallId);
    return toolCallId;
  }

  async updateTool(change: ToolCallUpdate): Promise<void> {
    await this.update({ sessionUpdate: 'tool_call_update', ...change });
    if (change.status === 'completed' || change.status === 'failed') this.#openTools.delete(change.toolCallId);
  }

  /** Ends a tool call with words, keeping the content it had. */
  async endTool(toolCallId: string, status: 'completed' | 'failed', ...content: ToolCallContent[]): Promise<void> {
    await this.updateTool({ toolCallId, status, ...(content.length > 0 && { content }) });
  }

  async reportUsage(): Promise<void> {
    const used = Math.min(contextWindow, Math.ceil(this.session.characters / charactersPerToken));
    await this.update({ sessionUpdate: 'usage_update', used, size: contextWindow });
  }

  /** Settles what is still open, however the turn ended. */
  async close(): Promise<void> {
    for (const toolCallId of this.#openTools) {
      await this.#send({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' });
    }
    this.#openTools.clear();
  }

  async #send(update: SessionUpdate): Promise<void> {
    record(this.session, update);
    await this.client.notify(methods.client.session.update, { sessionId: this.session.id, update });
  }

  #mustRun(): void {
    if (this.#signal.aborted) throw new Cancelled();
  }

  async #breathe(): Promise<void> {
    this.#chunks += 1;
    if (this.#pace > 0) await this.pause(this.#pace);
    else if (this.#chunks % chunksPerBreath === 0) await setImmediate();
  }
}

/** A text as tool content. */
export function toolText(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** Words with the blanks behind them; put together again they are the text. */
function pieces(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

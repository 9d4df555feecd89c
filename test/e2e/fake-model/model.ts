// Owns the words of the fake model: what an agent asked and what is answered. No wire format here, see dialects/.
import type { ServerResponse } from 'node:http';
import type { JsonObject } from './json.ts';

export interface OfferedTool {
  readonly name: string;
  readonly schema: JsonObject;
  /** A tool that takes free text instead of arguments (OpenAI Responses only). */
  readonly custom: boolean;
}

export interface Turn {
  readonly role: string;
  readonly text: string;
  readonly toolResults: number;
  /** Text that the agent put in for the user (instructions, environment); it does not start a new script. */
  readonly auxiliary?: boolean;
}

export interface ModelRequest {
  readonly tools: readonly OfferedTool[];
  readonly turns: readonly Turn[];
  /** Set when the agent wants JSON of this schema instead of prose. */
  readonly jsonSchema?: JsonObject;
}

export interface TextReply {
  readonly kind: 'text' | 'think';
  readonly text: string;
}

export interface ToolReply {
  readonly kind: 'tool';
  readonly name: string;
  readonly args: JsonObject;
  readonly custom: boolean;
}

export interface HangReply {
  readonly kind: 'hang';
  readonly ms: number;
}

export interface ErrorReply {
  readonly kind: 'error';
  readonly status: number;
}

/** What one answer is made of, in order. An error stands alone. */
export type Reply = TextReply | ToolReply | HangReply | ErrorReply;

/** One way of speaking with a model over HTTP. */
export interface Dialect {
  readonly name: string;
  read(body: JsonObject): ModelRequest;
  write(answer: Answer): Promise<void>;
}

export interface Answer {
  readonly response: ServerResponse;
  readonly body: JsonObject;
  readonly replies: readonly Reply[];
  readonly stream: boolean;
  /** Pause between two pieces of a stream. */
  readonly delayMs: number;
}

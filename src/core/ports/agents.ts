// Agents: one running process that speaks ACP, what it is asked and what it tells. Interfaces and plain data only.
import type { AgentDefinition } from '../config.ts';
import type { Command, Location, Message, Option, PermissionOption, PlanEntry, Usage } from '../contract/shapes.ts';
import type { Failure, Result } from '../errors.ts';
import type { Content } from '../question/content.ts';
import type { Field } from '../question/fields.ts';

/** What an agent says of itself in `initialize`. */
export interface AgentInfo {
  readonly name: string;
  readonly version: string;
  readonly loadSession: boolean;
  readonly resumeSession: boolean;
  readonly prompt: { readonly image: boolean; readonly audio: boolean; readonly embeddedContext: boolean };
  /** MCP servers it can be told of besides programs it launches. */
  readonly mcp: { readonly http: boolean; readonly sse: boolean };
  readonly authMethods: readonly AuthMethod[];
}

/** A way to sign in; `terminal` is the command of a method that runs in a terminal: words that show as what they are. */
export interface AuthMethod {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly terminal?: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
}

export interface SessionOpened {
  readonly sessionId: string;
  readonly options: readonly Option[];
}

/** What a tool call update gives; a field left out stays as it was, a list replaces the whole list (ACP.md 3.4). */
export interface ToolPatch {
  readonly title?: string;
  readonly kind?: string;
  readonly status?: string;
  /** Compact JSON. */
  readonly input?: string;
  readonly output?: string;
  /** Added to the output (an agent's own terminal, ACP.md 5.4). */
  readonly outputDelta?: string;
  readonly locations?: readonly Location[];
  readonly diffs?: readonly {
    readonly path: string;
    readonly oldText: string;
    readonly newText: string;
    readonly newFile: boolean;
  }[];
}

/** One update of a session, checked and in the order of the wire. */
export type SessionUpdate =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string }
  | { readonly type: 'userText'; readonly text: string }
  | { readonly type: 'tool'; readonly id: string; readonly patch: ToolPatch }
  | { readonly type: 'plan'; readonly entries: readonly PlanEntry[] }
  | { readonly type: 'commands'; readonly commands: readonly Command[] }
  | { readonly type: 'options'; readonly options: readonly Option[] }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'notice'; readonly severity: string; readonly title: string; readonly description: string }
  | { readonly type: 'compaction'; readonly id: string; readonly status: string; readonly text: string };

export interface PermissionRequest {
  readonly toolCallId: string;
  readonly patch: ToolPatch;
  readonly options: readonly PermissionOption[];
}

export type PermissionOutcome =
  { readonly type: 'selected'; readonly optionId: string } | { readonly type: 'cancelled' };

/** `url` is "" for a form, which may have no field; it is http or https. */
export interface QuestionRequest {
  readonly message: string;
  readonly fields: readonly Field[];
  readonly url: string;
}

export type QuestionOutcome =
  { readonly type: 'accept'; readonly content: Content } | { readonly type: 'decline' } | { readonly type: 'cancel' };

/** Why a question was taken back: what its page was for is done (`elicitation/complete`), which counts as accepted. */
export const questionCompleted = 'completed';

/** `line` from 1, `limit` in lines; undefined where the agent named none. */
export interface ReadRequest {
  readonly path: string;
  readonly line?: number;
  readonly limit?: number;
}

export type PromptBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string; readonly uri: string }
  | { readonly type: 'resource'; readonly uri: string; readonly text: string; readonly mimeType: string }
  | {
      readonly type: 'link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType: string;
      readonly size: number;
    };

export type StopReason = Exclude<Message['stopReason'], ''>;

/** How a process ended. */
export interface Exit {
  /** -1 when a signal ended it. */
  readonly code: number;
  readonly signal: string;
}

/** What a connection tells; called synchronously, in the order of the wire. */
export interface AgentListener {
  updated(sessionId: string, update: SessionUpdate): void;
  /**
   * The first `answer` counts. `withdrawn` is aborted when the request was answered `cancelled` without it: the agent took
   * it back, `cancel` or `stop` was called, or the agent ended.
   */
  permissionRequested(
    sessionId: string,
    request: PermissionRequest,
    answer: (outcome: PermissionOutcome) => void,
    withdrawn: AbortSignal,
  ): void;
  /** The same for a question. `sessionId` is "" when it belongs to a request outside of a session. */
  questionAsked(
    sessionId: string,
    request: QuestionRequest,
    answer: (outcome: QuestionOutcome) => void,
    withdrawn: AbortSignal,
  ): void;
  readFile(sessionId: string, request: ReadRequest): Promise<Result<string>>;
  writeFile(sessionId: string, path: string, content: string): Promise<Result<undefined>>;
  /** It answered that a sign-in is needed; these are the ways it offers. */
  signInNeeded(methods: readonly AuthMethod[]): void;
  /** A line of standard error, or of text that is not ACP on standard output. Control characters are already harmless. */
  logged(line: string): void;
  /** The process ended, for whatever reason; told once, after every pending request has settled. Not told of one that never ran. */
  exited(exit: Exit): void;
  /** Nothing can be asked of it any more though its process may run on: it is being stopped. Told after every pending request has settled. */
  broke(failure: Failure): void;
}

export interface AgentConnection {
  /** Settles when `initialize` is answered, fails with the true cause otherwise (SPEC 4); the process is then being stopped. */
  readonly ready: Promise<Result<AgentInfo>>;
  /** 60 s at most, then `agent.noAnswer` (SPEC 4). Updates of the session come only after this has settled. */
  newSession(cwd: string): Promise<Result<SessionOpened>>;
  /** Resumes or loads, whichever the agent can; what it repeats of the past is not told again. */
  loadSession(sessionId: string, cwd: string): Promise<Result<SessionOpened>>;
  /** Has no time limit. Fails with the agent's own words in `error.values.what`; `stop` ends it `cancelled`. */
  prompt(sessionId: string, blocks: readonly PromptBlock[]): Promise<Result<StopReason>>;
  cancel(sessionId: string): void;
  /** `optionId` is one the session offered; modes, old models and config options alike (SPEC 18). The old ways have no `name`. */
  setOption(sessionId: string, optionId: string, value: string): Promise<Result<readonly Option[]>>;
  /** Standard input closed, 5 s, SIGTERM to the group, 3 s, SIGKILL (SPEC 4); settles when the group is gone and `exited` was told. Safe to call again. */
  stop(): Promise<void>;
}

export interface AgentLauncher {
  /** `cwd` is the folder the process runs in. Never throws: a program that cannot run makes `ready` fail. */
  launch(definition: AgentDefinition, cwd: string, listener: AgentListener): AgentConnection;
  /** Stops every process still there; settles when all are gone. */
  dispose(): Promise<void>;
}

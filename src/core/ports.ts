// The ports through which app reaches the world; each adapter fulfils some of them. Interfaces and plain data only.
import type { AgentDefinition, Config, RuntimeDefinition } from './config.ts';
import type { FoundAgent } from './config/known-agents.ts';
import type { ConfigOrigin, ConfigPlace } from './config/locate.ts';
import type { Setting } from './config/resolve.ts';
import type {
  Command,
  Location,
  Message,
  Option,
  PermissionOption,
  PlanEntry,
  Problem,
  Usage,
  Conversation,
} from './contract/shapes.ts';
import type { HostEvent } from './contract/events.ts';
import type { Content } from './question/content.ts';
import type { Field } from './question/fields.ts';
import type { Failure, Result } from './errors.ts';
import type { ContextWord } from './prompt/reading.ts';
import type { Inside } from './runtime.ts';

// ---- time and log ----

export interface Clock {
  /** Whole milliseconds since 1970. */
  now(): number;
  /** Calls `action` once after `ms` milliseconds, unless cancelled by the function it gives. */
  after(ms: number, action: () => void): () => void;
}

export interface Log {
  /** One line in the host's log file; `cause` is added with its stack. */
  write(text: string, cause?: unknown): void;
}

// ---- agents: one running process that speaks ACP ----

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

// ---- the editor ----

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

// ---- files ----

/** A file as it is on disk; `stamp` tells this state from any other. */
export interface DiskState {
  readonly text: string;
  readonly stamp: string;
}

export interface Disk {
  /** Tells one state of a file from another, also of the same size in the same second; "" when there is none. */
  stamp(path: string): Promise<string>;
  /** Text and stamp that belong together. */
  look(path: string): Promise<Result<DiskState>>;
  exists(path: string): Promise<boolean>;
  /** In bytes; fails for what is no regular file. */
  fileSize(path: string): Promise<Result<number>>;
  /** Only of a regular file; more than `limit` bytes (64 MB where none is given) are refused. */
  readBytes(path: string, limit?: number): Promise<Result<Uint8Array>>;
  /** Fails with `file.missing`, `file.folder`, `file.binary`, `file.unreadable` … */
  readText(path: string): Promise<Result<string>>;
  /** Written beside and moved into place, parents made, mode and links kept (SPEC 9). */
  writeText(path: string, text: string): Promise<Result<undefined>>;
  /** The path with every link and `..` resolved, also where the last parts do not exist yet. */
  resolve(path: string): Promise<Result<string>>;
  /** Copies a file to a free name beside it that holds `stamp`; gives its path, "" when there is no such file. */
  keepCopy(path: string, stamp: string): Promise<Result<string>>;
  /** Copies a file into a folder, made if missing, under its own name or the next free one; gives the path of the copy. */
  copyIn(path: string, folder: string): Promise<Result<string>>;
  /** The topmost folder above a path that is not there yet; "" where its own folder is. */
  missingFolder(path: string): Promise<string>;
  /** Its folders go with it, up to `top`, as far as nothing else is in them. */
  remove(path: string, top?: string): Promise<Result<undefined>>;
}

/** Calls back with the name of each file in a folder that changed, until the function it gives is called. */
export type WatchFolder = (folder: string, changed: (name: string) => void) => () => void;

/** Calls back when it begins and after each change of a file, until the function it gives is called. */
export type WatchFile = (path: string, changed: () => void) => () => void;

export interface WorkspaceFiles {
  /** The absolute path of a file as it is spelled on disk, where accents are written another way (CASES B14). */
  spelled(folder: string, path: string): Promise<string>;
  /** What git says was changed in `folder` since the last commit; `cut` where it is longer than `maxBytes`. */
  diff(folder: string, maxBytes: number): Promise<Result<{ readonly text: string; readonly cut: boolean }>>;
  /**
   * The best matches first among what `list` gives, which is kept for the workspace of this name and brought up to date in
   * the background; `complete` false while it is still being read.
   */
  find(
    workspace: string,
    list: () => Promise<Result<readonly string[]>>,
    query: string,
    limit: number,
  ): Promise<{ readonly files: readonly string[]; readonly complete: boolean }>;
}

// ---- workspaces: the files of an agent, wherever they are (SPEC section 11) ----

/** `path` is relative to the workspace, with `/` between the names; `modTime` in milliseconds since 1970. */
export interface WorkspaceEntry {
  readonly name: string;
  readonly path: string;
  readonly dir: boolean;
  readonly size: number;
  readonly modTime: number;
}

/**
 * The folder an agent works in. Paths come as `pathInside` gives them, names as `newName` does; what links lead out of the
 * folder is refused here.
 */
export interface Workspace {
  /** Whether it can be shown at all. */
  check(): Promise<Result<undefined>>;
  /** In no order. */
  list(dir: string): Promise<Result<readonly WorkspaceEntry[]>>;
  /** Every file below the folder that git would consider, where it is in a git work tree; else all but the usual heaps. */
  files(): Promise<Result<readonly string[]>>;
  /** Only of a regular file; more than `limit` bytes are refused. */
  read(path: string, limit: number): Promise<Result<Uint8Array>>;
  /** Writes if the file still has `version`, whatever it has if that is ""; false where it has another or is gone. */
  save(path: string, text: string, version: string): Promise<Result<boolean>>;
  /** An empty file. */
  create(dir: string, name: string): Promise<Result<undefined>>;
  /** A link itself, never what it leads to. Where it would be for good: refused unless `permanent`. */
  remove(path: string, permanent: boolean): Promise<Result<undefined>>;
  /** The path of a file of this computer (its links resolved) that is one of the workspace already, else undefined. */
  inPlace(hostPath: string): Promise<Result<string | undefined>>;
  /** Copies a file of this computer to a free name in `folder`, which is made where it is missing; gives its path. */
  copyIn(hostPath: string, folder: string): Promise<Result<string>>;
  /** Where a file is on this computer; "" where it is reached only through a container or sandbox. */
  onHost(path: string): Promise<Result<string>>;
  /** Calls back when files changed, from when it settles until the function it gives is called. */
  watch(changed: () => void): Promise<Result<() => void>>;
}

/** `folder`: that of this computer. */
export type OpenWorkspace = (runtime: RuntimeDefinition, folder: string) => Promise<Workspace>;

// ---- history ----

/** A member's ACP session in one conversation, and the position of the last message it saw there (SPEC 10). */
export interface MemberSession {
  readonly sessionId: string;
  readonly lastSeen: string;
}

/** What other runs did since the last call. A run is one host on one history, from `open` to `close` or its death. */
export interface HistoryChanges {
  /** Track was lost (a reset, a long sleep, a write of ours that failed for a while): anything may have changed. */
  readonly everything: boolean;
  /** Created, changed or deleted: those that `conversation` does not find any more. */
  readonly conversations: readonly string[];
  /** All their messages and sessions are gone. */
  readonly cleared: readonly string[];
  /** Saved or deleted: those that `message` does not find any more. */
  readonly messages: readonly { readonly conversation: string; readonly id: string }[];
  /** Conversations that were claimed or released. */
  readonly claims: readonly string[];
}

/** A message that has all the words searched for. */
export interface Hit {
  readonly channel: string;
  readonly messageId: string;
  readonly role: Message['role'];
  readonly agent: string;
  readonly createdAt: number;
  /** One line of the text around the words, without control characters. */
  readonly snippet: string;
}

export interface History {
  /** Why history lives in memory only, or why the last writes wait in memory; "" when all is well (SPEC 10). */
  readonly problem: string;
  readonly path: string;
  /** Calls back when `problem` says something else, until the function it gives is called. */
  watchProblem(changed: () => void): () => void;

  conversations(): readonly Conversation[];
  conversation(id: string): Conversation | undefined;
  /** Inserts, or replaces name, description and members. */
  saveConversation(conversation: Conversation): void;
  /** With all that belongs to it. */
  deleteConversation(id: string): void;
  /** All messages and sessions go; name, description, members and draft stay. */
  clearConversation(id: string): void;

  /** The last `count` messages before `beforeId` ("" for the end), oldest first. */
  messages(
    conversation: string,
    beforeId: string,
    count: number,
  ): { readonly messages: readonly Message[]; readonly more: boolean };
  /** The first `count` messages after `afterId`, oldest first. */
  messagesAfter(conversation: string, afterId: string, count: number): readonly Message[];
  message(id: string): Message | undefined;
  /**
   * Finished messages only; saving an id again replaces it and leaves it where it is. `position` sorts among the messages,
   * `session` is the ACP session an agent said it in. One for a conversation that was deleted meanwhile is dropped.
   */
  saveMessage(message: Message, position: string, session?: string): void;
  deleteMessage(id: string): void;
  /** The best matches, 200 at most, of messages with all `words`, the last one as a beginning; see `core/search.ts`. */
  search(words: string, limit: number): readonly Hit[];

  /**
   * The last `limit` finished messages of users and agents that a member has not been told, oldest first: placed after what it
   * saw last and not before what `forgetMemberSessions` named, without what it said itself in its present session.
   */
  unseen(conversation: string, agent: string, limit: number): readonly Message[];
  /** The agents that have answered there, the latest last. */
  answerers(conversation: string): readonly string[];
  /** This run's; else that of the last run that has ended, which becomes this run's. That of a living other run is not given. */
  memberSession(conversation: string, agent: string): MemberSession | undefined;
  /** As this run's. */
  saveMemberSession(conversation: string, agent: string, session: MemberSession): void;
  /**
   * The next turn of every member opens a new session, and nothing placed before the position `since` is told any more (SPEC 2,
   * `:Sidekicks new`). Other runs hear of a changed conversation and find no session of theirs.
   */
  forgetMemberSessions(conversation: string, since: string): void;

  /** Only one run answers a conversation: true when this one does from now on, with `agent`; saying so again changes the agent. */
  claim(conversation: string, agent: string): boolean;
  release(conversation: string): void;
  /** The agent another living run answers with there, "" when none does. */
  claimedElsewhere(conversation: string): string;
  /** Calls back once when no other living run answers there, at once or within a second, unless the function it gives is called before. */
  whenFree(conversation: string, free: () => void): () => void;
  /** Calls back within a second of what other runs did, until the function it gives is called. Costs nothing while nothing happens. */
  follow(changed: (changes: HistoryChanges) => void): () => void;

  /** This run's, and those of runs that have ended. */
  draft(conversation: string): string;
  /** As this run's; it takes the place of what `draft` gave. */
  saveDraft(conversation: string, text: string): void;
  commands(agent: string): readonly Command[];
  saveCommands(agent: string, commands: readonly Command[]): void;
  close(): void;
}

// ---- processes: where an agent runs (local; containers and sandboxes fulfil the same) ----

/** What a process tells, in order: `failed` alone, or `ended` once, after the last byte. Never called inside `launch`. */
export interface ProcessListener {
  /** Bytes of standard output, cut anywhere. */
  output(chunk: Uint8Array): void;
  /** Bytes of standard error, cut anywhere. */
  errors(chunk: Uint8Array): void;
  /** Standard output was closed; mostly `ended` follows. */
  outputClosed(): void;
  ended(exit: Exit): void;
  /** It could not be started; the true cause. */
  failed(failure: Failure): void;
}

export interface AgentProcess {
  /** Settles when the text was taken; false when standard input is closed. */
  write(text: string): Promise<boolean>;
  /** The sequence of SPEC 4; settles when the group and all it launched are gone and `ended` was told. Safe to call again. */
  stop(): Promise<void>;
}

export interface ProcessLauncher {
  /** Runs the command of `definition` in the folder `cwd`. Never throws. */
  launch(definition: AgentDefinition, cwd: string, listener: ProcessListener): AgentProcess;
  /** Stops every process still there and lets go of what watches over them. */
  dispose(): Promise<void>;
}

// ---- terminals: shells that the editor runs, in buffers of its own ----

export interface TerminalPlan {
  /** The terminal's own; all that the shell launches carries it as its mark. */
  readonly id: string;
  readonly agent: string;
  readonly words: readonly string[];
  /** "" for any. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** For a person: where the shell runs. */
  readonly place: string;
}

export interface Terminals {
  /** Runs it in a buffer that no window shows; gives the number of its process. */
  open(plan: TerminalPlan, cols: number, rows: number): Promise<Result<number>>;
  write(id: string, data: string): Promise<Result<undefined>>;
  resize(id: string, cols: number, rows: number): Promise<Result<undefined>>;
  /** Wipes the buffer out, if it is still there. */
  close(id: string): Promise<Result<undefined>>;
}

/** Ends what editors' shells launched. */
export interface Shells {
  /** Fails with the reason when no program can run in a folder of this machine. */
  enter(folder: string): Promise<Result<undefined>>;
  /** As `CommandRunner` does it. */
  ask(inside: Inside, words: readonly string[]): Promise<Result<Answered>>;
  /** What a shell is to be started with, so that all it launches is known by it. */
  marked(id: string): Readonly<Record<string, string>>;
  /** To be called before the shell is started: from then on it ends with this process, whatever ends that. */
  watch(id: string, inside?: Inside): ShellWatch;
  /** Hangs up all of them; settles when nothing is left. */
  dispose(): Promise<void>;
}

export interface ShellWatch {
  /** The shell runs, as this process. */
  began(pid: number): void;
  /** Settles when nothing of it is left, inside its container neither (SPEC 12). Safe to call again. */
  hangUp(): Promise<void>;
}

// ---- commands: lines of the configuration that `sh` runs ----

export interface Answered {
  /** -1 when a signal ended it. */
  readonly code: number;
  /** Lines of both outputs, harmless and none empty. */
  readonly said: readonly string[];
}

export interface CommandRunner {
  /**
   * Runs a line by `sh -c` in a folder, in a process group of its own; settles when it has ended, and fails when it cannot
   * be started. `printed` gets each line of both its outputs, its control characters already harmless.
   */
  run(line: string, folder: string, printed: (line: string) => void): Promise<Result<Exit>>;
  /** Whether programs can be run in a container or sandbox now; the failure says what its command line program says. */
  reach(inside: Inside): Promise<Result<undefined>>;
  /** Runs words inside; fails where no program of this machine gets an answer. */
  ask(inside: Inside, words: readonly string[]): Promise<Result<Answered>>;
  /** Stops every command still there; settles when all are gone. */
  dispose(): Promise<void>;
}

// ---- configuration ----

/** The configuration file as it was read last; `config` is undefined while it is broken or missing. */
export interface ConfigFile {
  readonly path: string;
  readonly source: ConfigPlace['source'];
  /** Written with the commented default at this start. */
  readonly created: boolean;
  readonly config?: Config;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Says whether the content with this SHA-256 may be used. */
export type IsTrusted = (sha256: string) => Promise<boolean>;

export interface ConfigFiles {
  /** `isTrusted` is asked before each content of the file is used. */
  open(place: ConfigPlace, isTrusted?: IsTrusted): Promise<ConfigSource>;
  /** What a first configuration says; only the default one has the schema beside it, and names it. */
  firstText(source: ConfigOrigin): Promise<string>;
  /** The known agents that are installed. */
  knownAgents(): Promise<readonly FoundAgent[]>;
}

export interface ConfigSource {
  current(): ConfigFile;
  /** The text as it is on disk now, also a broken one. */
  text(): Promise<Result<string>>;
  /** What a text of this file is read with. */
  setting(): Setting;
  /** One call for each save, by rename too (SPEC 3). */
  watch(changed: (file: ConfigFile) => void): void;
  /** Looks at once for what `watch` would notice in a moment; `anew`: also whether what was read before is trusted now. */
  refresh(anew?: boolean): Promise<void>;
  dispose(): Promise<void>;
}

/** What is remembered from one Neovim to the next (SPEC 14, `Open`, `Recent`). */
export interface Preferences {
  readonly path: string;
  /** The configurations opened, newest first. */
  recent(): Promise<readonly string[]>;
  remember(path: string): Promise<Result<undefined>>;
}

// ---- the system ----

/** `level` "" and 0, 0 where it cannot be measured; sizes in bytes (SPEC 4). */
export interface Memory {
  readonly level: '' | 'normal' | 'warning' | 'critical';
  readonly used: number;
  readonly total: number;
}

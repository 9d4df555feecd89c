// The shapes that cross the wire between the host and Neovim (SPEC section 14), as JSON Schema. Only shapes: methods and events stand beside it.
// The host imports nothing but types from here; `npm run generate` turns the schemas into validators, LuaCATS types and the help's tables.
import { Type, type Static, type TSchema } from 'typebox';

const shape = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });
const oneOf = <T extends readonly string[]>(...values: T) => Type.Unsafe<T[number]>({ type: 'string', enum: values });

export const text = Type.String();
export const flag = Type.Boolean();
/** Whole milliseconds since 1970. */
export const time = Type.Integer();
export const whole = Type.Integer();
export const index = Type.Integer({ minimum: 0 });
/** Columns or rows of a terminal. */
export const cells = Type.Integer({ minimum: 1, maximum: 1000 });

export const Problem = shape({
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1, description: '1 + the UTF-8 bytes before the character (SPEC 3)' }),
  message: text,
  warning: flag,
});

/** The configuration in force; `valid` false: the file is broken, and the last good one stays. */
export const Configuration = shape({
  path: text,
  source: oneOf('env', 'option', 'project', 'opened', 'default'),
  created: Type.Boolean({ description: 'written at this start' }),
  valid: flag,
  problems: Type.Array(Problem),
  warnings: Type.Array(Problem),
  theme: Type.Record(text, text),
  language: oneOf('en', 'fr'),
  historyProblem: Type.String({ description: 'why history lives in memory only, "" when all is well' }),
});

export const AgentSummary = shape({
  name: text,
  title: text,
  icon: text,
  description: text,
  state: oneOf('stopped', 'starting', 'ready', 'busy', 'error'),
  error: text,
  outdated: flag,
  runtime: oneOf('local', 'container', 'sbx'),
  canStopSandbox: flag,
  canRemoveSandbox: flag,
});

/** `path` is relative to the workspace. */
export const WorkspaceEntry = shape({ name: text, path: text, dir: flag, size: whole, modTime: time });

export const Conversation = shape({
  id: text,
  name: text,
  description: text,
  direct: text,
  members: Type.Array(text),
  project: text,
});

export const Location = shape({ path: text, line: Type.Optional(whole) });
export const Diff = shape({ path: text, oldText: text, newText: text, newFile: flag });

export const Tool = shape({
  id: text,
  title: text,
  kind: oneOf('read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'other'),
  status: oneOf('pending', 'in_progress', 'completed', 'failed'),
  input: text,
  output: text,
  locations: Type.Array(Location),
  diffs: Type.Array(Diff),
});

export const PlanEntry = shape({
  content: text,
  priority: oneOf('high', 'medium', 'low'),
  status: oneOf('pending', 'in_progress', 'completed'),
});

export const TextPart = shape({ kind: oneOf('text', 'thought'), text });
export const ToolPart = shape({ kind: oneOf('tool'), tool: Tool });
export const PlanPart = shape({ kind: oneOf('plan'), entries: Type.Array(PlanEntry) });
export const Part = Type.Union([TextPart, ToolPart, PlanPart]);

export const Attachment = shape({ agent: text, path: text });

export const Message = shape({
  id: text,
  channel: text,
  createdAt: time,
  agent: text,
  role: oneOf('user', 'agent', 'system'),
  parts: Type.Array(Part),
  done: flag,
  queued: flag,
  stopReason: oneOf('', 'end_turn', 'cancelled', 'max_tokens', 'max_turn_requests', 'refusal'),
  error: text,
  code: oneOf(
    '',
    'agent-joined',
    'agent-left',
    'no-recipient',
    'agent-unavailable',
    'attachment-unavailable',
    'session-started',
    'notice',
    'compaction',
  ),
  attachments: Type.Array(Attachment),
});

export const PermissionOption = shape({
  optionId: text,
  name: text,
  kind: oneOf('allow_once', 'allow_always', 'reject_once', 'reject_always'),
});

export const Permission = shape({
  id: text,
  channel: text,
  agent: text,
  messageId: text,
  toolCall: Tool,
  options: Type.Array(PermissionOption),
  rejections: whole,
});

export const Question = shape({
  id: text,
  channel: text,
  agent: text,
  message: text,
  schema: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }),
  url: Type.Optional(text),
});

/** A field of a question as views ask for it. `hint`: what it accepts, in the person's language. */
export const QuestionField = shape({
  name: text,
  title: text,
  description: text,
  required: flag,
  hint: text,
  kind: oneOf('text', 'number', 'integer', 'boolean', 'one', 'many'),
  lines: Type.Boolean({ description: 'free text, which may have several lines' }),
  choices: Type.Array(shape({ value: Type.Union([text, flag]), title: text, description: text })),
  preset: Type.Optional(Type.Union([text, flag, Type.Array(text)])),
});

/** What the context window of an agent's session holds; `size` 0 if unknown. */
export const Usage = shape({ used: whole, size: whole });

export const Command = shape({ name: text, description: text, hint: text });

/** A mode, model or other choice an agent's session offers, whichever way the agent announced it (SPEC 18). */
export const Option = shape({
  optionId: text,
  name: text,
  description: text,
  category: text,
  value: text,
  choices: Type.Array(shape({ value: text, name: text, description: text })),
});

/** A message found by words. */
export const Hit = shape({
  channel: text,
  messageId: text,
  role: Message.properties.role,
  agent: text,
  createdAt: time,
  snippet: text,
});

/** `@` stands in a message for the file itself, `$` only attaches it (SPEC 6). */
export const FileSign = oneOf('@', '$');

export const Verdict = oneOf('accept', 'reject');
export const ConflictChoice = oneOf('mine', 'theirs', 'edited');
/** What the name of a conversation's buffer begins with. */
export const PlaceKind = oneOf('agent', 'channel');
export const ResetChoice = oneOf('settings', 'history', 'allHistory', 'everything');
export const MemoryLevel = oneOf('', 'normal', 'warning', 'critical');

/** A service of a Docker Compose file; the commands are lines for `sh` (SPEC 15). */
export const ComposeService = shape({
  name: text,
  container: text,
  createCommand: text,
  stopCommand: text,
  removeCommand: text,
});

/** A stretch an agent changed: `oldLines` stood before its turn, `newLines` stand there now (SPEC 9). */
export const Hunk = shape({
  line: Type.Integer({
    minimum: 1,
    description: 'the first of `newLines` in the present text; where the old ones stood',
  }),
  oldLines: Type.Array(text),
  newLines: Type.Array(text),
});

/** A file an agent changed in a turn; `path` is absolute, with every link resolved. */
export const ChangedFile = shape({
  path: text,
  status: oneOf('added', 'modified', 'deleted'),
  hunks: Type.Array(Hunk),
});

/** What one agent changed while it wrote the message `messageId`. */
export const ChangedTurn = shape({ messageId: text, channel: text, agent: text, files: Type.Array(ChangedFile) });

/** An edit of an agent that meets changes of somebody else in the same lines; the buffer was not touched. */
export const Conflict = shape({ id: text, channel: text, agent: text, messageId: text, path: text });

/** A hunk that was not restored, and why, as a sentence. */
export const RefusedHunk = shape({ path: text, line: whole, reason: text });

/** One region of the drawn transcript: rows with roles, and how they are copied (SPEC 16). */
export const Block = shape({
  id: text,
  kind: oneOf('header', 'prose', 'code', 'thought', 'tool', 'output', 'diff', 'plan', 'notice', 'gap'),
  rows: Type.Array(text),
  marks: Type.Array(Type.Unsafe<readonly [row: number, column: number, end: number, role: string]>({ type: 'array' }), {
    description: 'role of a stretch: row in the block, first byte, byte after the last (-1: the whole row), role',
  }),
  open: Type.Boolean({ description: 'still growing' }),
  lang: Type.Optional(text),
  copy: Type.Optional(
    Type.Tuple([whole, whole], { description: 'first row and row after the last that a copy takes' }),
  ),
  offsets: Type.Optional(
    Type.Array(whole, { description: 'per row, bytes of list indent or quote marks in front of the code' }),
  ),
  fold: Type.Optional(flag),
  right: Type.Optional(Type.String({ description: 'drawn at the right border of the first row' })),
  location: Type.Optional(Location),
  message: Type.Optional(Type.String({ description: 'id of the message this block begins or belongs to' })),
  tool: Type.Optional(Type.String({ description: 'id of the tool call it shows' })),
});

/** `splice` replaces whole blocks; `grow` replaces the rows of one open block from `row` on. All indexes from 0. */
export const PatchOperation = Type.Union([
  shape({ op: oneOf('splice'), at: whole, remove: whole, blocks: Type.Array(Block) }),
  shape({
    op: oneOf('grow'),
    at: whole,
    row: whole,
    rows: Type.Array(text),
    marks: Block.properties.marks,
    offsets: Type.Optional(Type.Array(whole)),
  }),
]);

export type Problem = Static<typeof Problem>;
export type Configuration = Static<typeof Configuration>;
export type AgentSummary = Static<typeof AgentSummary>;
export type Conversation = Static<typeof Conversation>;
export type Location = Static<typeof Location>;
export type Diff = Static<typeof Diff>;
export type Tool = Static<typeof Tool>;
export type PlanEntry = Static<typeof PlanEntry>;
export type Part = Static<typeof Part>;
export type Attachment = Static<typeof Attachment>;
export type Message = Static<typeof Message>;
export type PermissionOption = Static<typeof PermissionOption>;
export type Permission = Static<typeof Permission>;
export type Question = Static<typeof Question>;
export type QuestionField = Static<typeof QuestionField>;
export type Usage = Static<typeof Usage>;
export type Command = Static<typeof Command>;
export type Option = Static<typeof Option>;
export type PlaceKind = Static<typeof PlaceKind>;
export type ResetChoice = Static<typeof ResetChoice>;
export type ComposeService = Static<typeof ComposeService>;
export type Hunk = Static<typeof Hunk>;
export type ChangedFile = Static<typeof ChangedFile>;
export type ChangedTurn = Static<typeof ChangedTurn>;
export type Conflict = Static<typeof Conflict>;
export type RefusedHunk = Static<typeof RefusedHunk>;
export type Block = Static<typeof Block>;
export type PatchOperation = Static<typeof PatchOperation>;

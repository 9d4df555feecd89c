// The one table of methods (SPEC section 14): name, what it does, parameters, result. No behaviour.
import { Type, type Static, type TObject, type TSchema } from 'typebox';
import type { Value } from '../question/content.ts';
import * as s from './shapes.ts';

interface Method {
  readonly summary: string;
  readonly params: TObject;
  readonly result: TObject;
  /** Used by Sidekicks' own views only: no promise is made about it. */
  readonly internal?: true;
}

const params = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });
const nothing = params({});
const of = <P extends TObject, R extends TObject>(summary: string, parameters: P, result: R) => ({
  summary,
  params: parameters,
  result,
});
const internal = <P extends TObject, R extends TObject>(summary: string, parameters: P, result: R) => ({
  ...of(summary, parameters, result),
  internal: true as const,
});
const byName = params({ name: s.text });
const byId = params({ id: s.text });
const byPath = params({ path: s.text });
const hunks = params({ messageId: s.text, path: Type.Optional(s.text), hunk: Type.Optional(s.index) });
const problems = Type.Array(s.Problem);

export const methods = {
  'AgentService.List': of(
    'every agent, in configuration order',
    nothing,
    params({ agents: Type.Array(s.AgentSummary) }),
  ),
  'AgentService.Start': of('answers when the agent is ready', byName, nothing),
  'AgentService.Stop': of("answers when the agent's process group is gone", byName, nothing),
  'AgentService.Restart': of('answers when the new process is ready', byName, nothing),
  'AgentService.StopSandbox': of(
    'stops the agent, then runs `lifecycle.stop`; answers when that has ended',
    byName,
    nothing,
  ),
  'AgentService.RemoveSandbox': of(
    'stops the agent, then runs `lifecycle.remove`; answers when that has ended',
    byName,
    nothing,
  ),
  'AgentService.Logs': of('the last 200 lines of standard error', byName, params({ lines: Type.Array(s.text) })),

  'ConfigService.Current': of('the configuration in force and its problems', nothing, s.Configuration),
  'ConfigService.Content': of('the text of the configuration file', nothing, params({ text: s.text })),
  'ConfigService.Validate': of(
    'problems and warnings of a text; nothing is saved',
    params({ text: s.text }),
    params({ problems }),
  ),
  'ConfigService.Save': of(
    'writes the configuration file if the text is valid',
    params({ text: s.text }),
    params({ saved: s.flag, problems }),
  ),
  'ConfigService.Schema': of(
    'the JSON Schema of the configuration',
    nothing,
    params({ schema: Type.Unsafe<object>({ type: 'object' }) }),
  ),
  'ConfigService.Open': of(
    'stops answers and agents, then uses another file with its own history, and remembers it',
    byPath,
    s.Configuration,
  ),
  'ConfigService.Recent': of(
    'the files opened, newest first, 8 at most',
    nothing,
    params({ paths: Type.Array(s.text) }),
  ),
  'ConfigService.Choose': of('asks for a configuration file and opens it', nothing, byPath),
  'ConfigService.ChooseSandboxEnv': of('asks for an sbx environment file', nothing, byPath),
  'ConfigService.ChooseAgentConfig': of("asks for an agent's own configuration file", nothing, byPath),
  'ConfigService.ChooseCompose': of('asks for a Docker Compose file', nothing, byPath),
  'ConfigService.ReadSandboxEnv': of(
    'what an sbx environment file declares; the commands are lines for `sh`',
    byPath,
    params({
      name: s.text,
      workspace: s.text,
      sandboxFolder: s.text,
      createCommand: s.text,
      stopCommand: s.text,
      removeCommand: s.text,
    }),
  ),
  'ConfigService.ReadCompose': of(
    'the services of a Docker Compose file, as Compose reads it',
    byPath,
    params({ folder: s.text, services: Type.Array(s.ComposeService), problems }),
  ),
  'ConfigService.AddAgent': of(
    'writes an agent into the configuration file: its keys there, and its `name`',
    params({ agent: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }) }),
    nothing,
  ),
  'ConfigService.Reset': of(
    'begins anew; what is reset is first kept as dated copies',
    params({ choice: s.ResetChoice }),
    params({ copies: Type.Array(s.text) }),
  ),

  'SystemService.Memory': of(
    'memory of this computer, in bytes; `""`, 0 and 0 where it cannot be measured',
    nothing,
    params({ level: s.MemoryLevel, used: s.whole, total: s.whole }),
  ),

  'ChannelService.List': of(
    'conversations of the project (`all`: of every project), oldest first',
    params({ all: Type.Optional(s.flag) }),
    params({ channels: Type.Array(s.Conversation) }),
  ),
  'ChannelService.Create': of(
    'a new channel in the project; a name that is taken or empty is an error',
    params({ name: s.text, description: s.text }),
    s.Conversation,
  ),
  'ChannelService.Rename': of(
    'another name and description for a channel',
    params({ id: s.text, name: s.text, description: s.text }),
    s.Conversation,
  ),
  'ChannelService.Delete': of('stops the answers, then deletes the channel and its history', byId, nothing),
  'ChannelService.Clear': of('deletes all messages; the agents know nothing of them any more', byId, nothing),
  'ChannelService.AddMember': of('invites an agent', params({ id: s.text, agent: s.text }), s.Conversation),
  'ChannelService.RemoveMember': of(
    'an agent leaves; its answer ends cancelled',
    params({ id: s.text, agent: s.text }),
    s.Conversation,
  ),
  'ChannelService.Direct': of('the direct conversation with an agent', params({ agent: s.text }), s.Conversation),
  'ChannelService.Send': of(
    'answers once the message is in the conversation',
    params({ id: s.text, text: s.text }),
    params({ id: s.text }),
  ),
  'ChannelService.EditQueued': of(
    'changes a waiting message',
    params({ id: s.text, messageId: s.text, text: s.text }),
    nothing,
  ),
  'ChannelService.RemoveQueued': of('removes a waiting message', params({ id: s.text, messageId: s.text }), nothing),
  'ChannelService.Resend': of(
    'sends a cancelled or unsent message again',
    params({ id: s.text, messageId: s.text }),
    params({ id: s.text }),
  ),
  'ChannelService.Cancel': of('stops the answer and the waiting messages', byId, nothing),
  'ChannelService.NewSession': of("forgets the agents' sessions, keeps the messages", byId, nothing),
  'ChannelService.AnswerPermission': of(
    'answers one permission request by its own id',
    params({ id: s.text, optionId: s.text }),
    nothing,
  ),
  'ChannelService.AnswerQuestion': of(
    "answers an agent's question by its own id; `content` holds the fields of an answer that is accepted",
    params({
      id: s.text,
      action: Type.Unsafe<'accept' | 'decline' | 'cancel'>({ type: 'string', enum: ['accept', 'decline', 'cancel'] }),
      content: Type.Optional(Type.Unknown()),
    }),
    nothing,
  ),
  'ChannelService.Conversation': of(
    'snapshot of a conversation, with its last 100 messages',
    byId,
    params({
      channel: s.Conversation,
      messages: Type.Array(s.Message),
      more: s.flag,
      busy: s.flag,
      queued: s.whole,
      answering: s.text,
      cancelling: s.flag,
      waitingFor: s.text,
      usage: Type.Record(Type.String(), s.Usage),
      permissions: Type.Array(s.Permission),
      questions: Type.Array(s.Question),
    }),
  ),
  'ChannelService.Older': of(
    'the 100 messages before one',
    params({ id: s.text, beforeId: s.text }),
    params({ messages: Type.Array(s.Message), more: s.flag }),
  ),
  'ChannelService.Commands': of(
    'the slash commands an agent announced',
    params({ agent: s.text }),
    params({ commands: Type.Array(s.Command) }),
  ),
  'ChannelService.Options': of(
    "modes, models and options of an agent's session",
    params({ id: s.text, agent: s.text }),
    params({ options: Type.Array(s.Option) }),
  ),
  'ChannelService.SetOption': of(
    'chooses a value',
    params({ id: s.text, agent: s.text, optionId: s.text, value: s.text }),
    nothing,
  ),
  'ChannelService.Search': of(
    'messages with all the words, in every conversation, best first, 200 at most',
    params({ words: s.text }),
    params({ hits: Type.Array(s.Hit) }),
  ),
  'ChannelService.Export': of('the conversation as Markdown', byId, params({ text: s.text })),
  'ChannelService.Prepare': of("opens the members' sessions so that their commands are known", byId, nothing),

  'WorkspaceService.Info': of(
    "where an agent's files are, in words, and why they cannot be shown",
    params({ agent: s.text }),
    params({ location: s.text, problem: s.text }),
  ),
  'WorkspaceService.List': of(
    'what is in a folder of the workspace, folders first, then by name; `""` is the workspace itself',
    params({ agent: s.text, dir: s.text }),
    params({ entries: Type.Array(s.WorkspaceEntry) }),
  ),
  'WorkspaceService.Read': of(
    'a text of 1 MB at most; `version` identifies the content',
    params({ agent: s.text, path: s.text }),
    params({ path: s.text, content: s.text, version: s.text }),
  ),
  'WorkspaceService.Save': of(
    'writes a file that still has `version`, else says `conflict`; an empty `version` overwrites',
    params({ agent: s.text, path: s.text, content: s.text, version: s.text }),
    params({ conflict: s.flag, version: s.text }),
  ),
  'WorkspaceService.Create': of('makes an empty file', params({ agent: s.text, dir: s.text, name: s.text }), nothing),
  'WorkspaceService.Remove': of(
    'moves to the trash of this computer; where it would be for good, refused unless `permanent`',
    params({ agent: s.text, path: s.text, permanent: Type.Optional(s.flag) }),
    nothing,
  ),
  'WorkspaceService.Watch': of(
    'follows the files of a workspace (`workspace:changed`); counted per agent',
    params({ agent: s.text }),
    nothing,
  ),
  'WorkspaceService.Unwatch': of(
    'takes back one `Watch` of an agent; without an agent all of them',
    params({ agent: Type.Optional(s.text) }),
    nothing,
  ),
  'WorkspaceService.Attach': of(
    "makes a file of this computer one of an agent's workspace; gives the path to write after `$`",
    params({ agent: s.text, hostPath: s.text }),
    byPath,
  ),
  'WorkspaceService.ChooseAttachment': of('asks for a file to attach; `""` when given up', nothing, byPath),
  'WorkspaceService.Image': of(
    'an image of a workspace as a `data:` URL; any other file is an error',
    params({ agent: s.text, path: s.text }),
    params({ url: s.text }),
  ),
  'ChangesService.List': of(
    'what agents changed and nobody has accepted yet, by turn, oldest first, and the conflicts; of one conversation or all',
    params({ channel: Type.Optional(s.text) }),
    params({ turns: Type.Array(s.ChangedTurn), conflicts: Type.Array(s.Conflict) }),
  ),
  'ChangesService.Accept': of(
    'keeps a hunk, a file or all of a turn: it is listed no more; `hunk` counts in the file as listed last',
    hunks,
    nothing,
  ),
  'ChangesService.Reject': of(
    'brings back the text before the turn: in the buffer, or on disk for a file nobody opened',
    hunks,
    nothing,
  ),
  'ChangesService.Restore': of(
    'undoes a whole turn but for the hunks that were changed since',
    params({ messageId: s.text }),
    params({ refused: Type.Array(s.RefusedHunk) }),
  ),

  'TerminalService.Open': of(
    "runs a shell in an agent's workspace, in a terminal that no window shows yet",
    params({ agent: s.text, cols: s.cells, rows: s.cells }),
    byId,
  ),
  'TerminalService.Write': of('types into a terminal', params({ id: s.text, data: s.text }), nothing),
  'TerminalService.Resize': of(
    'gives a terminal another size',
    params({ id: s.text, cols: s.cells, rows: s.cells }),
    nothing,
  ),
  'TerminalService.Close': of('wipes a terminal out; answers when nothing that ran in it is left', byId, nothing),

  'ViewService.Open': internal(
    'begins to draw a conversation: a whole patch, then changes; gives the draft kept for it',
    byId,
    params({ draft: s.text }),
  ),
  'ViewService.Find': internal(
    'the conversation a buffer names: in a project, "" for the present one; none or one',
    params({ kind: s.PlaceKind, name: s.text, project: s.text }),
    params({ channels: Type.Array(s.Conversation), here: s.flag }),
  ),
  'ViewService.Locate': internal(
    'a conversation by its id, and whether it is one of the present project',
    byId,
    params({ channel: s.Conversation, here: s.flag }),
  ),
  'ViewService.Message': internal(
    'a message of a conversation, one that waits too',
    params({ id: s.text, messageId: s.text }),
    params({ message: s.Message }),
  ),
  'ViewService.Close': internal('stops drawing it', byId, nothing),
  'ViewService.Older': internal('draws the messages before the first one drawn', byId, params({ more: s.flag })),
  'ViewService.Newer': internal('draws the messages after the last one drawn', byId, params({ more: s.flag })),
  'ViewService.Newest': internal('draws the last messages, where others are drawn', byId, nothing),
  'ViewService.Reveal': internal(
    'draws a message and those around it, where it is not drawn yet',
    params({ id: s.text, messageId: s.text }),
    nothing,
  ),
  'ViewService.Draft': internal('keeps what is being written', params({ id: s.text, text: s.text }), nothing),
  'ViewService.Tool': internal(
    'the whole of a tool call, as lines',
    params({ id: s.text, tool: s.text }),
    params({ title: s.text, rows: Type.Array(s.text) }),
  ),
  'ViewService.Question': internal(
    "the fields of an agent's question, in the order in which they are asked for",
    byId,
    params({ fields: Type.Array(s.QuestionField) }),
  ),
  'ViewService.CheckField': internal(
    'whether one field takes what was typed or chosen: its value, or what is wrong with it; without a value it is left out',
    params({ id: s.text, field: s.text, value: Type.Optional(Type.Unknown()) }),
    params({ problem: s.text, value: Type.Optional(Type.Unsafe<Value>({})) }),
  ),
  'ViewService.Files': internal(
    'files that `sign` can name in the text of a conversation and that match, best first; `word` names one, sign included',
    params({ id: s.text, text: s.text, sign: s.FileSign, query: s.text, limit: s.whole }),
    params({ files: Type.Array(params({ path: s.text, word: s.text })), complete: s.flag }),
  ),
  'ViewService.Attach': internal(
    'attaches files of this computer to the message `text`; `word` names one in it, "" where `problem` says why not',
    params({ id: s.text, text: s.text, paths: Type.Array(s.text), dropped: s.flag }),
    params({ files: Type.Array(params({ path: s.text, word: s.text, problem: s.text })) }),
  ),
  'ViewService.OnHost': internal(
    'where a file of a workspace is on this computer; `""` where only a container or sandbox leads to it',
    params({ agent: s.text, path: s.text }),
    byPath,
  ),
  'ViewService.NameFile': internal(
    'how the message `text` names a file of the workspace of `agent`',
    params({ id: s.text, text: s.text, agent: s.text, path: s.text }),
    params({ word: s.text }),
  ),
  'ViewService.Changes': internal(
    'the same as `ChangesService.List`, for those who name hunks by what they are',
    nothing,
    params({ turns: Type.Array(s.ChangedTurn), conflicts: Type.Array(s.Conflict) }),
  ),
  'ViewService.Decide': internal(
    'accepts or rejects a file of a turn, or the one hunk of it that is like this one',
    params({ verdict: s.Verdict, messageId: s.text, path: s.text, hunk: Type.Optional(s.Hunk) }),
    nothing,
  ),
  'ViewService.Conflict': internal(
    'the three texts of a conflict; `base` is what the agent started from. Where `onDisk`, the texts stand in file and buffer alone',
    byId,
    params({ path: s.text, agent: s.text, base: s.text, mine: s.text, theirs: s.text, onDisk: s.flag }),
  ),
  'ViewService.ResolveConflict': internal(
    'ends a conflict: the text of the buffer stays, the one of the agent takes its place, or `text` does',
    params({ id: s.text, choice: s.ConflictChoice, text: Type.Optional(s.text) }),
    nothing,
  ),
  'ViewService.BufferRead': internal(
    'a buffer was read or written where agents work; `stamp` tells which state of its file that was, "" for none',
    params({ path: s.text, stamp: s.text }),
    nothing,
  ),
  'ViewService.BufferWrites': internal(
    'a buffer is about to be written whose file has changed; `agent` is whose change cannot be merged with it, "" for none',
    byPath,
    params({ agent: s.text }),
  ),
  'ViewService.Answer': internal(
    'the path a person gave when asked for one, "" when given up',
    params({ id: s.whole, path: s.text }),
    nothing,
  ),
  'ViewService.NewAgents': internal(
    'begins the assistant that adds an agent: where to, and the known agents that are installed and not there yet; fails where nothing can be added',
    nothing,
    params({
      path: s.text,
      agents: Type.Array(params({ name: s.text, title: s.text, command: s.text, args: Type.Array(s.text) })),
    }),
  ),
  'ViewService.AgentName': internal(
    'a name that is valid and free, like the one wanted',
    params({ wanted: s.text }),
    params({ name: s.text }),
  ),
  'ViewService.DraftAgent': internal(
    'what AddAgent would write, and from which line on; writes nothing, fails where AddAgent would',
    params({ agent: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }) }),
    params({ path: s.text, line: s.whole, lines: Type.Array(s.text), warnings: Type.Array(s.text) }),
  ),
  'ViewService.SignIn': internal(
    'the ways an agent can be signed in to; those with a command run in a terminal, in `folder`',
    params({ agent: s.text }),
    params({
      folder: s.text,
      env: Type.Record(Type.String(), s.text, { description: 'of the configuration' }),
      methods: Type.Array(
        params({
          name: s.text,
          description: s.text,
          command: s.text,
          args: Type.Array(s.text),
          env: Type.Record(Type.String(), s.text, { description: 'what the agent adds' }),
          line: Type.String({ description: 'the command as it is shown' }),
        }),
      ),
    }),
  ),
  'ViewService.Terminal': internal(
    'what a terminal of an agent is to run: words, in `folder` ("" for any), with `env`; `place` says where that is',
    params({ agent: s.text }),
    params({
      id: s.text,
      words: Type.Array(s.text),
      folder: s.text,
      env: Type.Record(Type.String(), s.text),
      place: s.text,
    }),
  ),
  'ViewService.TerminalBegan': internal('it runs, as this process', params({ id: s.text, pid: s.index }), nothing),
  'ViewService.TerminalClosed': internal('its buffer is gone, or it never ran', byId, nothing),
  'ViewService.Health': internal(
    'what only the host knows of itself, for :checkhealth',
    nothing,
    params({
      node: s.text,
      version: s.text,
      history: s.text,
      historyProblem: s.text,
      log: s.text,
      agents: Type.Array(params({ name: s.text, command: s.text, problem: s.text })),
    }),
  ),
} satisfies Record<string, Method>;

export type MethodName = keyof typeof methods;
export type Params<M extends MethodName> = Static<(typeof methods)[M]['params']>;
export type Answer<M extends MethodName> = Static<(typeof methods)[M]['result']>;

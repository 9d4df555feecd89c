// The one table of methods (SPEC section 14): name, what it does, parameters, result. No behaviour.
import { Type, type Static, type TObject, type TSchema } from 'typebox';
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

export const methods = {
  'AgentService.List': of(
    'every agent, in configuration order',
    nothing,
    params({ agents: Type.Array(s.AgentSummary) }),
  ),
  'AgentService.Start': of('answers when the agent is ready', byName, nothing),
  'AgentService.Stop': of("answers when the agent's process group is gone", byName, nothing),
  'AgentService.Restart': of('answers when the new process is ready', byName, nothing),
  'AgentService.Logs': of('the last 200 lines of standard error', byName, params({ lines: Type.Array(s.text) })),

  'ConfigService.Current': of(
    'the configuration in force and its problems',
    nothing,
    params({
      path: s.text,
      source: s.text,
      created: s.flag,
      valid: s.flag,
      problems: Type.Array(s.Problem),
      warnings: Type.Array(s.Problem),
      theme: Type.Record(Type.String(), Type.String()),
      language: s.text,
      historyProblem: s.text,
    }),
  ),

  'ChannelService.List': of(
    'conversations of the project (`all`: of every project), oldest first',
    params({ all: Type.Optional(s.flag) }),
    params({ channels: Type.Array(s.Conversation) }),
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
  'ChannelService.Prepare': of("opens the members' sessions so that their commands are known", byId, nothing),

  'ViewService.Open': internal(
    'begins to draw a conversation: a whole patch, then changes; gives the draft kept for it',
    byId,
    params({ draft: s.text }),
  ),
  'ViewService.Close': internal('stops drawing it', byId, nothing),
  'ViewService.Older': internal('draws the messages before the first one drawn', byId, params({ more: s.flag })),
  'ViewService.Draft': internal('keeps what is being written', params({ id: s.text, text: s.text }), nothing),
  'ViewService.Tool': internal(
    'the whole of a tool call, as lines',
    params({ id: s.text, tool: s.text }),
    params({ title: s.text, rows: Type.Array(s.text) }),
  ),
  'ViewService.Files': internal(
    'files of the workspace of a conversation that match, best first',
    params({ id: s.text, query: s.text, limit: s.whole }),
    params({ files: Type.Array(s.text), complete: s.flag }),
  ),
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

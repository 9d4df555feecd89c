// Owns speaking with Sidekicks in a child Neovim: its methods, its events, its buffers. It goes by the public face only.
import type { EventName, Payload } from '../../../src/core/contract/events.ts';
import type { Answer, MethodName, Params } from '../../../src/core/contract/methods.ts';
import type { Nvim } from './nvim.ts';

export type Snapshot = Answer<'ChannelService.Conversation'>;
export type Message = Snapshot['messages'][number];
export type Permission = Snapshot['permissions'][number];

export interface RecordedEvent<E extends EventName = EventName> {
  readonly name: E;
  readonly payload: Payload<E>;
}

const EVENT_NAMES: readonly EventName[] = [
  'config:changed',
  'agent:state',
  'agent:log',
  'channels:changed',
  'message:updated',
  'message:delta',
  'turn:changed',
  'permission:requested',
  'permission:resolved',
  'question:requested',
  'question:resolved',
  'usage:changed',
  'commands:changed',
  'options:changed',
  'changes:changed',
  'workspace:changed',
  'terminal:output',
  'terminal:exit',
];

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Sidekicks {
  readonly nvim: Nvim;
  readonly #events: RecordedEvent[] = [];
  readonly #answers = new Map<number, Waiting>();
  #lastRequest = 0;

  /** Begins to record every event; the first one recorded is the next one sent. */
  static async in(nvim: Nvim): Promise<Sidekicks> {
    const sidekicks = new Sidekicks(nvim);
    const channel = await nvim.request('nvim_get_api_info');
    await nvim.lua(RECORD, Array.isArray(channel) ? channel[0] : 0, EVENT_NAMES);
    return sidekicks;
  }

  private constructor(nvim: Nvim) {
    this.nvim = nvim;
    nvim.onNotification('sidekicks_test_event', (params) => this.#events.push(params[0] as RecordedEvent));
    nvim.onNotification('sidekicks_test_answer', ([id, error, result]) => this.#settle(Number(id), error, result));
  }

  /** `require('sidekicks').call`: waits in Neovim; an error rejects with its message. */
  async call<M extends MethodName>(method: M, params: Params<M>, timeoutMs = 15_000): Promise<Answer<M>> {
    return this.nvim.lua<Answer<M>>(`return require('sidekicks').call(...)`, method, params, timeoutMs);
  }

  /** `require('sidekicks').request`: Neovim goes on meanwhile; an error rejects with `code: message`. */
  async request<M extends MethodName>(method: M, params: Params<M>): Promise<Answer<M>> {
    this.#lastRequest += 1;
    const id = this.#lastRequest;
    const answer = new Promise((resolve, reject) => this.#answers.set(id, { resolve, reject }));
    await this.nvim.lua(REQUEST, id, method, params);
    return (await answer) as Answer<M>;
  }

  /** The events so far, in order; all, or those of one name. */
  events(): RecordedEvent[];
  events<E extends EventName>(name: E): Payload<E>[];
  events<E extends EventName>(name?: E): RecordedEvent[] | Payload<E>[] {
    if (name === undefined) return [...this.#events];
    return this.#events.filter((event): event is RecordedEvent<E> => event.name === name).map(({ payload }) => payload);
  }

  /** The first event of this name that fits, among those recorded and those to come. */
  waitForEvent<E extends EventName>(name: E, fits: (payload: Payload<E>) => boolean = () => true, limitMs?: number) {
    return this.nvim.waitFor(`the event ${name}`, () => this.events(name).find(fits), limitMs);
  }

  /** The direct conversation with an agent, as `:Sidekicks open` makes it, but without a window. */
  direct(agent: string) {
    return this.call('ChannelService.Direct', { agent });
  }

  conversation(id: string): Promise<Snapshot> {
    return this.call('ChannelService.Conversation', { id });
  }

  /** Opens the conversation with an agent on screen, and waits until one can type. Gives its id. */
  async open(agent: string): Promise<string> {
    await this.nvim.command(`Sidekicks open ${agent}`);
    const name = `sidekicks://agent/${agent}/input`;
    await this.nvim.waitForLua(`the input of ${agent}`, 'return vim.api.nvim_buf_get_name(0) == ...', name);
    return (await this.direct(agent)).id;
  }

  /** Sends a message; does not wait for its answer. */
  async send(id: string, text: string): Promise<string> {
    return (await this.call('ChannelService.Send', { id, text })).id;
  }

  /** Sends a message, waits until the conversation is idle, and gives it. */
  async ask(id: string, text: string, limitMs?: number): Promise<Snapshot> {
    await this.send(id, text);
    return this.waitUntilIdle(id, limitMs);
  }

  /** Waits until nothing is answered and nothing waits in the conversation. */
  waitUntilIdle(id: string, limitMs?: number): Promise<Snapshot> {
    const idle = async (): Promise<Snapshot | false> => {
      const now = await this.conversation(id);
      return !now.busy && now.queued === 0 && now;
    };
    return this.nvim.waitFor(`the end of the answer in ${id}`, idle, limitMs);
  }

  /** The oldest permission request of the conversation; waits for one. */
  waitForPermission(id: string, limitMs?: number): Promise<Permission> {
    const oldest = async (): Promise<Permission | undefined> => (await this.conversation(id)).permissions[0];
    return this.nvim.waitFor(`a permission request in ${id}`, oldest, limitMs);
  }

  /** Answers a permission request with its first option of a kind. */
  async answer(permission: Permission, kind: Permission['options'][number]['kind']): Promise<void> {
    const option = permission.options.find((candidate) => candidate.kind === kind);
    if (!option) throw new Error(`no ${kind} among ${permission.options.map(({ name }) => name).join(', ')}`);
    await this.call('ChannelService.AnswerPermission', { id: permission.id, optionId: option.optionId });
  }

  async agentState(name: string): Promise<string> {
    const { agents } = await this.call('AgentService.List', {});
    return agents.find((agent) => agent.name === name)?.state ?? '';
  }

  waitForState(name: string, state: string, limitMs?: number) {
    return this.nvim.waitFor(`${name} ${state}`, async () => (await this.agentState(name)) === state, limitMs);
  }

  transcript(agent: string): Promise<string[]> {
    return this.nvim.bufferLines(`sidekicks://agent/${agent}`);
  }

  #settle(id: number, error: unknown, result: unknown): void {
    const waiting = this.#answers.get(id);
    this.#answers.delete(id);
    if (typeof error === 'string') waiting?.reject(new Error(error));
    else waiting?.resolve(result);
  }
}

/** The text of a message: its text parts, joined. */
export function textOf(message: Message | undefined): string {
  return (message?.parts ?? []).map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** Process id of the Node side; 0 while there is none. */
export function hostPid(nvim: Nvim): Promise<number> {
  return nvim.lua<number>(`
    for _, channel in ipairs(vim.api.nvim_list_chans()) do
      if channel.argv and vim.endswith(channel.argv[#channel.argv] or '', 'rplugin/node/sidekicks/index.cjs') then
        return vim.fn.jobpid(channel.id)
      end
    end
    return 0`);
}

const RECORD = `
  local channel, names = ...
  vim.g.sidekicks_test_channel = channel
  for _, name in ipairs(names) do
    require('sidekicks').on(name, function(payload)
      vim.rpcnotify(channel, 'sidekicks_test_event', { name = name, payload = payload })
    end)
  end
`;

const REQUEST = `
  local id, method, params = ...
  require('sidekicks').request(method, params, function(err, result)
    local problem = err and (err.code .. ': ' .. err.message) or vim.NIL
    vim.rpcnotify(vim.g.sidekicks_test_channel, 'sidekicks_test_answer', id, problem, result or vim.NIL)
  end)
`;

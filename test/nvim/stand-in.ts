// Stands in for the host in tests of what Lua draws: says what the test tells it to, and keeps what it was asked.
// Everything on Neovim's side of the wire is the real thing.
import type { Block } from '../../src/core/contract/shapes.ts';
import type { EventName, Payload } from '../../src/core/contract/events.ts';
import type { MethodName } from '../../src/core/contract/methods.ts';
import type { Nvim } from './support/nvim.ts';

export const CONVERSATION = {
  id: 'c1',
  name: '',
  description: '',
  direct: 'bob',
  members: ['bob'],
  project: '/project',
};

const AGENT = {
  name: 'bob',
  title: 'Bob',
  icon: '',
  description: '',
  state: 'ready',
  error: '',
  outdated: false,
  runtime: 'local',
  canStopSandbox: false,
  canRemoveSandbox: false,
};

const SNAPSHOT = {
  channel: CONVERSATION,
  messages: [],
  more: false,
  busy: false,
  queued: 0,
  answering: '',
  cancelling: false,
  waitingFor: '',
  usage: {},
  permissions: [],
  questions: [],
};

const CONFIGURATION = {
  path: '/config.yaml',
  source: 'default',
  created: false,
  valid: true,
  problems: [],
  warnings: [],
  theme: {},
  language: 'en',
  historyProblem: '',
};

const ANSWERS: Partial<Record<MethodName, object>> = {
  'AgentService.List': { agents: [AGENT] },
  'ConfigService.Current': CONFIGURATION,
  'ChannelService.Direct': CONVERSATION,
  'ChannelService.Conversation': SNAPSHOT,
  'ViewService.Locate': { channel: CONVERSATION, here: true },
  'ChannelService.Options': { options: [] },
  'ChannelService.Commands': { commands: [] },
  'ChannelService.Prepare': {},
  'ChannelService.Send': { id: 'm1' },
  'ChannelService.AnswerPermission': {},
  'ViewService.Open': { draft: '' },
  'ViewService.Close': {},
  'ViewService.Draft': {},
  'ViewService.Files': { files: [], complete: true },
};

const INSTALL = `
  local host = require('sidekicks.host')
  _G.stand_in = { answers = ..., asked = {}, held = {} }
  function host.start() return true end
  function host.running() return true end
  function host.request(method, params, callback)
    table.insert(stand_in.asked, { method = method, params = params })
    local answer = stand_in.answers[method]
    if answer and callback then
      vim.schedule(function()
        callback(answer.error, not answer.error and answer or nil)
      end)
    elseif callback then
      stand_in.held[method] = callback
    end
  end
`;

export interface Asked {
  readonly method: MethodName;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface Failure {
  readonly error: { readonly code: string; readonly message: string };
}

export class StandIn {
  readonly nvim: Nvim;
  #number = 0;

  private constructor(nvim: Nvim) {
    this.nvim = nvim;
  }

  static async install(nvim: Nvim, answers: Partial<Record<MethodName, object>> = {}): Promise<StandIn> {
    await nvim.lua(INSTALL, { ...ANSWERS, ...answers });
    return new StandIn(nvim);
  }

  /** Opens the direct conversation with Bob, as a person does; the host has drawn these blocks. */
  static async open(nvim: Nvim, blocks: readonly Block[], answers: Partial<Record<MethodName, object>> = {}) {
    const host = await StandIn.install(nvim, answers);
    await nvim.command('Sidekicks open bob');
    await host.waitForAsked('ViewService.Open');
    await host.patch([{ op: 'splice', at: 0, remove: 0, blocks: [...blocks] }], { first: true });
    await nvim.waitForLua(
      'the input',
      `return vim.fn.exists('b:sidekicks') == 1 and b.sidekicks.kind`.replace('b.', 'vim.b.'),
    );
    return host;
  }

  /** From now on the method is answered so. */
  async answer(method: MethodName, answer: object): Promise<void> {
    await this.nvim.lua('local method, answer = ... stand_in.answers[method] = answer', method, answer);
  }

  /** From now on the method is not answered, until `release`. */
  async hold(method: MethodName): Promise<void> {
    await this.nvim.lua('stand_in.answers[...] = nil', method);
  }

  async release(method: MethodName, answer: object): Promise<void> {
    await this.nvim.lua(
      `local method, answer = ...
      stand_in.held[method](answer.error, not answer.error and answer or nil)`,
      method,
      answer,
    );
  }

  async asked(method: MethodName): Promise<Asked[]> {
    const all = await this.nvim.lua<Asked[]>('return stand_in.asked');
    return all.filter((one) => one.method === method);
  }

  waitForAsked(method: MethodName, count = 1): Promise<Asked[]> {
    return this.nvim.waitFor(`${count} × ${method}`, async () => {
      const asked = await this.asked(method);
      return asked.length >= count && asked;
    });
  }

  async send<E extends EventName>(name: E, payload: Payload<E>): Promise<void> {
    await this.nvim.lua(
      `require('sidekicks.host').receive({ { name = ..., payload = select(2, ...) } })`,
      name,
      payload,
    );
  }

  async patch(
    operations: Payload<'view:patch'>['operations'],
    {
      first = false,
      more = false,
      newer = false,
      number,
    }: { first?: boolean; more?: boolean; newer?: boolean; number?: number } = {},
  ): Promise<void> {
    this.#number = number ?? this.#number + 1;
    const place = { channel: CONVERSATION.id, number: this.#number };
    await this.send('view:patch', { ...place, first, more, newer, operations });
  }

  /** The rows of the transcript. */
  rows(): Promise<string[]> {
    return this.nvim.bufferLines('sidekicks://agent/bob');
  }
}

/** A block with what the test does not care about filled in. */
export function block(id: string, kind: Block['kind'], rows: readonly string[], rest: Partial<Block> = {}): Block {
  return { id, kind, rows: [...rows], marks: [], open: false, ...rest };
}

// Owns: the scripted agent's answers to every method, its sessions and the requests it has open.
// Must not: run the steps of a script (steps.mjs) or touch bytes (wire.mjs).
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findScript } from './script.mjs';
import { SessionStore } from './store.mjs';
import { Turn } from './turn.mjs';

const authRequired = (methods) => ({
  code: -32000,
  message: 'Authentication required',
  data: { authMethods: methods },
});
const notFound = (sessionId) => ({ code: -32002, message: 'Resource not found', data: { sessionId } });

export class ScriptedAgent {
  #options;
  #wire;
  #store;
  #turns = new Set();
  #open = new Map();
  #nextId = 1;
  #signedIn = false;

  constructor(options, wire) {
    this.#options = options;
    this.#wire = wire;
    this.#store = new SessionStore(options);
  }

  get options() {
    return this.#options;
  }

  get wire() {
    return this.#wire;
  }

  receive(message) {
    if (message === null || typeof message !== 'object') return;
    if (message.method === undefined) this.#settle(message);
    else if (message.id === undefined) this.#hear(message);
    else void this.#answer(message);
  }

  /** Sends a request of ours; resolves with the client's answer as `{ result }` or `{ error }`. */
  ask(method, params, id = this.#nextId++) {
    const answer = new Promise((resolve) => this.#open.set(id, resolve));
    void this.#wire.send({ jsonrpc: '2.0', id, method, params });
    return answer;
  }

  update(sessionId, update) {
    this.#store.keep(sessionId, update);
    return this.#wire.send({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } });
  }

  respond(id, outcome) {
    return this.#wire.send({ jsonrpc: '2.0', id, ...outcome });
  }

  #settle({ id, result, error }) {
    const resolve = this.#open.get(id);
    this.#open.delete(id);
    resolve?.(error === undefined ? { result } : { error });
  }

  #hear({ method, params }) {
    if (method !== 'session/cancel') return;
    for (const turn of this.#turns) if (turn.sessionId === params?.sessionId) turn.cancel();
  }

  async #answer(message) {
    const { id, method } = message;
    if (await this.#fault(message)) return;
    const handler = this.#handlers[method];
    const outcome = handler
      ? await handler(message.params ?? {}, id)
      : { error: { code: -32601, message: `no such method: ${method}` } };
    if (outcome !== undefined) await this.respond(id, outcome);
  }

  /** What the command line has in store for this method; true when there is nothing more to answer. */
  async #fault({ id, method }) {
    const { delay, exit, kill, silent, error, answer } = this.#options;
    if (delay.has(method)) await sleep(delay.get(method));
    if (exit.has(method)) {
      await this.#wire.flush();
      process.exit(exit.get(method));
    }
    if (kill.has(method)) process.kill(process.pid, kill.get(method));
    if (silent.includes(method)) return true;
    if (error.has(method)) await this.respond(id, { error: error.get(method) });
    else if (answer.has(method)) await this.respond(id, { result: answer.get(method) });
    else return false;
    return true;
  }

  #mustSignIn(method) {
    const { auth, authFile } = this.#options;
    return auth === method && !this.#signedIn && !(authFile && existsSync(authFile));
  }

  #handlers = {
    initialize: async () => {
      if (this.#mustSignIn('initialize')) return { error: authRequired(this.#options.authMethods) };
      for (const line of this.#options.noise) await this.#wire.sendRaw(Buffer.from(`${line}\n`));
      return { result: this.#introduction() };
    },
    authenticate: async () => {
      this.#signedIn = true;
      return { result: {} };
    },
    'session/new': async (params) => {
      if (this.#mustSignIn('session/new')) return { error: authRequired(this.#options.authMethods) };
      const session = this.#store.create(params.cwd);
      await this.#announce(session.id, this.#options.beforeNew, this.#options.commandsEarly);
      setImmediate(() => this.#announce(session.id, this.#options.afterNew, this.#options.commands));
      return { result: { sessionId: session.id, ...this.#offer() } };
    },
    'session/load': (params) => this.#takeUp(params, true),
    'session/resume': (params) => this.#takeUp(params, false),
    'session/list': async () => ({ result: { sessions: this.#store.list() } }),
    'session/close': async () => ({ result: {} }),
    'session/delete': async () => ({ result: {} }),
    'session/set_mode': async ({ sessionId, modeId }) => {
      if (this.#options.modes) this.#options.modes.currentModeId = modeId;
      setImmediate(() => this.update(sessionId, { sessionUpdate: 'current_mode_update', currentModeId: modeId }));
      return { result: {} };
    },
    'session/set_model': async ({ modelId }) => {
      if (this.#options.models) this.#options.models.currentModelId = modelId;
      return { result: {} };
    },
    'session/set_config_option': async ({ configId, value }) => {
      const options = this.#options.configOptions ?? [];
      for (const option of options) if (option.id === configId) option.currentValue = value;
      return { result: { configOptions: options } };
    },
    'session/prompt': (params, id) => this.#prompt(params, id),
  };

  #introduction() {
    const {
      protocol,
      name,
      title,
      load,
      authMethods,
      auth,
      promptCapabilities,
      sessionCapabilities,
      agentCapabilities,
    } = this.#options;
    return {
      protocolVersion: protocol,
      agentInfo: { name, title: title ?? name, version: '1.0.0' },
      agentCapabilities: { loadSession: load, promptCapabilities, sessionCapabilities, ...agentCapabilities },
      authMethods: auth ? authMethods : [],
    };
  }

  #offer() {
    const { modes, models, configOptions } = this.#options;
    return { modes, models, configOptions };
  }

  async #announce(sessionId, updates, availableCommands) {
    for (const update of updates) await this.update(sessionId, update);
    if (availableCommands)
      await this.update(sessionId, { sessionUpdate: 'available_commands_update', availableCommands });
  }

  async #takeUp({ sessionId, cwd }, replay) {
    const session = this.#store.find(sessionId);
    if (session === undefined) return { error: notFound(sessionId) };
    session.cwd = cwd;
    const past = replay ? [...session.updates, ...this.#options.replay] : [];
    for (const update of past) {
      await this.#wire.send({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } });
    }
    setImmediate(() => this.#announce(sessionId, [], this.#options.commands));
    return { result: this.#offer() };
  }

  /** The turn answers for itself: before, after or instead of its last step. */
  async #prompt(params, id) {
    if (this.#mustSignIn('session/prompt')) return { error: authRequired(this.#options.authMethods) };
    const session = this.#store.find(params.sessionId);
    if (session === undefined) return { error: notFound(params.sessionId) };
    for (const content of params.prompt ?? []) {
      this.#store.keep(session.id, { sessionUpdate: 'user_message_chunk', content });
    }
    const turn = new Turn({ agent: this, session, promptId: id, prompt: params.prompt });
    this.#turns.add(turn);
    try {
      await turn.run(findScript(params.prompt, this.#options));
    } finally {
      this.#turns.delete(turn);
    }
    return undefined;
  }
}

// Owns: one turn of the scripted agent: it runs its steps in order, stops on cancel, and answers the prompt.
// Must not: know what a single operation does (steps.mjs).
import { steps } from './steps.mjs';

class Stopped extends Error {}

export class Turn {
  /** What steps see of the turn. */
  constructor({ agent, session, promptId, prompt }) {
    this.agent = agent;
    this.wire = agent.wire;
    this.session = session;
    this.sessionId = session.id;
    this.promptId = promptId;
    this.prompt = prompt;
    this.obeys = true;
    this.ignores = false;
    this.answered = false;
    this.isCancelled = false;
    this.stopped = false;
    this.waiting = new Set();
    this.cancelled = new Promise((resolve) => {
      this.cancel = () => {
        this.isCancelled = true;
        resolve();
      };
    });
  }

  async run(list) {
    try {
      await this.runSteps(list);
    } catch (error) {
      this.blame(error);
      if (error instanceof Stopped) return this.answer({ result: { stopReason: 'cancelled' } });
      return this.answer({ error: { code: -32603, message: `script: ${error.message}` } });
    }
    if (this.answered) return undefined;
    return this.answer({ result: { stopReason: this.isCancelled && !this.ignores ? 'cancelled' : 'end_turn' } });
  }

  /** A script that fails is a fault of the test, so it is told; one that was stopped is none. */
  blame(error) {
    if (error instanceof Stopped) this.stopped = true;
    else process.stderr.write(`script: ${error.stack}\n`);
  }

  async runSteps(list, values = {}) {
    for (const step of list) {
      const { op, ...fields } = filled(step, { ...this.#values(), ...values });
      if (steps[op] === undefined) throw new Error(`unknown op ${JSON.stringify(op)}`);
      await this.obey(steps[op](this, fields, values));
    }
  }

  /** Waits for a step, but no longer than until a cancel that is obeyed. */
  async obey(work) {
    const stop = this.cancelled.then(() => (this.obeys && !this.answered ? Promise.reject(new Stopped()) : work));
    stop.catch(() => {}); // the race hears it; when the work came first, nobody needs to
    return Promise.race([work, stop]);
  }

  update(update, sessionId = this.sessionId) {
    return this.agent.update(sessionId, update);
  }

  say(text) {
    return this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }

  answer(outcome) {
    this.answered = true;
    return this.agent.respond(this.promptId, outcome);
  }

  #values() {
    return { cwd: this.session.cwd, session: this.sessionId, name: this.agent.options.name, pid: process.pid };
  }
}

/** Every string of a step with `{{cwd}}`, `{{session}}`, `{{name}}`, `{{pid}}` and `{{i}}` filled in. */
function filled(value, values) {
  if (typeof value === 'string') return value.replace(/\{\{(\w+)\}\}/g, (all, key) => String(values[key] ?? all));
  if (Array.isArray(value)) return value.map((one) => filled(one, values));
  if (value === null || typeof value !== 'object') return value;
  // Nested steps are filled when they run, with their own count.
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key === 'steps' ? one : filled(one, values)]),
  );
}

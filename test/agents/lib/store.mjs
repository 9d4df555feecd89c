// Owns: the scripted agent's sessions, kept in a folder when one is given. Must not: send anything.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const replayed = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
]);

export class SessionStore {
  #folder;
  #name;
  #sessions = new Map();

  constructor({ store, name }) {
    this.#folder = store;
    this.#name = name;
    if (store) mkdirSync(store, { recursive: true });
  }

  create(cwd) {
    const session = { id: `${this.#name}-${process.pid}-${this.#sessions.size + 1}`, cwd, updates: [] };
    this.#sessions.set(session.id, session);
    this.#save(session);
    return session;
  }

  find(id) {
    const known = this.#sessions.get(id);
    if (known !== undefined || !this.#folder || !/^[\w.-]+$/.test(id)) return known;
    const file = join(this.#folder, `${id}.json`);
    if (!existsSync(file)) return undefined;
    const session = JSON.parse(readFileSync(file, 'utf8'));
    this.#sessions.set(id, session);
    return session;
  }

  keep(id, update) {
    const session = this.#sessions.get(id);
    if (session === undefined || !replayed.has(update?.sessionUpdate)) return;
    session.updates.push(update);
    this.#save(session);
  }

  list() {
    const ids = this.#folder
      ? readdirSync(this.#folder).map((name) => name.replace(/\.json$/, ''))
      : this.#sessions.keys();
    return [...ids].map((id) => ({ sessionId: id, cwd: this.find(id).cwd }));
  }

  #save(session) {
    if (this.#folder) writeFileSync(join(this.#folder, `${session.id}.json`), JSON.stringify(session));
  }
}

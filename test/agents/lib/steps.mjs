// Owns: the operations a script is made of, each documented in README.md. Must not: decide when a turn stops.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './process.mjs';

const pollEvery = 5;
const forever = () => new Promise(() => {});

/** An operation that sends one update of this kind, its fields as they are given. */
const updateOf =
  (sessionUpdate) =>
  (turn, { sessionId, ...fields }) =>
    turn.update({ sessionUpdate, ...fields }, sessionId);

/** An operation that sends text, whole or in chunks of `size` UTF-16 units (which may split a character). */
const textOf =
  (sessionUpdate) =>
  async (turn, { text = '', size, every = 0, sessionId, ...fields }) => {
    const chunks = size
      ? Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))
      : [text];
    for (const chunk of chunks) {
      await turn.update({ sessionUpdate, content: { type: 'text', text: chunk }, ...fields }, sessionId);
      if (every > 0) await turn.obey(sleep(every));
    }
  };

const talk = {
  text: textOf('agent_message_chunk'),
  thought: textOf('agent_thought_chunk'),
  user: textOf('user_message_chunk'),
  tool_call: updateOf('tool_call'),
  tool_call_update: updateOf('tool_call_update'),
  plan: updateOf('plan'),
  usage: updateOf('usage_update'),
  info: updateOf('session_info_update'),
  notice: updateOf('notice'),
  compaction: updateOf('compaction_update'),
  compaction_text: updateOf('compaction_summary_chunk'),
  commands: (turn, { commands }) =>
    turn.update({ sessionUpdate: 'available_commands_update', availableCommands: commands }),
  mode: (turn, { modeId }) => turn.update({ sessionUpdate: 'current_mode_update', currentModeId: modeId }),
  options: (turn, { configOptions }) => turn.update({ sessionUpdate: 'config_option_update', configOptions }),
  update: (turn, { update, sessionId }) => turn.update(update, sessionId),
  prompt: (turn) => turn.say(`${JSON.stringify(turn.prompt)}\n`),

  async chunks(turn, { count, size = 8, every = 0, kind = 'agent_message_chunk', text }) {
    for (let i = 0; i < count; i += 1) {
      const chunk = text ?? `${String(i).padStart(size - 1, '0')} `;
      await turn.obey(turn.update({ sessionUpdate: kind, content: { type: 'text', text: chunk } }));
      if (every > 0) await turn.obey(sleep(every));
      else if (i % 64 === 63) await turn.obey(sleep(0));
    }
  },
  async repeat(turn, { count, steps: list, every = 0 }) {
    for (let i = 0; i < count; i += 1) {
      await turn.runSteps(list, { i });
      if (every > 0) await turn.obey(sleep(every));
    }
  },
};

const raw = {
  line: (turn, { text = '', end = '\n' }) => turn.wire.sendRaw(Buffer.from(text + end)),
  bytes: (turn, { hex, base64 }) => turn.wire.sendRaw(hex ? Buffer.from(hex, 'hex') : Buffer.from(base64, 'base64')),
  send: (turn, { message }) => turn.wire.send(message),
  notify: (turn, { method, params }) => turn.wire.send({ jsonrpc: '2.0', method, params }),
  big(turn, { bytes, as = 'text', fill = 'x' }) {
    const text = fill.repeat(Math.ceil(bytes / fill.length)).slice(0, bytes);
    if (as === 'text') return turn.say(text);
    if (as === 'junk') return turn.wire.sendRaw(Buffer.from(`${text}\n`));
    const content = [{ type: 'content', content: { type: 'text', text } }];
    return turn.update({ sessionUpdate: 'tool_call_update', toolCallId: as, status: 'completed', content });
  },
  async split(turn, { at, pause }) {
    turn.wire.cutNext(at, pause);
  },
};

/** Sends a request; waits for its answer unless `wait` is false; echoes it as text; follows `on`. */
async function ask(turn, method, params, { id, wait = true, echo = false, on }) {
  const answered = turn.agent.ask(method, params, id).then(async (answer) => {
    if (turn.stopped) return;
    const label = typeof echo === 'string' ? `${echo} ` : '';
    if (echo !== false) await turn.say(`${label}${JSON.stringify(answer.error ? answer : answer.result)}\n`);
    await turn.runSteps(on?.[keyOf(answer)] ?? on?.else ?? []);
  });
  if (wait) return turn.obey(answered);
  turn.waiting.add(answered);
  answered.catch((error) => turn.blame(error));
  return undefined;
}

/** What `on` may name: the option that was chosen, the outcome or action, `error`, or `ok`. */
function keyOf({ result, error }) {
  if (error) return 'error';
  return result?.outcome?.optionId ?? result?.outcome?.outcome ?? result?.action ?? 'ok';
}

const allowOrReject = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

const requests = {
  request: (turn, { method, params = {}, session = true, ...how }) =>
    ask(turn, method, session ? { sessionId: turn.sessionId, ...params } : params, how),
  permission(turn, { id, wait, echo, on, toolCall, options = allowOrReject, ...params }) {
    const asked = toolCall ?? { toolCallId: 'permission', title: 'Do something', kind: 'other', status: 'pending' };
    const all = { sessionId: turn.sessionId, toolCall: asked, options, ...params };
    return ask(turn, 'session/request_permission', all, { id, wait, echo, on });
  },
  question(turn, { id, wait, echo, on, outside = false, ...params }) {
    const scope = outside ? { requestId: turn.promptId } : { sessionId: turn.sessionId };
    const mode = params.url === undefined ? 'form' : 'url';
    return ask(turn, 'elicitation/create', { ...scope, mode, message: 'Which?', ...params }, { id, wait, echo, on });
  },
  read: (turn, { id, wait, echo, on, ...params }) =>
    ask(turn, 'fs/read_text_file', { sessionId: turn.sessionId, ...params }, { id, wait, echo, on }),
  write: (turn, { id, wait, echo, on, ...params }) =>
    ask(turn, 'fs/write_text_file', { sessionId: turn.sessionId, ...params }, { id, wait, echo, on }),
  join: (turn) => Promise.all(turn.waiting),
};

const waits = {
  wait: (_turn, { ms }) => sleep(ms),
  async wait_file(turn, { path }) {
    const file = resolve(turn.session.cwd, path);
    // A turn that was cancelled meanwhile stops looking.
    while (!existsSync(file) && !(turn.isCancelled && turn.obeys)) await sleep(pollEvery);
  },
  wait_cancel(turn) {
    turn.obeys = false;
    return turn.cancelled;
  },
  async ignore_cancel(turn) {
    turn.obeys = false;
    turn.ignores = true;
  },
};

const ends = {
  end: (turn, { stopReason = 'end_turn', result }) =>
    turn.answer({ result: result === undefined ? { stopReason } : result }),
  error: (turn, { code = -32603, message = 'failed', data }) => turn.answer({ error: { code, message, data } }),
  never: forever,
  async exit(turn, { code = 0 }) {
    await turn.wire.flush();
    process.exit(code);
  },
  async signal(turn, { signal = 'SIGKILL' }) {
    await turn.wire.flush();
    process.kill(process.pid, signal);
    await forever();
  },
  close_stdout: (turn) => turn.wire.closeOutput(),
  deaf: async (turn) => turn.wire.deaf(true),
  hear: async (turn) => turn.wire.deaf(false),
};

const world = {
  stderr: async (_turn, { text }) => void process.stderr.write(`${text}\n`),
  async disk_write(turn, { path, content = '' }) {
    const file = resolve(turn.session.cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  },
  disk_delete: async (turn, { path }) => rmSync(resolve(turn.session.cwd, path), { recursive: true, force: true }),
  disk_rename: async (turn, { from, to }) => renameSync(resolve(turn.session.cwd, from), resolve(turn.session.cwd, to)),
  spawn: async (turn, { command, args, detached = false }) =>
    void startChild(turn.agent.options.pids, detached, command, args),
};

export const steps = { ...talk, ...raw, ...requests, ...waits, ...ends, ...world };

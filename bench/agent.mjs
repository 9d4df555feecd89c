#!/usr/bin/env node
// Owns: the agent of the benchmarks, ACP v1 over stdio, as fast as the pipe takes it. Must not: say anything but the
// scenario that stands in the prompt (agent-scenarios.mjs):
//   flood N SIZE     N chunks of about SIZE bytes: prose, with a Lua block every 200 chunks
//   paced N MS       the same text, one chunk every MS milliseconds
//   tools N          N tool calls, each with an update that carries a diff
//   bigtool BYTES    one tool call whose one update carries BYTES of text
//   perm             one permission request, its answer as text
// A prompt with end=XYZ ends with the chunk "donemark-XYZ". One line with the times of each turn goes to standard
// error, and with --log FILE (or SIDEKICKS_BENCH_LOG) to that file as JSON.
import { appendFileSync } from 'node:fs';
import { findScenario, scenarios } from './agent-scenarios.mjs';

const logAt = process.argv.indexOf('--log');
const logFile = logAt > 0 ? process.argv[logAt + 1] : process.env.SIDEKICKS_BENCH_LOG;
/** Between two looks at the input, so that a cancel is heard in a flood. */
const chunksPerTick = 128;

const now = () => Number(process.hrtime.bigint()) / 1e6;
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const tick = () => new Promise((resolve) => setImmediate(resolve));
const rounded = (milliseconds) => Number(milliseconds.toFixed(1));

const sessions = new Map();
const waiting = new Map();
let nextId = 1;

const lineOf = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const send = (message) => process.stdout.write(lineOf(message));

class Turn {
  cancelled = false;
  #sessionId;
  #updates = 0;
  #bytes = 0;
  #first = 0;
  #last = 0;
  #blocked = 0;

  constructor(sessionId, cwd, mark) {
    this.#sessionId = sessionId;
    this.cwd = cwd;
    this.mark = mark;
    this.now = now;
    this.sleep = sleep;
  }

  say(text) {
    return this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }

  async update(update) {
    const line = lineOf({ method: 'session/update', params: { sessionId: this.#sessionId, update } });
    this.#first ||= now();
    this.#updates += 1;
    this.#bytes += line.length;
    if (!process.stdout.write(line)) await this.#drained();
    else if (this.#updates % chunksPerTick === 0) await tick();
    this.#last = now();
  }

  request(method, params) {
    const id = nextId++;
    send({ id, method, params: { sessionId: this.#sessionId, ...params } });
    return new Promise((resolve) => waiting.set(id, resolve));
  }

  times() {
    return {
      updates: this.#updates,
      bytes: this.#bytes,
      write_ms: rounded(this.#last - this.#first),
      blocked_ms: rounded(this.#blocked),
    };
  }

  async #drained() {
    const start = now();
    await new Promise((resolve) => process.stdout.once('drain', resolve));
    this.#blocked += now() - start;
  }
}

async function prompt(id, { sessionId, prompt: blocks = [] }) {
  const session = sessions.get(sessionId) ?? { cwd: process.cwd() };
  const scenario = findScenario(blocks.map((block) => block.text ?? block.resource?.text ?? '').join('\n'));
  const turn = new Turn(sessionId, session.cwd, scenario.mark);
  session.turn = turn;
  const start = now();
  await scenarios[scenario.name](turn, ...scenario.numbers);
  if (scenario.mark) await turn.say(`\n\ndonemark-${scenario.mark}\n`);
  const result = { stopReason: turn.cancelled ? 'cancelled' : 'end_turn' };
  await new Promise((resolve) => process.stdout.write(lineOf({ id, result }), resolve));
  report({ scenario: scenario.text, ...turn.times(), turn_ms: rounded(now() - start) });
}

function report(times) {
  const line = JSON.stringify(times);
  process.stderr.write(`turn ${line}\n`);
  if (logFile) appendFileSync(logFile, `${line}\n`);
}

const handlers = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: 'sidekicks-bench', version: '1.0.0' },
    agentCapabilities: { promptCapabilities: { embeddedContext: true } },
    authMethods: [],
  }),
  'session/new': ({ cwd }) => {
    const sessionId = `s${sessions.size + 1}`;
    sessions.set(sessionId, { cwd: cwd ?? process.cwd() });
    return { sessionId };
  },
};

function receive({ id, method, params = {}, result, error }) {
  if (method === 'session/prompt') return void prompt(id, params);
  if (method === 'session/cancel') return cancel(params.sessionId);
  if (method === undefined) return settle(id, result ?? { error });
  if (id === undefined) return undefined;
  const handler = handlers[method];
  const answer = handler
    ? { result: handler(params) }
    : { error: { code: -32601, message: `no such method: ${method}` } };
  return send({ id, ...answer });
}

function cancel(sessionId) {
  const turn = sessions.get(sessionId)?.turn;
  if (turn) turn.cancelled = true;
}

function settle(id, answer) {
  waiting.get(id)?.(answer);
  waiting.delete(id);
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  for (const line of lines) if (line.trim() !== '') receive(JSON.parse(line));
});
process.stdin.on('end', () => process.exit(0));
process.stdout.on('error', () => process.exit(0));

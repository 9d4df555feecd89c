// Owns: what the bench agent says in each scenario, the same bytes in every run. Must not: touch the wire or the clock
// except through the turn it is given.
import path from 'node:path';

const words = (
  'the buffer keeps its lines while a stream of small pieces arrives and every piece ' +
  'must find its place without a pause that a reader would feel under the keys'
).split(' ');
const code = [
  '```lua\n',
  'local M',
  ' = {}\n',
  'function',
  ' M.add(',
  'a, b)\n',
  '  return',
  ' a + b\n',
  'end\n',
  'return M',
  '\n```\n\n',
];
const codeEvery = 200;
const lineEvery = 12;
const paragraphEvery = 60;

/** Chunk `i` of the prose, about `size` bytes: a line break every 12, a Lua block every 200. */
export function piece(i, size) {
  const at = i % codeEvery;
  if (i >= code.length && at < code.length) return at === 0 ? `\n\n${code[0]}` : code[at];
  let text = `${words[(i * 7) % words.length]} `;
  for (let next = i + 1; text.length < size; next += 1) {
    text += `${words[(next * 5) % words.length].slice(0, Math.max(1, size - text.length - 1))} `;
  }
  if (i % lineEvery !== lineEvery - 1) return text;
  return text.trimEnd() + (i % paragraphEvery === paragraphEvery - 1 ? '\n\n' : '\n');
}

function diffOf(i) {
  const before = Array.from({ length: 20 }, (_, line) => `local value_${line} = compute(${i}, ${line})`);
  const after = before.map((text, line) =>
    line % 7 === 3 ? `local value_${line} = compute_again(${i}, ${line}, true)` : text,
  );
  return { oldText: `${before.join('\n')}\n`, newText: `${after.join('\n')}\n` };
}

const outputLine = (i) =>
  `${String(i).padStart(8, '0')} output of the command, line by line...`.padEnd(49, '.').slice(0, 49);

/** Each scenario gets the turn and the numbers that stood behind its name. */
export const scenarios = {
  async flood(turn, count = 20_000, size = 8) {
    for (let i = 0; i < count && !turn.cancelled; i += 1) await turn.say(piece(i, size));
  },

  /** Keeps to the clock: chunks that fall due together are sent together. */
  async paced(turn, count = 3000, every = 1, size = 8) {
    const start = turn.now();
    for (let i = 0; i < count && !turn.cancelled;) {
      const due = Math.min(count, Math.floor((turn.now() - start) / every) + 1);
      while (i < due) await turn.say(piece(i++, size));
      await turn.sleep(1);
    }
  },

  async tools(turn, count = 500) {
    for (let i = 0; i < count && !turn.cancelled; i += 1) {
      const name = `file${i % 10}.lua`;
      const file = path.join(turn.cwd, name);
      const toolCallId = `call-${turn.mark}-${i}`;
      await turn.update({
        sessionUpdate: 'tool_call',
        toolCallId,
        title: `Edit ${name} (${i})`,
        kind: 'edit',
        status: 'in_progress',
        rawInput: { file_path: file },
        locations: [{ path: file, line: 1 + (i % 20) }],
        content: [],
      });
      const content = [{ type: 'diff', path: file, ...diffOf(i) }];
      await turn.update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content });
    }
  },

  async bigtool(turn, bytes = 2_000_000) {
    const toolCallId = `call-${turn.mark}`;
    const title = 'Run the long command';
    const rawInput = { command: 'seq' };
    await turn.update({
      sessionUpdate: 'tool_call',
      toolCallId,
      title,
      kind: 'execute',
      status: 'in_progress',
      rawInput,
      content: [],
    });
    const text = Array.from({ length: Math.max(1, Math.round(bytes / 50)) }, (_, i) => outputLine(i)).join('\n');
    const content = [{ type: 'content', content: { type: 'text', text } }];
    await turn.update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content });
  },

  async perm(turn) {
    const answer = await turn.request('session/request_permission', {
      toolCall: { toolCallId: `call-${turn.mark}`, title: 'Edit file0.lua', kind: 'edit', status: 'pending' },
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    });
    await turn.say(`The answer was ${JSON.stringify(answer)}.`);
  },

  hello: (turn) => turn.say('Hello.'),
};

/** The last scenario a text names, one with a mark before one without. */
export function findScenario(text) {
  const names = Object.keys(scenarios).join('|');
  const pattern = new RegExp(`\\b(${names})\\b((?:[ \\t]+\\d+)*)(?:[ \\t]+end=(\\w+))?`, 'g');
  const found = [...text.matchAll(pattern)];
  const hit = found.filter((match) => match[3]).at(-1) ?? found.at(-1);
  if (hit === undefined) return { text: '', name: 'hello', numbers: [], mark: '' };
  return { text: hit[0], name: hit[1], numbers: (hit[2].match(/\d+/g) ?? []).map(Number), mark: hit[3] ?? '' };
}

// Patches applied in order are the drawing from scratch, whatever happens in whatever order; and only what changed is sent.
import { describe, expect, test } from 'vitest';
import type { Message, Part, PatchOperation, Permission } from '../../../src/core/contract/shapes.ts';
import {
  append,
  drawAll,
  drawMessage,
  emptyTranscript,
  prepend,
  removeMessage,
  setPermissions,
  type Drawn,
  type Transcript,
} from '../../../src/core/transcript/index.ts';
import { chunksOf, pick, randomFrom, seed, upTo, wellFormed, type Random } from './markdown-documents.ts';
import { english, message, permission, text, thought, tool, toolCall, user, View, wire } from './transcript-support.ts';

/** A conversation somebody watches: what is there, what is drawn, and what the patches made of it. */
class Watched {
  messages: Message[] = [];
  permissions: Permission[] = [];
  more = false;
  newer = false;
  transcript: Transcript = emptyTranscript(english);
  readonly view = new View();

  take({ transcript, operations }: Drawn): void {
    this.transcript = transcript;
    this.view.apply(operations);
  }

  expectDrawn(when: string): void {
    const asked = setPermissions(emptyTranscript(english), this.permissions).transcript;
    const scratch = wire(drawAll(asked, this.messages, this.more, this.newer).transcript);
    const found = JSON.stringify(this.view.blocks);
    if (found !== JSON.stringify(scratch)) expect(this.view.blocks, when).toEqual(scratch);
    if (found !== JSON.stringify(wire(this.transcript))) expect(wire(this.transcript), when).toEqual(scratch);
  }
}

/** Texts to pick from: making one takes longer than drawing it. */
const texts = Array.from({ length: 60 }, (_, index) => wellFormed(randomFrom(seed * 700_000 + index), 2).slice(0, 400));

type Action = (watched: Watched, random: Random, count: number) => void;

const put = (watched: Watched, next: Message): void => {
  const index = watched.messages.findIndex((one) => one.id === next.id);
  watched.messages = index < 0 ? [...watched.messages, next] : watched.messages.with(index, next);
  watched.take(drawMessage(watched.transcript, next));
};

const lastAgent = ({ messages }: Watched): Message | undefined => messages.findLast((one) => one.role === 'agent');

function changeParts(watched: Watched, change: (parts: readonly Part[]) => readonly Part[]): void {
  const last = lastAgent(watched);
  if (last) put(watched, { ...last, parts: [...change(last.parts)] });
}

function say(kind: 'text' | 'thought'): Action {
  return (watched, random) => {
    const piece = pick(random, chunksOf(random, pick(random, texts), 40));
    changeParts(watched, (parts) => {
      const last = parts.at(-1);
      return last?.kind === kind
        ? [...parts.slice(0, -1), { kind, text: last.text + piece }]
        : [...parts, kind === 'text' ? text(piece) : thought(piece)];
    });
  };
}

const callTool: Action = (watched, random, count) => {
  changeParts(watched, (parts) => [
    ...parts,
    tool({ id: `t${count}`, status: 'pending', title: pick(random, ['', 'ls\n-l']) }),
  ]);
};

const updateTool: Action = (watched, random) => {
  changeParts(watched, (parts) =>
    parts.map((part) => {
      if (part.kind !== 'tool' || random() < 0.5) return part;
      const newText = pick(random, texts);
      return tool({
        ...part.tool,
        status: pick(random, ['in_progress', 'completed', 'failed']),
        output: part.tool.output + pick(random, texts),
        diffs: random() < 0.3 ? [{ path: '/a', oldText: 'a\nb\n', newText, newFile: false }] : part.tool.diffs,
      });
    }),
  );
};

const plan: Action = (watched, random) => {
  const status = pick(random, ['pending', 'in_progress', 'completed'] as const);
  const next: Part = { kind: 'plan', entries: [{ content: 'step', priority: 'low', status }] };
  changeParts(watched, (parts) =>
    parts.some((part) => part.kind === 'plan')
      ? parts.map((part) => (part.kind === 'plan' ? next : part))
      : [...parts, next],
  );
};

const ask: Action = (watched, random, count) => {
  const calls = watched.messages.flatMap((one) =>
    one.parts.flatMap((part) => (part.kind === 'tool' ? [{ messageId: one.id, toolCall: part.tool }] : [])),
  );
  const about =
    calls.length > 0 && random() < 0.7 ? pick(random, calls) : { messageId: 'm?', toolCall: toolCall({ id: '?' }) };
  watched.permissions = [...watched.permissions, permission({ id: `p${count}`, ...about })];
  watched.take(setPermissions(watched.transcript, watched.permissions));
};

const answer: Action = (watched, random) => {
  watched.permissions = watched.permissions.filter(() => random() < 0.4);
  watched.take(setPermissions(watched.transcript, watched.permissions));
};

const end: Action = (watched, random) => {
  const last = lastAgent(watched);
  if (last)
    put(watched, {
      ...last,
      done: true,
      stopReason: pick(random, ['end_turn', 'cancelled']),
      error: pick(random, ['', 'no\nmodel']),
    });
};

const actions: readonly Action[] = [
  say('text'),
  say('text'),
  say('text'),
  say('thought'),
  callTool,
  updateTool,
  plan,
  ask,
  answer,
  end,
  (watched, random, count) => put(watched, user(pick(random, texts), { id: `m${count}`, queued: random() < 0.3 })),
  (watched, _random, count) => put(watched, message({ id: `m${count}`, done: false })),
  (watched, random, count) =>
    put(watched, message({ id: `m${count}`, role: 'system', code: pick(random, ['agent-joined', 'notice']) })),
  (watched, random) => {
    const edited = watched.messages.findLast((one) => one.role === 'user');
    if (edited) put(watched, { ...edited, queued: false, parts: [text(pick(random, texts))] });
  },
  (watched, random) => {
    if (watched.messages.length < 2) return;
    const { id } = pick(random, watched.messages);
    watched.messages = watched.messages.filter((one) => one.id !== id);
    watched.take(removeMessage(watched.transcript, id));
  },
  (watched, random, count) => {
    const older = [user('old', { id: `o${count}` }), message({ id: `a${count}`, parts: [text('older')] })];
    watched.more = random() < 0.5;
    watched.messages = [...older, ...watched.messages];
    watched.take(prepend(watched.transcript, older, watched.more));
  },
  (watched, random, count) => {
    const newer = [user('new', { id: `n${count}` }), message({ id: `b${count}`, parts: [text('newer')] })];
    watched.newer = random() < 0.5;
    watched.messages = [...watched.messages, ...newer];
    watched.take(append(watched.transcript, newer, watched.newer));
  },
];

describe(`patches (SIDEKICKS_SEED=${seed})`, () => {
  test('whatever happens, the view shows what is drawn from scratch', () => {
    for (let run = 0; run < 30; run++) {
      const random = randomFrom(seed * 500_000 + run);
      const watched = new Watched();
      put(watched, user('hello', { id: 'first' }));
      for (let count = 0; count < 60; count++) {
        const index = upTo(random, actions.length - 1);
        actions[index]?.(watched, random, count);
        if (random() < 0.3) watched.expectDrawn(`run ${run}, step ${count}, action ${index}`);
      }
    }
  });

  test('streaming by the letter', () => {
    const random = randomFrom(seed * 600_000);
    const watched = new Watched();
    const whole = wellFormed(random, 8).slice(0, 1500);
    for (let length = 1; length <= whole.length; length++) {
      put(watched, message({ done: false, parts: [text(whole.slice(0, length))] }));
      if (length % 7 === 0) watched.expectDrawn(whole.slice(0, length));
    }
    put(watched, message({ parts: [text(whole)] }));
    watched.expectDrawn(whole);
  });
});

const rowsSent = (operations: readonly PatchOperation[]): number =>
  operations.reduce(
    (sum, one) =>
      sum + (one.op === 'grow' ? one.rows.length : one.blocks.reduce((rows, block) => rows + block.rows.length, 0)),
    0,
  );

/** Draws a growing text part and counts the rows sent for it. */
function rowsForStream(
  kind: 'text' | 'thought',
  chunks: readonly string[],
  every: number,
): { sent: number; operations: number } {
  let transcript = emptyTranscript(english);
  let whole = '';
  let sent = 0;
  let operations = 0;
  chunks.forEach((chunk, index) => {
    whole += chunk;
    if (index % every !== 0 && index < chunks.length - 1) return;
    const part = kind === 'text' ? text(whole) : thought(whole);
    const change = drawMessage(transcript, message({ done: false, parts: [part] }));
    transcript = change.transcript;
    sent += rowsSent(change.operations);
    operations += change.operations.length;
  });
  return { sent, operations };
}

describe('only what changed is sent', () => {
  const code = (lines: number): readonly string[] => [
    '```lua\n',
    ...Array.from({ length: lines }, (_, row) => `local v${row} = 1\n`),
  ];

  test('a fence that grows is sent once', () => {
    expect(rowsForStream('text', code(5_000), 5).sent).toBeLessThan(5_100);
  });

  test('a thought that grows is sent once', () => {
    const lines = Array.from({ length: 5_000 }, (_, row) => `thinking of ${row}\n`);
    expect(rowsForStream('thought', lines, 5).sent).toBeLessThan(5_100);
  });

  test('prose is sent again only within its paragraph', () => {
    const lines = Array.from({ length: 3_000 }, (_, row) => (row % 10 === 9 ? '\n' : `word **word** ${row}\n`));
    expect(rowsForStream('text', lines, 1).sent).toBeLessThan(3_000 * 3);
  });

  test('a row without an end is the only one sent', () => {
    const { sent, operations } = rowsForStream('text', ['a\n\n', ...Array.from({ length: 400 }, () => 'word ')], 1);
    expect(sent).toBeLessThan(410);
    expect(operations).toBeLessThan(410);
  });

  test('nothing for a message that is the same', () => {
    const one = message({ done: false, parts: [text('a\n\n```\nx'), tool({}), thought('b')] });
    const { transcript } = drawMessage(emptyTranscript(english), one);
    expect(drawMessage(transcript, one).operations).toEqual([]);
    expect(drawMessage(transcript, structuredClone(one)).operations).toEqual([]);
  });

  test('an old tool call among 10,000 blocks is one small patch', () => {
    const many = Array.from({ length: 2_500 }, (_, index) =>
      message({ id: `m${index}`, parts: [text('a'), tool({ id: `t${index}`, status: 'in_progress' })] }),
    );
    const { transcript } = drawAll(emptyTranscript(english), many, false);
    const [target] = many.slice(7, 8);
    if (!target) throw new Error('no message');
    const ended = { ...target, parts: [target.parts[0] ?? text(''), tool({ id: 't7', status: 'completed' })] };
    const { operations } = drawMessage(transcript, ended);
    expect(operations).toMatchObject([{ op: 'splice', remove: 1, blocks: [{ kind: 'tool', tool: 't7' }] }]);
  });
});

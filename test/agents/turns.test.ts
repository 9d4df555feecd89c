// Owns: the proof that every step of a script does what README.md says. Must not: test Sidekicks itself.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { Fixture } from './fixture.ts';
import { promptOf } from './raw-client.ts';
import type { RawClient } from './raw-client.ts';
import { script, wireLog } from './scripted.ts';

const fixture = new Fixture();

function nameOf(method: unknown): string | undefined {
  return typeof method === 'string' ? method : undefined;
}

describe('turns', () => {
  let client: RawClient;
  let session: string;

  beforeEach(async () => {
    client = fixture.start('--log', join(fixture.folder, 'wire'), '--pids', fixture.pidFile);
    session = await client.open(fixture.folder);
  });

  test('says text, thoughts, plans and odd updates as they are', async () => {
    await client.prompt(
      session,
      { op: 'thought', text: 'hm' },
      { op: 'text', text: 'NUL \u0000, lone \ud800, {{name}} in {{cwd}}' },
      { op: 'tool_call', toolCallId: 't', title: null, kind: 'odd' },
      { op: 'plan', entries: [] },
      { op: 'update', update: { sessionUpdate: 'unheard_of', x: null }, sessionId: 'other' },
      { op: 'usage', used: 1, size: 2 },
    );
    expect(client.updates()).toEqual([
      { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } },
      {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: `NUL \u0000, lone \ud800, scripted in ${fixture.folder}` },
      },
      { sessionUpdate: 'tool_call', toolCallId: 't', title: null, kind: 'odd' },
      { sessionUpdate: 'plan', entries: [] },
      { sessionUpdate: 'unheard_of', x: null },
      { sessionUpdate: 'usage_update', used: 1, size: 2 },
    ]);
  });

  test('streams numbered chunks and repeats steps', async () => {
    await client.prompt(session, { op: 'chunks', count: 200, size: 8 }, { op: 'text', text: '|abcde', size: 2 });
    expect(client.text).toMatch(/^0000000 0000001 .*0000199 \|abcde$/);
    expect(client.updates()).toHaveLength(203);
    const tool = { op: 'tool_call', toolCallId: 'call-{{i}}', title: 'T' };
    await client.prompt(session, { op: 'repeat', count: 3, steps: [tool] });
    expect(
      client
        .updates()
        .slice(-3)
        .map((update) => update['toolCallId']),
    ).toEqual(['call-0', 'call-1', 'call-2']);
  });

  test('puts noise, broken JSON, bytes and long lines between its messages', async () => {
    await client.prompt(
      session,
      { op: 'line', text: 'warn: slow disk' },
      { op: 'line', text: '{"jsonrpc":' },
      { op: 'bytes', hex: 'ff0a' },
      { op: 'big', bytes: 300_000, as: 'junk' },
      { op: 'big', bytes: 200_000 },
      { op: 'send', message: [1] },
    );
    const [warning, broken, odd, junk, , batch] = client.lines.slice(2);
    expect([warning, broken, odd, batch]).toEqual(['warn: slow disk', '{"jsonrpc":', '\uFFFD', '[1]']);
    expect(junk).toHaveLength(300_000);
    expect(client.text).toHaveLength(200_000);
  });

  test('cuts the next message where it is told', async () => {
    const sizesOf = async (): Promise<number[]> => {
      const before = client.chunks.length;
      await client.prompt(session, { op: 'split', at: [1, 2, 30], pause: 20 }, { op: 'text', text: 'x' });
      return client.chunks.slice(before, before + 3).map((chunk) => chunk.length);
    };
    // A reader that is late gets two pieces at once, so one of several tries has to show them all.
    const seen: number[][] = [];
    while (!seen.some((sizes) => sizes.join() === '1,1,28') && seen.length < 20) seen.push(await sizesOf());
    expect(seen).toContainEqual([1, 1, 28]);
  });

  test('has several questions open, echoes each answer, and follows the one chosen', async () => {
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
    const done = client.prompt(
      session,
      { op: 'permission', id: 11, wait: false, echo: 'first', options },
      { op: 'permission', id: 'twelve', wait: false, options, on: { yes: [{ op: 'text', text: 'chosen\n' }] } },
      { op: 'join' },
    );
    await client.until((message) => message['id'] === 'twelve');
    client.write({ id: 'twelve', result: { outcome: { outcome: 'selected', optionId: 'yes' } } });
    await client.untilText('chosen');
    client.write({ id: 11, result: { outcome: { outcome: 'cancelled' } } });
    await done;
    expect(client.text).toBe('chosen\nfirst {"outcome":{"outcome":"cancelled"}}\n');
  });

  test('reads, writes and sends any request, and echoes results and errors', async () => {
    const done = client.prompt(
      session,
      { op: 'read', path: '{{cwd}}/a', limit: 0, id: 1, echo: true },
      { op: 'write', path: 'b', content: 'c', id: 2, echo: true },
      { op: 'request', method: 'x/y', params: { z: 1 }, session: false, id: 3 },
    );
    const read = await client.until((message) => message['id'] === 1);
    expect(read).toMatchObject({
      method: 'fs/read_text_file',
      params: { sessionId: session, path: `${fixture.folder}/a`, limit: 0 },
    });
    client.write({ id: 1, result: { content: 'text' } });
    await client.until((message) => message['id'] === 2);
    client.write({ id: 2, error: { code: -32602, message: 'no' } });
    expect(await client.until((message) => message['id'] === 3)).toMatchObject({ method: 'x/y', params: { z: 1 } });
    client.write({ id: 3, result: {} });
    await done;
    expect(client.text).toBe('{"content":"text"}\n{"error":{"code":-32602,"message":"no"}}\n');
  });

  test('stops at a cancel, or waits for it, or ignores it', async () => {
    const cancel = () => client.write({ method: 'session/cancel', params: { sessionId: session } });
    const stopped = client.prompt(session, { op: 'text', text: 'a' }, { op: 'never' });
    await client.untilText('a');
    cancel();
    expect((await stopped)['result']).toEqual({ stopReason: 'cancelled' });

    const waited = client.prompt(
      session,
      { op: 'text', text: 'b' },
      { op: 'wait_cancel' },
      { op: 'text', text: 'late' },
    );
    await client.untilText('b');
    cancel();
    expect((await waited)['result']).toEqual({ stopReason: 'cancelled' });
    expect(client.text).toBe('ablate');

    const go = join(fixture.folder, 'go');
    const ignored = client.prompt(
      session,
      { op: 'ignore_cancel' },
      { op: 'text', text: 'c' },
      { op: 'wait_file', path: 'go' },
    );
    await client.untilText('c');
    cancel();
    writeFileSync(go, '');
    expect((await ignored)['result']).toEqual({ stopReason: 'end_turn' });
  });

  test('leaves no word behind a question that was cancelled', async () => {
    const done = client.prompt(session, { op: 'permission', id: 1, echo: true });
    await client.until((message) => message['id'] === 1);
    client.write({ method: 'session/cancel', params: { sessionId: session } });
    expect((await done)['result']).toEqual({ stopReason: 'cancelled' });
    client.write({ id: 1, result: { outcome: { outcome: 'cancelled' } } });
    await client.request('session/list');
    expect(client.text).toBe('');
  });

  test('ends in every way, and goes on talking', async () => {
    const late = [
      { op: 'end', stopReason: 'max_tokens' },
      { op: 'text', text: 'late' },
    ];
    expect((await client.prompt(session, ...late))['result']).toEqual({ stopReason: 'max_tokens' });
    await client.untilText('late');
    expect((await client.prompt(session, { op: 'end', result: null }))['result']).toBe(null);
    const failed = await client.prompt(session, { op: 'error', code: 400, message: 'bad', data: { a: 1 } });
    expect(failed['error']).toEqual({ code: 400, message: 'bad', data: { a: 1 } });
  });

  test('dies in mid-turn by code and by signal', async () => {
    client.send('session/prompt', promptOf(session, script({ op: 'text', text: 'last' }, { op: 'exit', code: 7 })));
    expect(await client.exited).toBe(7);
    expect(client.text).toBe('last');
    const other = fixture.start();
    other.send('session/prompt', promptOf(await other.open(), script({ op: 'signal', signal: 'SIGTERM' })));
    expect(await other.exited).toBe('SIGTERM');
  });

  test('changes files on disk and starts children', async () => {
    await client.prompt(
      session,
      { op: 'disk_write', path: 'deep/a', content: 'é' },
      { op: 'disk_rename', from: 'deep/a', to: 'b' },
      { op: 'disk_delete', path: 'deep' },
      { op: 'spawn', command: 'sleep', args: ['600'] },
      { op: 'stderr', text: 'done' },
    );
    expect(readFileSync(join(fixture.folder, 'b'), 'utf8')).toBe('é');
    expect(fixture.pids().map(({ who }) => who)).toEqual(['agent', 'child']);
    await client.untilStderr('done');
  });

  test('takes the script of the last block, or of a file', async () => {
    writeFileSync(join(fixture.folder, 'steps.json'), '[{"op":"text","text":"from a file"}]');
    const blocks = [
      { type: 'text', text: script({ op: 'text', text: 'the past' }) },
      { type: 'text', text: `now SCRIPT@${fixture.folder}/steps.json@ please` },
    ];
    await client.request('session/prompt', { sessionId: session, prompt: blocks });
    expect(client.text).toBe('from a file');
  });

  test('says what is wrong with a script', async () => {
    expect((await client.prompt(session, { op: 'dance' }))['error']).toMatchObject({
      message: 'script: unknown op "dance"',
    });
    const broken = await client.request('session/prompt', promptOf(session, 'SCRIPT[{]SCRIPT'));
    expect(broken['error']).toMatchObject({ code: -32602 });
  });

  test('logs both directions of the wire', async () => {
    await client.prompt(session, { op: 'line', text: 'noise' });
    const log = wireLog(join(fixture.folder, 'wire'));
    const shown = log.map(({ dir, msg, raw }) => `${dir} ${nameOf(msg?.['method']) ?? raw?.trim() ?? 'answer'}`);
    expect(shown).toEqual([
      'in initialize',
      'out answer',
      'in session/new',
      'out answer',
      'in session/prompt',
      'out noise',
      'out answer',
    ]);
  });
});

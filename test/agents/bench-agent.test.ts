// Owns: the proof that the agent of the benchmarks plays its scenarios. Must not: measure anything.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { Fixture } from './fixture.ts';
import { promptOf } from './raw-client.ts';
import type { RawClient } from './raw-client.ts';

const fixture = new Fixture();

describe('the agent of the benchmarks', () => {
  const benchAgent = fileURLToPath(new URL('../../bench/agent.mjs', import.meta.url));
  let client: RawClient;
  let session: string;

  beforeEach(async () => {
    client = fixture.launch(process.execPath, benchAgent, '--log', join(fixture.folder, 'times'));
    session = await client.open('/work');
  });

  const run = (text: string) => client.request('session/prompt', promptOf(session, text));

  test('floods, with code in its prose, and marks the end', async () => {
    expect((await run('flood 450 8 end=abc'))['result']).toEqual({ stopReason: 'end_turn' });
    expect(client.updates()).toHaveLength(451);
    expect(client.text.match(/^```lua$/gm)).toHaveLength(2);
    expect(client.text).toMatch(/\n\ndonemark-abc\n$/);
    await client.untilStderr('turn {');
    expect(readFileSync(join(fixture.folder, 'times'), 'utf8')).toContain(
      '"scenario":"flood 450 8 end=abc","updates":451',
    );
  });

  test('keeps a pace', async () => {
    const begun = Date.now();
    await run('paced 20 10');
    expect(client.updates()).toHaveLength(20);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(180);
  });

  test('makes tool calls with diffs, and a big one', async () => {
    await run('tools 3 end=t');
    expect(client.updates().map((update) => update['toolCallId'] ?? 'text')).toEqual([
      'call-t-0',
      'call-t-0',
      'call-t-1',
      'call-t-1',
      'call-t-2',
      'call-t-2',
      'text',
    ]);
    await run('bigtool 5000 end=b');
    expect(JSON.stringify(client.updates().at(-2))).toMatch(/^.{5000,5400}$/);
  });

  test('asks for permission and says the answer', async () => {
    const done = run('perm');
    const asked = await client.until((message) => message['method'] === 'session/request_permission');
    client.write({ id: Number(asked['id']), result: { outcome: { outcome: 'cancelled' } } });
    await done;
    expect(client.text).toBe('The answer was {"outcome":{"outcome":"cancelled"}}.');
  });

  test('stops a flood at a cancel', async () => {
    const done = run('flood 5000000 8');
    await client.untilText('```');
    client.write({ method: 'session/cancel', params: { sessionId: session } });
    expect((await done)['result']).toEqual({ stopReason: 'cancelled' });
  });
});

// Owns: the proof of the guided tour and of the edit it proposes. Must not: look inside the agent.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DemoClient } from './demo-client.ts';
import { editor, select, startDemo } from './demo-client.ts';

let demo: DemoClient;
let readme: string;

async function begin(options: Parameters<typeof startDemo>[0]): Promise<void> {
  demo = await startDemo(options);
  readme = join(demo.workspace, 'README.md');
  writeFileSync(readme, '# On disk\n');
}

const tools = (session: string, kind: string) =>
  demo.updates(session).filter((update) => update.sessionUpdate === 'tool_call' && update.kind === kind);

/** The last word on each field of the only tool call of a kind. */
function tool(session: string, kind: string): Record<string, unknown> {
  const [call] = tools(session, kind);
  if (call?.sessionUpdate !== 'tool_call') throw new Error(`no ${kind} call`);
  const changes = demo
    .updates(session)
    .filter((update) => update.sessionUpdate === 'tool_call_update' && update.toolCallId === call.toolCallId);
  return changes.reduce<Record<string, unknown>>((whole, change) => ({ ...whole, ...change }), { ...call });
}

describe('in an editor', () => {
  let session: string;

  beforeAll(() => begin({ can: editor }));
  afterAll(() => demo.close());
  beforeEach(async () => {
    demo.reset();
    demo.buffers.set(readme, { text: '# Unsaved\n' });
    session = await demo.openId();
  });

  test('thinks, plans, reads, explains, edits and reports', async () => {
    expect(await demo.prompt(session, 'show me')).toBe('end_turn');
    expect(demo.text(session, 'agent_thought_chunk')).toContain('README.md');

    const plans = demo.updates(session).flatMap((update) => (update.sessionUpdate === 'plan' ? [update.entries] : []));
    expect(plans.map((entries) => entries.map((entry) => entry.status))).toEqual([
      ['in_progress', 'pending', 'pending'],
      ['completed', 'in_progress', 'pending'],
      ['completed', 'completed', 'in_progress'],
      ['completed', 'completed', 'completed'],
    ]);

    expect(tool(session, 'read')).toMatchObject({
      title: 'Read README.md',
      status: 'completed',
      locations: [{ path: readme, line: 1 }],
      content: [{ type: 'content', content: { type: 'text', text: '# Unsaved' } }],
    });
    const usage = demo.updates(session).find((update) => update.sessionUpdate === 'usage_update');
    expect(usage).toMatchObject({ size: 32_000 });
    expect(usage?.sessionUpdate === 'usage_update' && usage.used).toBeGreaterThan(100);
  });

  test('streams words, with code in four languages, one block in a list', async () => {
    await demo.prompt(session, 'show me');
    const text = demo.text(session);
    const chunks = demo.updates(session).filter((update) => update.sessionUpdate === 'agent_message_chunk');
    expect(chunks.length).toBeGreaterThan(100);
    for (const language of ['lua', 'python', 'typescript']) expect(text).toContain(`\n\`\`\`${language}\n`);
    expect(text).toContain('\n   ```sh\n   git diff --stat\n');
    expect(text.match(/```/g)).toHaveLength(8);
  });

  test('asks before it edits, and edits the unsaved text in the editor, not the disk', async () => {
    await demo.prompt(session, 'show me');
    const diff = {
      type: 'diff',
      path: readme,
      oldText: '# Unsaved\n',
      newText: '<!-- Hello from Sidekicks: visit 1 -->\n# Unsaved\n',
    };
    expect(demo.questions).toMatchObject([
      {
        sessionId: session,
        toolCall: { title: 'Edit README.md', kind: 'edit', content: [diff], locations: [{ path: readme, line: 1 }] },
        options: [{ kind: 'allow_once' }, { kind: 'allow_always' }, { kind: 'reject_once' }],
      },
    ]);
    expect(demo.buffers.get(readme)).toEqual({ text: diff.newText });
    expect(readFileSync(readme, 'utf8')).toBe('# On disk\n');
    expect(tool(session, 'edit')).toMatchObject({ status: 'completed', content: [diff] });
  });

  test('respects what was typed while the question was open', async () => {
    demo.onPermission = () => {
      demo.buffers.set(readme, { text: '# Unsaved\nand more\n' });
      return select('allow');
    };
    await demo.prompt(session, 'show me');
    const newText = '<!-- Hello from Sidekicks: visit 1 -->\n# Unsaved\nand more\n';
    expect(demo.buffers.get(readme)).toEqual({ text: newText });
    expect(tool(session, 'edit')).toMatchObject({ content: [{ newText }] });
  });

  test('a refusal leaves the file alone and says so', async () => {
    demo.onPermission = () => select('reject');
    expect(await demo.prompt(session, 'show me')).toBe('end_turn');
    expect(demo.written).toEqual([]);
    expect(tool(session, 'edit')).toMatchObject({ status: 'failed' });
    expect(demo.text(session)).toContain('`README.md` stays as it is');
  });

  test.each([{ outcome: { outcome: 'cancelled' as const } }, select('unheard-of')])(
    'takes %j for a refusal',
    async (answer) => {
      demo.onPermission = () => answer;
      expect(await demo.prompt(session, 'show me')).toBe('end_turn');
      expect(demo.written).toEqual([]);
    },
  );

  test('allowing always changes the mode, and the next visit only counts on', async () => {
    demo.onPermission = () => select('always');
    await demo.prompt(session, 'show me');
    expect(demo.updates(session)).toContainEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'auto' });
    expect(demo.updates(session).some((update) => update.sessionUpdate === 'notice')).toBe(true);
    await demo.prompt(session, 'again');
    expect(demo.questions).toHaveLength(1);
    expect(demo.buffers.get(readme)).toEqual({ text: '<!-- Hello from Sidekicks: visit 2 -->\n# Unsaved\n' });
  });

  test('tells when the editor refuses to read', async () => {
    demo.buffers.set(readme, { refused: 'too odd' });
    expect(await demo.prompt(session, 'show me')).toBe('end_turn');
    expect(tool(session, 'read')).toMatchObject({ status: 'failed' });
    expect(demo.text(session)).toMatch(/could not read `README\.md`: .*too odd/);
    expect(tools(session, 'edit')).toEqual([]);
  });

  test('tells when the editor refuses to write', async () => {
    demo.refusesWrites = 'you changed line 1';
    expect(await demo.prompt(session, 'show me')).toBe('end_turn');
    expect(tool(session, 'edit')).toMatchObject({ status: 'failed' });
    expect(demo.text(session)).toMatch(/could not write `README\.md`: .*you changed line 1/);
  });

  test('in the mode Plan it stops before the edit', async () => {
    await demo.connection.agent.request('session/set_mode', { sessionId: session, modeId: 'plan' });
    expect(demo.updates(session)).toContainEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'plan' });
    await demo.prompt(session, 'show me');
    expect(demo.questions).toEqual([]);
    expect(demo.text(session)).toContain('*Plan*');
  });

  test('options change what it says', async () => {
    const set = (configId: string, value: string) =>
      demo.connection.agent.request('session/set_config_option', { sessionId: session, configId, value });
    const { configOptions } = await set('verbosity', 'brief');
    expect(configOptions).toMatchObject([
      { id: 'model' },
      { id: 'verbosity', currentValue: 'brief' },
      { id: 'thoughts' },
    ]);
    await demo.connection.agent.request('session/set_config_option', {
      sessionId: session,
      configId: 'thoughts',
      type: 'boolean',
      value: false,
    });
    await demo.prompt(session, 'show me');
    expect(demo.text(session, 'agent_thought_chunk')).toBe('');
    expect(demo.text(session)).not.toContain('```python');
    await expect(set('verbosity', 'endless')).rejects.toMatchObject({ code: -32602 });
    await expect(set('nothing', 'x')).rejects.toMatchObject({ code: -32602 });
  });

  test('takes the file that the prompt attaches or names', async () => {
    mkdirSync(join(demo.workspace, 'src'));
    const paths = ['my notes.md', 'src/été.lua', 'main.py', 'a.sh'].map((name) => join(demo.workspace, name));
    for (const path of paths) {
      writeFileSync(path, '');
      demo.buffers.set(path, { text: 'x\n' });
    }
    const [notes, summer, main, shell] = paths;
    const uri = (path = '') => pathToFileURL(path).href;
    const text = (words: string) => ({ type: 'text' as const, text: words });
    const resource = { type: 'resource' as const, resource: { uri: `${uri(summer)}#L1-2`, text: 'x' } };
    await demo.prompt(session, [text('see '), { type: 'resource_link', uri: uri(notes), name: 'my notes.md' }]);
    await demo.prompt(session, [text('see '), resource]);
    await demo.prompt(session, 'please look at @main.py:10-20, thanks');
    await demo.prompt(session, 'and (`a.sh`)?');
    await demo.prompt(session, '"my notes.md" once more');
    await demo.prompt(session, [text('odd'), { type: 'resource_link', uri: 'file://%zz', name: 'x' }]);
    expect(demo.written).toEqual([notes, summer, main, shell, notes, readme]);
  });

  test('names a picture it was sent', async () => {
    await demo.prompt(session, [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }]);
    expect(demo.text(session)).toContain('a picture (image/png, 3 bytes)');
  });
});

describe('without an editor', () => {
  beforeEach(() => begin({}));
  afterEach(() => demo.close());

  test('reads and writes the disk', async () => {
    const session = await demo.openId();
    await demo.prompt(session, 'show me');
    expect(readFileSync(readme, 'utf8')).toBe('<!-- Hello from Sidekicks: visit 1 -->\n# On disk\n');
    expect(demo.text(session)).toContain('from disk');
  });

  test('proposes a new file in an empty folder, and finds it the next time', async () => {
    const empty = join(demo.workspace, 'empty');
    mkdirSync(empty);
    const session = (await demo.open(empty)).sessionId;
    await demo.prompt(session, 'show me');
    const file = join(empty, 'hello.md');
    expect(demo.questions).toMatchObject([
      { toolCall: { title: 'Create hello.md', content: [{ type: 'diff', path: file, oldText: null }] } },
    ]);
    expect(readFileSync(file, 'utf8')).toMatch(/^# Hello\n.*visit 1 -->\n$/s);
    await demo.prompt(session, 'show me');
    expect(readFileSync(file, 'utf8')).toMatch(/^# Hello\n.*visit 2 -->\n$/s);
  });

  test('never writes outside its folder', async () => {
    const inner = join(demo.workspace, 'inner');
    mkdirSync(inner);
    const session = (await demo.open(inner)).sessionId;
    await demo.prompt(session, '/edit ../README.md');
    expect(readFileSync(readme, 'utf8')).toBe('# On disk\n');
    expect(demo.text(session)).toContain('outside the working folder');
  });

  test('says what is wrong with a folder that is gone', async () => {
    const session = (await demo.open('/no/such/folder')).sessionId;
    expect(await demo.prompt(session, 'show me')).toBe('end_turn');
    expect(demo.text(session)).toContain('could not write');
  });

  test('leaves binary files alone', async () => {
    writeFileSync(join(demo.workspace, 'a.py'), Buffer.from([0xff, 0xfe, 0x00]));
    const session = await demo.openId();
    await demo.prompt(session, '/edit a.py');
    expect(demo.text(session)).toContain('not UTF-8 text');
    expect(demo.questions).toEqual([]);
  });
});

// What an agent gets of the files a message names, from the person's text to the wire (SPEC 6, CASES B14 to B16).
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { received } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Message } from '../support/sidekicks.ts';
import { startWith, type Setting } from './person.ts';

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly uri?: string;
  readonly resource?: { readonly uri: string; readonly text: string };
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

/** The blocks of the last prompt an agent got. */
function lastPrompt({ own }: Setting, agent = 'bob'): Block[] {
  const params = received(own, agent, 'session/prompt').at(-1)?.['params'] as { readonly prompt: Block[] };
  return params.prompt;
}

/** What the agent got for a message, and the message as it is kept. */
async function sent(setting: Setting, text: string, agent = 'bob'): Promise<{ blocks: Block[]; messages: Message[] }> {
  const { id } = await setting.sidekicks.direct(agent);
  const { messages } = await setting.sidekicks.ask(id, text);
  return { blocks: lastPrompt(setting, agent), messages };
}

const textBlock = (text: string): Block => ({ type: 'text', text });

/** The blocks of files: where each is, and its text. */
const files = (blocks: readonly Block[]) =>
  blocks.filter(({ type }) => type !== 'text').map((block) => [block.resource?.uri ?? block.uri, block.resource?.text]);

const uri = ({ own }: Setting, path: string): string => pathToFileURL(own.path(path)).href;

const lastUser = (messages: readonly Message[]) => messages.findLast(({ role }) => role === 'user');

const unavailable = (messages: readonly Message[]) =>
  messages
    .filter(({ code }) => code === 'attachment-unavailable')
    .map(({ parts, error }) => {
      const [part] = parts;
      return [part?.kind === 'text' ? part.text : '', error];
    });

describeNvim('a path in a message', (ground) => {
  it('names that one file, whatever it is called, in whichever way it is written (B14)', async () => {
    const odd = ['my notes.md', 'a (1).txt', 'e\u0301te\u0301.md', '100%.csv', "it's.md", 'dir with space/x.md'];
    const setting = await startWith(
      ground,
      { bob: {} },
      {
        files: { ...Object.fromEntries(odd.map((name) => [name, `in ${name}\n`])), my: 'MY\n' },
      },
    );
    const { sidekicks, own } = setting;
    const { id } = await sidekicks.direct('bob');
    for (const sign of ['@', '$'] as const) {
      for (const name of odd) {
        const asked = { id, text: sign, sign, query: name.slice(0, 2), limit: 20 };
        const { files: listed } = await sidekicks.call('ViewService.Files', asked);
        const word = listed.find(({ path }) => path === name)?.word ?? '';
        const { blocks, messages } = await sent(setting, `see ${word} now`);
        const content = [uri(setting, name), `in ${name}\n`];
        expect([word, files(blocks)]).toEqual([word, [content]]);
        const typed = sign === '@' ? [textBlock('see '), textBlock(' now')] : [textBlock(`see ${word} now`)];
        expect(blocks.filter(({ type }) => type === 'text')).toEqual(typed);
        expect(lastUser(messages)).toMatchObject({
          parts: [{ kind: 'text', text: `see ${word} now` }],
          attachments: [{ agent: 'bob', path: name }],
        });
      }
    }
    // By hand: quoted, and composed where the disk has it decomposed.
    for (const [typed, name] of [
      ['@"my notes.md"', 'my notes.md'],
      ['$"my notes.md"', 'my notes.md'],
      ['@été.md', 'e\u0301te\u0301.md'],
      ['$été.md', 'e\u0301te\u0301.md'],
      ['@my notes.md', 'my'],
      ['$my notes.md', 'my'],
    ] as const) {
      expect([typed, files((await sent(setting, typed)).blocks)]).toEqual([
        typed,
        [[uri(setting, name), name === 'my' ? 'MY\n' : `in ${name}\n`]],
      ]);
    }
    execFileSync('rm', [own.path('my')]);
    expect((await sent(setting, '@my notes.md')).blocks).toEqual([textBlock('@my notes.md')]);
  });

  it('and all else goes byte for byte (B15)', async () => {
    const own = ground.place();
    const folder = join(own.root, 'ugly%20path');
    mkdirSync(join(folder, '.git'), { recursive: true });
    const left = "left $& $$ $' %d right";
    const setting = await startWith(ground, { bob: { entry: { workspace: folder } } }, { place: own });
    const typed = 'price is 5$ and $HOME, 100%, %1 %s, $$ $& $1 $(id) ~ {x}';
    const plain = await sent(setting, typed);
    expect(plain.blocks).toEqual([textBlock(typed)]);
    expect(lastUser(plain.messages)?.attachments).toEqual([]);

    own.write('../ugly%20path/notes.md', left);
    const second = await sent(setting, `${typed} $notes.md`);
    expect(second.blocks).toEqual([
      textBlock(`${typed} $notes.md`),
      {
        type: 'resource',
        resource: { uri: pathToFileURL(join(folder, 'notes.md')).href, mimeType: 'text/markdown', text: left },
      },
    ]);
    expect(pathToFileURL(join(folder, 'notes.md')).href).toContain('ugly%2520path');
    expect(lastUser(second.messages)?.attachments).toEqual([{ agent: 'bob', path: 'notes.md' }]);

    const odd = await sent(setting, 'a\0b \ufffd \u2028 \u001b[31m');
    expect(odd.blocks).toEqual([textBlock('a\0b \ufffd \u2028 \u001b[31m')]);
  });

  it('gives what is on screen, not what is on disk (B16)', async () => {
    const setting = await startWith(
      ground,
      { bob: {}, plain: { args: ['--prompt-capabilities', '{}'] } },
      {
        files: { 'a.txt': 'old\n', 'listed.txt': 'disk\n', 'c.txt': 'c\n' },
        args: ['a.txt'],
      },
    );
    const { nvim, own } = setting;
    await nvim.command('set hidden | call setline(1, "new") | badd listed.txt');
    for (const sign of ['$', '@']) {
      expect(files((await sent(setting, `see ${sign}a.txt`)).blocks)).toEqual([[uri(setting, 'a.txt'), 'new\n']]);
      expect(files((await sent(setting, `see ${sign}listed.txt`)).blocks)).toEqual([
        [uri(setting, 'listed.txt'), 'disk\n'],
      ]);
    }
    expect(own.read('a.txt')).toBe('old\n');
    expect(await nvim.lua('return { vim.bo.modified, vim.fn.bufloaded("listed.txt") }')).toEqual([true, 0]);

    await nvim.command('edit b.txt | call setline(1, "never written")');
    expect(files((await sent(setting, '$b.txt')).blocks)).toEqual([[uri(setting, 'b.txt'), 'never written\n']]);
    await nvim.command('edit c.txt | file renamed.txt | call setline(1, "renamed")');
    expect(files((await sent(setting, '$renamed.txt and @c.txt')).blocks)).toEqual([
      [uri(setting, 'c.txt'), 'c\n'],
      [uri(setting, 'renamed.txt'), 'renamed\n'],
    ]);

    const linked = await sent(setting, 'see $a.txt', 'plain');
    expect(linked.blocks[1]).toMatchObject({ type: 'resource_link', uri: uri(setting, 'a.txt'), name: 'a.txt' });
  });

  it('goes by what the agent announced: image, text, link, or a line that says why not', async () => {
    const agents = {
      all: { args: ['--prompt-capabilities', '{"image":true,"embeddedContext":true}'] },
      none: { args: ['--prompt-capabilities', '{}'] },
    };
    const setting = await startWith(ground, agents, {
      files: { 'a.md': 'text\n', 'big.txt': 'a'.repeat((1 << 20) + 1), 'wrong.png': 'no image' },
    });
    const { own, nvim, sidekicks } = setting;
    own.write('shot.png', PNG);
    own.write('data.bin', Buffer.from([0, 1, 2, 255]));
    const text = '$shot.png $a.md $big.txt $wrong.png $data.bin $none.md';
    const link = (name: string, mimeType: string, size: number) => ({
      type: 'resource_link',
      uri: uri(setting, name),
      name,
      mimeType,
      size,
    });
    const all = await sent(setting, text, 'all');
    expect(all.blocks).toEqual([
      textBlock(text),
      { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png', uri: uri(setting, 'shot.png') },
      { type: 'resource', resource: { uri: uri(setting, 'a.md'), text: 'text\n', mimeType: 'text/markdown' } },
      link('big.txt', 'text/plain', (1 << 20) + 1),
      { type: 'resource', resource: { uri: uri(setting, 'wrong.png'), text: 'no image', mimeType: 'text/plain' } },
    ]);
    expect(lastUser(all.messages)?.attachments).toEqual(
      ['shot.png', 'a.md', 'big.txt', 'wrong.png', 'data.bin', 'none.md'].map((path) => ({ agent: 'all', path })),
    );
    const reasons = [
      ['none.md', 'there is no such file'],
      ['data.bin', 'it is neither text nor an image'],
    ];
    expect(unavailable(all.messages)).toEqual(reasons);
    expect(all.messages.findLast(({ role }) => role === 'agent')).toMatchObject({ done: true, stopReason: 'end_turn' });

    const none = await sent(setting, text, 'none');
    expect(none.blocks).toEqual([
      textBlock(text),
      link('shot.png', 'image/png', PNG.length),
      link('a.md', 'text/markdown', 5),
      link('big.txt', 'text/plain', (1 << 20) + 1),
      link('wrong.png', 'text/plain', 8),
    ]);
    // The same with @: what cannot be given is a link, what does not exist is text.
    const at = await sent(setting, '@data.bin @none.md', 'all');
    expect(at.blocks).toEqual([link('data.bin', 'application/octet-stream', 4), textBlock(' @none.md')]);
    expect(unavailable(at.messages)).toEqual(reasons);

    await sidekicks.open('all');
    const drawn = async () => (await sidekicks.transcript('all')).filter((line) => line.includes('not attached'));
    await nvim.waitFor('the reasons', async () => (await drawn()).length === 2);
    expect(await drawn()).toEqual([
      '— not attached: none.md: there is no such file',
      '— not attached: data.bin: it is neither text nor an image',
    ]);
  });

  it('gives a part of a file, and each file once', async () => {
    const setting = await startWith(ground, { bob: {} }, { files: { 'a.txt': '1\n2\n3\n4\n', 'b c.txt': 'x\ny\n' } });
    const part = await sent(setting, '@a.txt:2-3 and @"b c.txt":2.');
    expect(files(part.blocks)).toEqual([
      [`${uri(setting, 'a.txt')}#L2-L3`, '2\n3\n'],
      [`${uri(setting, 'b c.txt')}#L2-L2`, 'y\n'],
    ]);
    const twice = await sent(setting, 'see @a.txt, $a.txt and @./a.txt');
    expect(twice.blocks).toMatchObject([
      textBlock('see '),
      { type: 'resource', resource: { uri: uri(setting, 'a.txt') } },
      textBlock(', $a.txt and '),
      { type: 'resource_link', uri: uri(setting, 'a.txt'), name: './a.txt' },
    ]);
    expect(lastUser(twice.messages)?.attachments).toEqual([{ agent: 'bob', path: 'a.txt' }]);
    const command = await sent(setting, '/look $a.txt @a.txt');
    expect(command.blocks).toEqual([textBlock('/look $a.txt @a.txt')]);
    expect(lastUser(command.messages)?.attachments).toEqual([]);
  });

  it('never blocks, never leaves the workspace, never reads a giant (bad input)', async () => {
    const own = ground.place({ 'a.txt': 'a\n' });
    mkdirSync(own.path('folder'));
    execFileSync('mkfifo', [own.path('pipe.txt')]);
    own.write('../outside.txt', 'secret\n');
    symlinkSync('../outside.txt', own.path('link.txt'));
    symlinkSync('nowhere.txt', own.path('dangling.txt'));
    symlinkSync('loop.txt', own.path('loop.txt'));
    symlinkSync('/dev/zero', own.path('zero.txt'));
    own.write('giant.txt', 'a');
    truncateSync(own.path('giant.txt'), 300 << 20);
    own.write('latin.txt', Buffer.from('caf\xe9 au lait\n', 'latin1'));
    const setting = await startWith(ground, { bob: {} }, { place: own });
    const rows: readonly (readonly [string, RegExp])[] = [
      ['folder/', /folder, not a file/],
      ['pipe.txt', /no file but a pipe/],
      ['link.txt', /outside the workspace/],
      ['../outside.txt', /outside the workspace/],
      ['/etc/hosts', /outside the workspace/],
      ['zero.txt', /outside the workspace/],
      ['dangling.txt', /no such file/],
      ['loop.txt', /lead in a circle/],
      ['giant.txt', /larger than 5 MB/],
      ['a.txt/b.txt', /no such file/],
    ];
    const { blocks, messages } = await sent(setting, rows.map(([path]) => `$${path}`).join(' '));
    expect(blocks).toHaveLength(1);
    const told = new Map(unavailable(messages).map(([path = '', why = '']) => [path, why]));
    for (const [path, why] of rows) expect([path, told.get(path)]).toEqual([path, expect.stringMatching(why)]);
    expect(told.size).toBe(rows.length);

    const at = await sent(setting, rows.map(([path]) => `@${path}`).join(' '));
    expect(files(at.blocks)).toEqual([[uri(setting, 'giant.txt'), undefined]]);
    expect((await sent(setting, '$latin.txt')).blocks[1]).toMatchObject({
      type: 'resource_link',
      mimeType: 'text/plain',
    });

    const { id } = await setting.sidekicks.direct('bob');
    const many = Array.from({ length: 11 }, (_, index) => `$f${index}.txt`).join(' ');
    const before = received(own, 'bob', 'session/prompt').length;
    await expect(setting.sidekicks.request('ChannelService.Send', { id, text: many })).rejects.toThrow(
      'limit: a message carries 10 files at most',
    );
    expect(received(own, 'bob', 'session/prompt')).toHaveLength(before);
  });

  it('in a channel means the workspace of the first mentioned agent, else of the first member, for all who answer', async () => {
    const own = ground.place({ 'a.txt': 'of the project\n', zoe: 'a file of that name\n' });
    const other = join(own.root, 'other');
    mkdirSync(other);
    own.write('../other/a.txt', 'of zoe\n');
    const setting = await startWith(ground, { bob: {}, zoe: { entry: { workspace: other } } }, { place: own });
    const { sidekicks } = setting;
    const { id } = await sidekicks.call('ChannelService.Create', { name: 'review', description: '' });
    for (const agent of ['bob', 'zoe']) await sidekicks.call('ChannelService.AddMember', { id, agent });
    const zoes = [pathToFileURL(join(other, 'a.txt')).href, 'of zoe\n'];
    const first = await sidekicks.ask(id, '@zoe and @bob: see $a.txt');
    for (const agent of ['zoe', 'bob']) expect([agent, files(lastPrompt(setting, agent))]).toEqual([agent, [zoes]]);
    expect(lastUser(first.messages)?.attachments).toEqual([{ agent: 'zoe', path: 'a.txt' }]);
    expect(lastPrompt(setting, 'bob').at(-2)).toEqual(textBlock('@zoe and @bob: see $a.txt'));

    const second = await sidekicks.ask(id, 'see @a.txt');
    expect(files(lastPrompt(setting, 'bob'))).toEqual([[uri(setting, 'a.txt'), 'of the project\n']]);
    expect(lastUser(second.messages)?.attachments).toEqual([{ agent: 'bob', path: 'a.txt' }]);

    const command = await sidekicks.ask(id, '@zoe /look $a.txt');
    expect(lastPrompt(setting, 'zoe')).toEqual([textBlock('/look $a.txt')]);
    expect(lastUser(command.messages)?.attachments).toEqual([]);
    const { files: listed } = await sidekicks.call('ViewService.Files', {
      id,
      text: '@zo',
      sign: '@',
      query: 'zo',
      limit: 5,
    });
    expect(listed).toContainEqual({ path: 'zoe', word: '@"zoe"' });
  });
});

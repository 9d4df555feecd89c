// Signing in (SPEC 4, 18): an agent that asks for it offers its own ways; one for the terminal is run there, as a list of
// words the person has seen and allowed, and then they may send again.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedAgent as scriptedPath } from '../agents/scripted.ts';
import { received } from './support/agents.ts';
import { describeNvim, type Ground } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import type { Place } from './support/place.ts';
import { textOf } from './support/sidekicks.ts';
import { say, startWith } from './product/person.ts';

const authFile = (own: Place): string => join(own.root, "signed $(touch hacked) in 'here'");

interface SignedIn {
  readonly code: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

const signedIn = (own: Place): SignedIn => JSON.parse(readFileSync(authFile(own), 'utf8')) as SignedIn;

/** The way of agents that give a whole command line. */
const ready = (own: Place, more: object = {}) => ({
  id: 'web',
  name: 'With a code',
  description: 'asks for a code',
  _meta: {
    'terminal-auth': {
      command: process.execPath,
      args: [scriptedPath, '--sign-in', authFile(own)],
      env: { FROM_AGENT: 'a b' },
      ...more,
    },
  },
});

/** The way of agents that only add to the command they were launched by. */
const own = (place: Place) => ({
  id: 'own',
  name: 'In a terminal',
  type: 'terminal',
  args: ['--sign-in', authFile(place)],
});

const browser = { id: 'b', name: 'In a browser', description: 'Open https://example.org and come back.' };

const startLocked = (
  ground: Ground,
  place: Place,
  methods: readonly object[],
  { auth = 'session/new', entry = {}, config = {} }: { auth?: string; entry?: object; config?: object } = {},
) =>
  startWith(
    ground,
    {
      bob: {
        args: ['--auth', auth, '--auth-file', authFile(place), '--auth-methods', JSON.stringify(methods)],
        entry: { env: { OWN: 'mine' }, ...entry },
      },
    },
    { place, config: { ...config } },
  );

const isTerminal = 'return vim.bo.buftype == "terminal" and vim.api.nvim_get_mode().mode == "t"';

/** Allows what is shown, and types a code into the terminal. */
async function allowAndType(nvim: Nvim, code: string): Promise<void> {
  await nvim.waitForScreen('yes, run exactly this');
  await nvim.feed('2<CR>');
  await nvim.waitForLua('the terminal', isTerminal);
  await nvim.waitForScreen('Code of the sign-in:');
  await nvim.feed(`${code}<CR>`);
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;
const NEEDED = 'bob needs a sign-in: gs in its conversation, or :Sidekicks signin bob';

describeNvim('an agent that wants a sign-in', (ground) => {
  it('says so once, is signed in from its conversation, and answers then', async () => {
    const place = ground.place();
    const { nvim, sidekicks } = await startLocked(ground, place, [ready(place)]);
    const id = await sidekicks.open('bob');
    await nvim.waitFor('what it needs', async () => (await nvim.messages()).includes(NEEDED));
    // Nothing took the place where somebody types.
    expect(await nvim.mode()).toBe('i');
    await say(nvim, 'hello?');
    await nvim.waitFor('the reason', async () =>
      (await sidekicks.transcript('bob')).some((row) => row.includes('bob cannot be reached: sign-in needed: ')),
    );
    await sidekicks.waitUntilIdle(id);
    expect(await nvim.mode()).toBe('i');
    await nvim.feed('<Esc>gs');
    await nvim.waitForScreen('Run in a terminal');
    expect(nvim.screen.text().replaceAll(/\s+/g, '')).toContain(`FROM_AGENT='ab'${process.execPath}${scriptedPath}`);
    expect(existsSync(authFile(place))).toBe(false);
    await allowAndType(nvim, 'open sesame');
    await nvim.waitFor('the end', async () => (await nvim.messages()).includes('bob is signed in: you may send again'));
    // The name of the mode hides it in the terminal: it is seen when that is left.
    await nvim.feed('<CR>');
    await nvim.waitForScreen('bob is signed in: you may send again');

    const seen = signedIn(place);
    expect(seen).toMatchObject({ code: 'open sesame', cwd: place.project, args: ['--sign-in', authFile(place)] });
    expect([seen.env['FROM_AGENT'], seen.env['OWN']]).toEqual(['a b', 'mine']);
    expect(existsSync(place.path('hacked'))).toBe(false);
    expect(received(place, 'bob', 'authenticate')).toEqual([]);
    const { messages } = await sidekicks.ask(id, 'hello!');
    expect(textOf(messages.at(-1))).toBe('Hello from bob.');
    expect(countOf(await nvim.messages(), NEEDED)).toBe(1);
    expect(await nvim.messages()).not.toContain('The agent offers');
  });

  it('at its start: by its own command, from the panel, in its workspace', async () => {
    const place = ground.place({ 'sub/a.txt': '' });
    const { nvim, sidekicks } = await startLocked(ground, place, [own(place)], {
      auth: 'initialize',
      entry: { workspace: place.path('sub') },
    });
    nvim.allowErrors(/sign-in needed/);
    await nvim.command('Sidekicks');
    await nvim.waitForScreen(/bob +stopped/);
    await nvim.feed('s');
    await nvim.waitForScreen(/bob +error/);
    expect((await nvim.bufferLines('sidekicks://agents')).join(' ')).toContain(
      'gs or :Sidekicks signin bob does it here',
    );
    await nvim.feed('gs');
    await allowAndType(nvim, 'code');
    await sidekicks.waitForState('bob', 'ready');
    await nvim.waitFor('the end', async () => (await nvim.messages()).includes('you may send again'));
    await nvim.feed('<CR>');
    await nvim.waitForLua('the panel again', `return vim.api.nvim_buf_get_name(0) == 'sidekicks://agents'`);
    const { cwd, args } = signedIn(place);
    expect(cwd).toBe(place.path('sub'));
    expect(args).toEqual(expect.arrayContaining(['--name', 'bob', '--sign-in', authFile(place)]));
  });

  it('at a prompt: by the command; one of several ways is chosen, others are told in its words', async () => {
    const place = ground.place();
    const { nvim, sidekicks } = await startLocked(ground, place, [browser, ready(place)], { auth: 'session/prompt' });
    await nvim.waitForLua('the completion', `return #vim.fn.getcompletion('Sidekicks signin ', 'cmdline') > 0`);
    expect(await nvim.lua(`return vim.fn.getcompletion('Sidekicks signin ', 'cmdline')`)).toEqual(['bob']);
    const { id } = await sidekicks.direct('bob');
    const { messages } = await sidekicks.ask(id, 'hello?');
    expect(messages.at(-1)?.error).toContain('The agent offers: In a browser, With a code.');
    await nvim.feed(':Sidekicks signin bob<CR>');
    await nvim.waitForScreen('2: With a code: asks for a code');
    await nvim.feed('1<CR>');
    await nvim.waitForScreen('In a browser: Open https://example.org and come back.');
    await nvim.feed(':Sidekicks signin bob<CR>');
    await nvim.waitForScreen('2: With a code: asks for a code');
    await nvim.feed('2<CR>');
    await allowAndType(nvim, 'code');
    await nvim.waitFor('the end', async () => (await nvim.messages()).includes('you may send again'));
    expect(textOf((await sidekicks.ask(id, 'hello!')).messages.at(-1))).toBe('Hello from bob.');
  });

  it('runs nothing that was not allowed, and says how a sign-in failed', async () => {
    const place = ground.place();
    const { nvim, sidekicks } = await startLocked(ground, place, [ready(place)], { auth: 'session/prompt' });
    await nvim.feed(':Sidekicks signin bob<CR>');
    await nvim.waitForScreen('no, run nothing');
    await nvim.feed('1<CR>');
    await nvim.waitForLua('nothing', 'return vim.api.nvim_get_mode().mode == "n"');
    expect(await nvim.lua('return vim.fn.winnr("$")')).toBe(1);
    await nvim.feed(':Sidekicks signin bob<CR>');
    await allowAndType(nvim, 'wrong');
    await nvim.waitFor('the end', async () =>
      (await nvim.messages()).includes('the sign-in to bob ended with status 1'),
    );
    expect(existsSync(authFile(place))).toBe(false);
    expect(await sidekicks.agentState('bob')).toBe('ready');
  });

  it('cannot hide what would run, and a program that is missing is named', async () => {
    const place = ground.place();
    const hostile = [
      ready(place, { command: 'evil\u202etxt.sh' }),
      ready(place, { args: ['ok\nrm -rf'] }),
      ready(place, { env: { 'A=B': 'x' } }),
    ].map((method, index) => ({ ...method, id: `${index}`, name: `Hostile ${index}` }));
    const gone = { ...ready(place, { command: '/no/such/program', args: [] }), id: 'gone', name: 'Gone' };
    const { nvim, sidekicks } = await startLocked(ground, place, [...hostile, gone], { auth: 'session/prompt' });
    const offer = await sidekicks.call('ViewService.SignIn', { agent: 'bob' });
    expect(offer.methods.map(({ name, command }) => [name, command])).toEqual([
      ['Hostile 0', ''],
      ['Hostile 1', ''],
      ['Hostile 2', ''],
      ['Gone', '/no/such/program'],
    ]);
    nvim.allowErrors(/could not be run/);
    await nvim.feed(':Sidekicks signin bob<CR>');
    await nvim.waitForScreen('4: Gone');
    await nvim.feed('4<CR>');
    await nvim.waitForScreen('yes, run exactly this');
    await nvim.feed('2<CR>');
    await nvim.waitFor('the error', async () => (await nvim.messages()).includes('/no/such/program could not be run'));
    expect(await nvim.lua('return vim.fn.winnr("$")')).toBe(1);
  });

  it('whose sign-in is under way holds up nobody who leaves', async () => {
    const place = ground.place();
    const { nvim } = await startLocked(ground, place, [ready(place)], { auth: 'session/prompt' });
    await nvim.feed(':Sidekicks signin bob<CR>');
    await nvim.waitForScreen('yes, run exactly this');
    await nvim.feed('2<CR>');
    await nvim.waitForScreen('Code of the sign-in:');
    // That nothing of it is left is looked at after every test.
    expect(nvim.processes().some(({ command }) => command.includes('--sign-in'))).toBe(true);
  });

  it('is told in French too, and one that offers none says so', async () => {
    const place = ground.place();
    const { nvim, sidekicks } = await startLocked(ground, place, [ready(place)], { config: { language: 'fr' } });
    await sidekicks.open('bob');
    await nvim.waitFor('what it needs', async () => (await nvim.messages()).includes('bob demande une connexion'));
    await nvim.feed('<Esc>gs');
    await nvim.waitForScreen('non, ne rien lancer');
    await nvim.feed('1<CR>');

    const open = await startWith(ground, { zoe: {} });
    open.nvim.allowErrors(/offers no sign-in/);
    await open.nvim.feed(':Sidekicks signin zoe<CR>');
    await open.nvim.waitForScreen('zoe offers no sign-in');
  });
});

// `:Sidekicks add` (SPEC 15): what it asks, with questions of Neovim's own and with those of plugins, and what is in the file then.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { demoAgent } from './support/agents.ts';
import { agentNames } from './support/config.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import type { Place } from './support/place.ts';
import { Questions } from './support/questions.ts';
import { Sidekicks } from './support/sidekicks.ts';

const mine = '# mine\nagents:\n  zoe: {command: cat} # hers\n\nlanguage: en # the last line\n';
const compose = [
  'services:',
  '  web: {image: x}',
  '  db: {container_name: pg}',
  '  bad:',
  '    extends: {file: base.yml, service: x}',
].join('\n');
const sandbox = 'schemaVersion: "1"\nagent: claude\nname: box\nworkspace: ./src\n';

/** Programs of these names on PATH, before all others. */
function installed(own: Place, ...names: readonly string[]): Record<string, string> {
  const bin = join(own.root, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const name of names) {
    writeFileSync(join(bin, name), '#!/bin/sh\nexec cat\n');
    chmodSync(join(bin, name), 0o755);
  }
  return { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
}

/** The lines shown in a window above all others. */
const preview = (nvim: Nvim) =>
  nvim.lua<string[] | null>(`
    for _, win in ipairs(vim.api.nvim_list_wins()) do
      local buf = vim.api.nvim_win_get_buf(win)
      if vim.api.nvim_win_get_config(win).relative ~= '' and vim.bo[buf].filetype == 'yaml' then
        return vim.api.nvim_buf_get_lines(buf, 0, -1, false)
      end
    end`);

describeNvim(':Sidekicks add', ({ start, place }) => {
  async function begin(text = mine, files: Readonly<Record<string, string>> = {}, programs: readonly string[] = []) {
    const own = place(files);
    writeFileSync(own.config, text);
    const nvim = await start({ place: own, env: installed(own, ...programs) });
    const questions = await Questions.in(nvim);
    const config = () => readFileSync(own.config, 'utf8');
    return { own, nvim, questions, config };
  }

  it('offers the agents found that are not configured, then the files of others, and a name that is free', async () => {
    const text = 'agents:\n  Gemini: {command: cat}\n  oc: {command: opencode}\n  grok-2: {command: cat} # 2\n';
    const { nvim, questions, config } = await begin(text, {}, ['gemini', 'opencode', 'grok', 'goose']);
    await nvim.command('Sidekicks add');
    const { choices } = await questions.next();
    const others = ['Docker Compose file…', 'sbx environment file…', 'an agent’s own YAML (docker agent)…', 'by hand…'];
    expect(choices?.slice(-4)).toEqual(others);
    expect(choices?.filter((choice) => /gemini|opencode|grok|goose/i.test(choice))).toEqual([
      'goose: goose acp',
      'Grok: grok agent stdio',
    ]);
    await questions.answer('Grok');
    expect(await questions.next()).toMatchObject({ prompt: 'Name of the agent:', default: 'grok' });
    await questions.answer('grok');
    await questions.answerAll('yes', 'nothing more');
    expect(config()).toBe(`${text}  grok:\n    title: Grok\n    command: grok\n    args: [agent, stdio]\n`);
  });

  it('takes an installed agent by its name, and says when none is left', async () => {
    const { nvim, questions } = await begin('agents: {a: {command: goose}}\n', {}, ['grok', 'goose']);
    await nvim.command('Sidekicks add path grok');
    expect(await questions.next()).toMatchObject({ default: 'grok' });
    await questions.answer(null);
    await nvim.command('Sidekicks add path');
    expect((await questions.next()).choices).toContain('Grok: grok agent stdio');
    await questions.answer(null);
  });

  it('shows what would be written, writes it after a yes, tells where, and goes there', async () => {
    const { own, nvim, questions, config } = await begin();
    const sidekicks = await Sidekicks.in(nvim);
    await nvim.command(`Sidekicks add command sh -c "echo 'a b'" last`);
    await questions.answer('bob');
    const { prompt, choices } = await questions.next();
    expect(prompt).toBe(`Write this into ${own.config}?`);
    expect(choices).toEqual(['yes, write it', 'no, change nothing']);
    const lines = ['  bob:', '    command: sh', `    args: [-c, "echo 'a b'", last]`];
    expect(await preview(nvim)).toEqual(lines);
    await nvim.waitForScreen(`${own.config}:4`);
    expect(config()).toBe(mine);
    await questions.answer('yes');
    expect((await questions.next()).prompt).toBe(`bob is in ${own.config}. What next?`);
    expect(await preview(nvim)).toBeNull();
    expect(config()).toBe(mine.replace('# hers\n', `# hers\n${lines.join('\n')}\n`));
    expect(await agentNames(sidekicks)).toEqual(['zoe', 'bob']);
    await questions.answer('go to bob');
    await nvim.waitForLua('the agent', `return vim.fn.expand('<cword>') == 'bob' and vim.fn.line('.') == 4`);
    expect(await nvim.messages()).toContain(`bob is in ${own.config}, line 4`);
  });

  it('opens the conversation with the agent that was added', async () => {
    const { nvim, questions } = await begin();
    const { command, args } = demoAgent();
    await nvim.command(`Sidekicks add command ${command} ${(args ?? []).join(' ')}`);
    await questions.answerAll('démo', 'yes', 'open the conversation');
    await nvim.waitForLua('its input', `return vim.api.nvim_buf_get_name(0) == 'sidekicks://agent/démo/input'`);
  });

  it('makes an agent of a service of a Compose file; a problem hides no other service', async () => {
    const { own, nvim, questions, config } = await begin(mine, { 'compose.yaml': compose });
    await nvim.command('Sidekicks add');
    await questions.answer('Docker Compose');
    expect(await questions.next()).toMatchObject({ prompt: 'Compose file:', default: '~/', completion: 'file' });
    await questions.answer(own.path('compose.yaml'));
    const { prompt, choices } = await questions.next();
    expect(choices).toEqual(['web: container project-web-1', 'db: container pg']);
    expect(prompt).toContain(`(line 5: there is no file ${own.path('base.yml')})`);
    await questions.answer('db');
    const prompts = await questions.answerAll('my-acp --serve', '/app', 'pg', 'yes', 'nothing more');
    expect(prompts.slice(0, 2)).toEqual([
      'Command to run in pg:',
      `Folder of ${own.project} in the container (nothing: the same path):`,
    ]);
    expect(config()).toContain(
      [
        '  pg:',
        '    command: my-acp',
        '    args: [--serve]',
        `    workspace: ${own.project}`,
        '    runtime:',
        '      type: container',
        '      name: pg',
        '      workspacePath: /app',
        '      lifecycle:',
        `        create: "docker compose -f ${own.path('compose.yaml')} up -d db"`,
        `        stop: "docker compose -f ${own.path('compose.yaml')} stop db"`,
        `        remove: "docker compose -f ${own.path('compose.yaml')} rm -sf db"`,
        '',
      ].join('\n'),
    );
  });

  it('makes an agent of an sbx environment file, and of an agent’s own YAML, named with the command', async () => {
    const { own, nvim, questions, config } = await begin('agents: {box: {command: cat}}\n', {
      '.sbxenv.yaml': sandbox,
      'my agent.yaml': 'agents: {}\n',
    });
    await nvim.command('Sidekicks add sandbox .sbxenv.yaml');
    expect((await questions.answer('claude-acp')).prompt).toBe('Command to run in box:');
    expect((await questions.answer('box-2')).default).toBe('box-2');
    await questions.answerAll('yes', 'nothing more');
    await nvim.command('Sidekicks add docker-agent my\\ agent.yaml');
    expect((await questions.answer('my-agent')).default).toBe('my-agent');
    await questions.answerAll('yes', 'nothing more');
    const environment = own.path('.sbxenv.yaml');
    const lifecycle = `{create: "sbx env create ${environment}", stop: "sbx stop box", remove: "sbx env rm --force ${environment}"}`;
    expect(config()).toBe(
      `agents: {box: {command: cat}, box-2: {command: claude-acp, workspace: ${own.path('src')}, ` +
        `runtime: {type: sbx, name: box, lifecycle: ${lifecycle}}}, ` +
        `my-agent: {command: docker, args: [agent, serve, acp, ${JSON.stringify(own.path('my agent.yaml'))}]}}\n`,
    );
  });

  it('given up at any step writes nothing', async () => {
    const { nvim, questions, config } = await begin(mine, { 'compose.yaml': compose });
    const answers = ['Docker Compose', 'compose.yaml', 'web', 'acp', '', 'web', 'yes'];
    for (const [step] of answers.entries()) {
      await nvim.command('Sidekicks add');
      await questions.answerAll(...answers.slice(0, step), null);
      await nvim.waitForLua('nothing shown', `return #vim.api.nvim_list_wins() == 1`);
    }
    await nvim.command('Sidekicks add command sh x');
    await questions.answerAll('sh', 'no');
    await nvim.waitForLua('nothing shown', `return #vim.api.nvim_list_wins() == 1`);
    expect(await questions.pending()).toBeNull();
    expect(config()).toBe(mine);
  });

  it.each([
    ['a name that is taken', 'command sh x', ['ZOE'], 'there is an agent named zoe already. Name of the agent:'],
    ['no name for an agent', 'command sh x', ['my bob'], '“my bob” cannot name an agent: 1 to 32 letters'],
    ['a file that is not there', 'compose', ['/no/such.yml'], 'there is no file /no/such.yml. Compose file:'],
    [
      'a file that is no environment',
      'sandbox',
      ['a.txt'],
      'is no sbx environment: it needs schemaVersion and agent. sbx',
    ],
    ['a folder', 'docker-agent', ['..'], 'there is no file'],
    [
      'a relative folder inside',
      'compose compose.yaml',
      ['web', 'acp', 'app'],
      'workspacePath must begin with /. Folder',
    ],
  ])('%s is told, and what was typed is asked for again', async (_, command, answers, prompt) => {
    const { nvim, questions, config } = await begin(mine, { 'compose.yaml': compose, 'a.txt': 'text\n' });
    await nvim.command(`Sidekicks add ${command}`);
    await questions.answerAll(...answers);
    const question = await questions.next();
    expect(question.prompt).toContain(prompt);
    expect(question.default).toBe(answers.at(-1));
    await questions.answer(null);
    expect(config()).toBe(mine);
  });

  it('says what is amiss with what would be written', async () => {
    const { nvim, questions } = await begin(mine);
    await nvim.command('Sidekicks add command no-such-program ${NO_SUCH_VARIABLE}');
    await questions.answer('bob');
    await nvim.waitForScreen('the program no-such-program is not on PATH');
    await nvim.waitForScreen('the environment variable NO_SUCH_VARIABLE is not set');
    await questions.answer('no');
  });

  it('leaves the person to their work while a question waits', async () => {
    const { nvim, questions } = await begin(mine);
    await nvim.command('Sidekicks add command sh x');
    await questions.answer('bob');
    await questions.next();
    expect(await nvim.isBlocked()).toBe(false);
    await nvim.feed('ihello<Esc>');
    await nvim.waitForLua('the text', `return vim.api.nvim_get_current_line() == 'hello'`);
    await questions.answer('no');
  });

  it('keeps every answer when it cannot be written, and writes it once it can', async () => {
    const { own, nvim, questions, config } = await begin(mine);
    nvim.allowErrors(/has changes that are not saved/);
    await nvim.command('Sidekicks add command sh x');
    await questions.answer('bob');
    await questions.next();
    await nvim.command(`edit ${own.config}`);
    await nvim.lua(`vim.api.nvim_buf_set_lines(0, 0, 1, false, { '# mine and more' })`);
    await questions.answer('yes');
    await nvim.waitForScreen('has changes that are not saved');
    await nvim.waitFor('what would be written', async () => (await preview(nvim))?.includes('  bob:'));
    expect(config()).toBe(mine);
    await nvim.command('write');
    await questions.answerAll('yes', 'nothing more');
    expect(config()).toMatch(/^# mine and more\nagents:\n[^]* {2}bob:\n {4}command: sh\n/);
  });

  it('asks for another name when somebody took it meanwhile', async () => {
    const { own, nvim, questions, config } = await begin(mine);
    nvim.allowErrors(/there is an agent named bob already/);
    await nvim.command('Sidekicks add command sh x');
    await questions.answer('bob');
    await questions.next();
    writeFileSync(own.config, 'agents:\n  bob: {command: cat}\n');
    await questions.answer('yes');
    expect((await questions.next()).prompt).toMatch(/^there is an agent named bob already\. Name/);
    await questions.answerAll('bob-2', 'yes', 'nothing more');
    expect(config()).toContain('  bob-2:\n');
  });

  it.each([
    ['a broken file', 'agents: 3\n', 'the configuration is broken in line 1'],
    ['a text that is not saved', mine, 'has changes that are not saved'],
  ])('says at once that nothing can be added to %s', async (_, text, message) => {
    const { own, nvim, questions } = await begin(text);
    nvim.allowErrors(new RegExp(message));
    if (text === mine) {
      await nvim.command(`edit ${own.config}`);
      await nvim.feed('Go# more<Esc>');
    }
    await nvim.command('Sidekicks add');
    await nvim.waitForScreen(message);
    expect(await questions.pending()).toBeNull();
  });

  it('completes where an agent comes from and what follows, and names what there is', async () => {
    const { nvim } = await begin('agents: {}\n', { 'compose.yaml': compose, 'sub/x.yml': '' }, ['grok', 'goose']);
    nvim.allowErrors(/add does not know/);
    const complete = (line: string) => nvim.lua<string[]>(`return vim.fn.getcompletion(...)`, line, 'cmdline');
    expect(await complete('Sidekicks add ')).toEqual(['command', 'compose', 'docker-agent', 'path', 'sandbox']);
    expect(await complete('Sidekicks add compose co')).toEqual(['compose.yaml']);
    expect(await complete('Sidekicks add sandbox sub/')).toEqual(['sub/x.yml']);
    await Sidekicks.in(nvim).then((sidekicks) => sidekicks.call('AgentService.List', {}));
    await nvim.waitFor('the agents found', async () => {
      const found = await complete('Sidekicks add path g');
      return found.join() === 'goose,grok';
    });
    expect(await complete('Sidekicks add command groo')).toEqual([]);
    expect(await complete('Sidekicks add command grok')).toContain('grok');
    expect(await complete('Sidekicks add compose x y')).toEqual([]);
    await nvim.command('Sidekicks add nonsense');
    await nvim.waitForScreen('add does not know nonsense; there are: command, compose, docker-agent, path, sandbox');
  });

  it('with Neovim’s own questions, in French', async () => {
    const own = place({ 'compose.yaml': compose });
    writeFileSync(own.config, 'language: fr\nagents:\n  zoe: {command: cat}\n');
    const nvim = await start({ place: own });
    await nvim.command('Sidekicks add compose compose.yaml');
    await nvim.waitForScreen(/Quel service de .*\(ligne 5\u00a0: le fichier /);
    await nvim.feed('1<CR>');
    await nvim.waitForScreen('Commande à exécuter dans project-web-1\u00a0:');
    await nvim.feed('acp<CR>');
    await nvim.waitForScreen('(rien\u00a0: le même chemin)\u00a0:');
    await nvim.feed('<CR>');
    await nvim.waitForScreen('Nom de l’agent\u00a0: web');
    await nvim.feed('<C-u>Zoe<CR>');
    await nvim.waitForScreen('il y a déjà un agent nommé zoe. Nom de l’agent\u00a0: Zoe');
    await nvim.feed('<C-u>bob<CR>');
    await nvim.waitForScreen('Écrire ceci dans');
    expect(nvim.screen.text()).toContain('  bob:');
    await nvim.feed('1<CR>');
    await nvim.waitForScreen('Et maintenant\u00a0?');
    await nvim.feed('3<CR>');
    await nvim.waitFor('the end of it', async () => !(await nvim.isBlocked()));
    expect(readFileSync(own.config, 'utf8')).toContain('  bob:\n    command: acp\n');
  });
});

// Owns: the proof of the demo agent's slash commands and of its two languages. Must not: look inside the agent.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DemoClient } from './demo-client.ts';
import { editor, startDemo } from './demo-client.ts';

let demo: DemoClient;

async function answerTo(prompt: string): Promise<string> {
  const session = await demo.openId();
  expect(await demo.prompt(session, prompt)).toBe('end_turn');
  return demo.text(session);
}

async function commandsOf(client: DemoClient): Promise<string[]> {
  const session = await client.openId();
  const announced = () => client.updates(session).find((one) => one.sessionUpdate === 'available_commands_update');
  await client.until(() => announced() !== undefined);
  const update = announced();
  if (update?.sessionUpdate !== 'available_commands_update') return [];
  return update.availableCommands.map(
    ({ name, description, input }) => `${name} [${input?.hint ?? ''}] ${description}`,
  );
}

describe('in English', () => {
  beforeAll(async () => {
    demo = await startDemo({ can: editor });
    writeFileSync(join(demo.workspace, 'a.lua'), '');
    demo.buffers.set(join(demo.workspace, 'a.lua'), {
      text: Array.from({ length: 30 }, (_, i) => `-- ${i}\n`).join(''),
    });
  });
  afterAll(() => demo.close());

  test('announces each with a description and a hint, after the session is known', async () => {
    expect(await commandsOf(demo)).toEqual([
      'help [] What this agent can do',
      'code [language] Code to copy',
      'plan [goal] A plan, and nothing but the plan',
      'edit [path] Propose a small edit of a file',
      'read [path] Read a file',
      'slow [seconds] An answer that takes its time (to try cancelling)',
      'long [lines] A long answer (to try scrolling)',
      'error [message] An answer that fails',
      'ask [] Ask you something back',
    ]);
  });

  test('/help lists them all', async () => {
    const help = await answerTo('/help');
    for (const line of ['`/code [language]`', '`/slow [seconds]`', '`/ask`']) expect(help).toContain(line);
  });

  test('/code shows one language, or all', async () => {
    expect(await answerTo('/code py')).toMatch(/^Here is some python:\n\n```python\n[^`]*```\n\n$/);
    expect((await answerTo('/code')).match(/^```\w+$/gm)?.length).toBe(7);
    expect(await answerTo('/code cobol')).toContain('“cobol”');
  });

  test('/plan only plans', async () => {
    const session = await demo.openId();
    await demo.prompt(session, '/plan rename it');
    expect(demo.text(session)).toContain('“rename it”');
    const plan = demo.updates(session).find((update) => update.sessionUpdate === 'plan');
    expect(plan?.sessionUpdate === 'plan' && plan.entries).toHaveLength(4);
    expect(demo.written).toEqual([]);
  });

  test('/read shows the first lines', async () => {
    const session = await demo.openId();
    await demo.prompt(session, '/read a.lua');
    expect(JSON.stringify(demo.updates(session))).toContain('… 18 more lines');
    expect(demo.text(session)).toContain('`a.lua` (30 lines,');
    expect(await answerTo('/read none.lua')).toContain('could not read `none.lua`');
  });

  test('/edit proposes an edit, and leaves alone what a comment could break', async () => {
    await answerTo('/edit "a.lua"');
    expect(demo.written).toEqual([join(demo.workspace, 'a.lua')]);
    demo.buffers.set(join(demo.workspace, 'b.json'), { text: '{}' });
    expect(await answerTo('/edit b.json')).toContain('could break it');
  });

  test('/long is as long as it is told, and /slow as slow', async () => {
    const session = await demo.openId();
    await demo.prompt(session, '/long 1000');
    expect(demo.text(session).match(/^Line \d+:/gm)).toHaveLength(1000);
    expect(JSON.stringify(demo.updates(session))).toContain('\\n999\\n1000"');
    const begun = Date.now();
    expect(await answerTo('/slow 0.2')).toContain('That was it');
    expect(Date.now() - begun).toBeGreaterThanOrEqual(190);
  });

  test('/error fails with its message, and the session lives on', async () => {
    const session = await demo.openId();
    await expect(demo.prompt(session, '/error out of luck')).rejects.toMatchObject({
      code: -32603,
      message: 'out of luck',
    });
    expect(await demo.prompt(session, '/help')).toBe('end_turn');
  });

  test('/ask tells accept, decline and cancel apart', async () => {
    demo.onElicitation = () => ({ action: 'accept', content: { answers: 'code', again: true } });
    expect(await answerTo('/ask')).toContain('- answers: "code"\n- again: true\n');
    demo.onElicitation = () => ({ action: 'decline' });
    expect(await answerTo('/ask')).toContain('declined');
    demo.onElicitation = () => ({ action: 'cancel' });
    expect(await answerTo('/ask')).toContain('without an answer');
  });

  test('an unknown command is named, a path is no command', async () => {
    expect(await answerTo('/dance now')).toMatch(/^I do not know `\/dance`\. ## What I can do/);
    expect(await answerTo('/usr/bin/x fails')).toContain('# Welcome to Sidekicks');
  });
});

test('a client that takes no questions and no booleans is offered none', async () => {
  demo = await startDemo();
  expect((await commandsOf(demo)).some((command) => command.startsWith('ask'))).toBe(false);
  const { configOptions } = await demo.open();
  expect(configOptions?.map((option) => option.id)).toEqual(['model', 'verbosity']);
  expect(await answerTo('/ask')).toContain('does not take questions');
  await demo.close();
});

test.each([{ LANG: 'fr_FR.UTF-8' }, { LANG: 'en_US.UTF-8', LC_ALL: 'fr_CA' }])(
  'speaks French with %j',
  async (environment) => {
    demo = await startDemo({ environment });
    expect((await demo.open()).modes?.availableModes.map((mode) => mode.name)).toEqual([
      'Demander',
      'Automatique',
      'Plan',
    ]);
    const session = await demo.openId();
    await demo.prompt(session, 'bonjour');
    expect(demo.text(session)).toContain('# Bienvenue dans Sidekicks');
    expect(demo.questions[0]?.options.map((option) => option.name)).toContain('Refuser');
    await demo.close();
  },
);

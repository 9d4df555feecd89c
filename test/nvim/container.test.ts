// Agents that run inside a container or sandbox (SPEC 3, 4 and 9): it is created where it is absent, paths of both sides belong
// together, and nothing stays inside.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngine } from '../engine/describe-engine.ts';
import { Engine } from '../engine/engine.ts';
import { received, script, scriptedAgent } from './support/agents.ts';
import { describeNvim, type Ground } from './support/describe-nvim.ts';
import { ROOT } from './support/nvim.ts';
import type { Place } from './support/place.ts';
import { startWith } from './product/person.ts';
import { answerTo } from './product/wire.ts';

let engine: Engine;
let containers = 0;

/** A container that has the project at `/app`, and for the scripted agent itself its program and its logs. */
function box(own: Place, type: 'container' | 'sbx' = 'container') {
  containers += 1;
  const name = `web-${String(containers)}`;
  const { command: _, ...agent } = scriptedAgent(own, 'web');
  const run = (lifecycle: Readonly<Record<string, string>> = {}) => ({
    ...agent,
    command: '/bin/node',
    runtime: { type, name, workspacePath: '/app', lifecycle },
  });
  const create = () => engine.run(name, { mounts: { [own.project]: '/app', [own.root]: own.root, [ROOT]: ROOT } });
  return { name, entry: run, create };
}

const start = (ground: Ground, own: Place, web: ReturnType<ReturnType<typeof box>['entry']>, file = 'a.txt') =>
  startWith(ground, { web }, { place: own, env: engine.env, args: [file] });

describeEngine('in a container', () => {
  beforeAll(async () => {
    engine = await Engine.start();
  });
  afterAll(() => engine.dispose());

  describeNvim('an agent', (ground) => {
    it.each(['container', 'sbx'] as const)(
      'talks, and nothing of it stays inside when it is stopped (%s)',
      async (type) => {
        const own = ground.place({ 'a.txt': 'old\n' });
        const { name, entry, create } = box(own, type);
        await create();
        const { nvim, sidekicks } = await start(ground, own, entry());
        const { id } = await sidekicks.direct('web');
        const { messages } = await sidekicks.ask(id, 'hello');
        expect(messages.at(-1)).toMatchObject({ parts: [{ kind: 'text', text: 'Hello from web.' }] });
        await nvim.command('Sidekicks');
        await nvim.waitForScreen(/web +ready/);
        expect(await engine.processes(name)).not.toEqual([]);
        await sidekicks.call('AgentService.Stop', { name: 'web' });
        expect(await engine.processes(name)).toEqual([]);
      },
    );

    it('names files as they are called inside, and the person sees her own paths', async () => {
      const own = ground.place({ 'a.txt': 'old\n' });
      const { entry, create } = box(own);
      await create();
      const { nvim, sidekicks } = await start(ground, own, entry());
      await nvim.command('call setline(1, "unsaved")');
      const { id } = await sidekicks.direct('web');
      const steps = script(
        { op: 'read', id: 1, path: '/app/a.txt' },
        { op: 'write', id: 2, path: '/app/a.txt', content: 'unsaved\nand more\n' },
        { op: 'read', id: 3, path: '/etc/passwd' },
        {
          op: 'tool_call',
          toolCallId: 't',
          title: 'Edit',
          kind: 'edit',
          locations: [{ path: '/app/a.txt', line: 2 }],
          content: [{ type: 'diff', path: '/app/a.txt', oldText: 'a', newText: 'b' }],
        },
      );
      const { messages } = await sidekicks.ask(id, `see @a.txt ${steps}`);
      expect(answerTo(own, 'web', 1)).toEqual({ content: 'unsaved\n' });
      expect(await nvim.lua(`return vim.api.nvim_buf_get_lines(0, 0, -1, false)`)).toEqual(['unsaved', 'and more']);
      expect(own.read('a.txt')).toBe('old\n');
      expect(answerTo(own, 'web', 3)).toMatchObject({ code: -32603 });
      expect(received(own, 'web', 'session/new')).toMatchObject([{ params: { cwd: '/app' } }]);
      expect(JSON.stringify(received(own, 'web', 'session/prompt'))).toContain('file:///app/a.txt');
      expect(JSON.stringify(received(own, 'web', 'session/prompt'))).not.toContain(own.project);
      const tools = messages.flatMap(({ parts }) => parts).flatMap((part) => (part.kind === 'tool' ? [part.tool] : []));
      expect(tools).toMatchObject([
        { locations: [{ path: own.path('a.txt'), line: 2 }], diffs: [{ path: own.path('a.txt') }] },
      ]);
    });

    it('has its container created first where it is absent; what that prints stands in the log', async () => {
      const own = ground.place({ 'a.txt': 'old\n' });
      const { name, entry, create } = box(own);
      await create();
      await engine.docker('stop', '-t', '0', name);
      const line = `echo bringing it; docker start ${name}; touch made`;
      const { sidekicks } = await start(ground, own, entry({ create: line }));
      await sidekicks.call('AgentService.Start', { name: 'web' });
      expect((await sidekicks.call('AgentService.Logs', { name: 'web' })).lines.slice(0, 2)).toEqual([
        'sandbox: bringing it',
        `sandbox: ${name}`,
      ]);
      expect(existsSync(join(own.root, 'made'))).toBe(true);
      await sidekicks.call('AgentService.Restart', { name: 'web' });
      expect((await sidekicks.call('AgentService.Logs', { name: 'web' })).lines.join()).not.toContain('bringing it');
    });

    it.each([
      ['en', /web-\d+ cannot be reached: .*No such container/, /web +error/],
      ['fr', /web-\d+ est inaccessible\u00a0: .*No such container/, /web +erreur/],
    ])('whose container is absent and cannot be created says so (%s)', async (language, words, state) => {
      const own = ground.place({ 'a.txt': 'old\n' });
      const { entry } = box(own);
      const web = entry();
      const { nvim, sidekicks } = await startWith(
        ground,
        { web },
        { place: own, env: engine.env, config: { language } },
      );
      nvim.allowErrors(/Sidekicks: /);
      await nvim.command('Sidekicks');
      await nvim.waitForScreen(/web +(stopped|arrêté)/);
      await nvim.feed('s');
      await nvim.waitForScreen(state);
      await expect(sidekicks.request('AgentService.Start', { name: 'web' })).rejects.toThrow(words);
    });

    it('whose container cannot be created is told with the line and its status', async () => {
      const own = ground.place({ 'a.txt': 'old\n' });
      const { sidekicks } = await start(ground, own, box(own).entry({ create: 'echo no engine >&2; exit 4' }));
      await expect(sidekicks.request('AgentService.Start', { name: 'web' })).rejects.toThrow(
        /exit 4 ended with status 4/,
      );
      expect((await sidekicks.call('AgentService.Logs', { name: 'web' })).lines).toContain('sandbox: no engine');
    });

    it('is named by :checkhealth with what keeps it from starting', async () => {
      const own = ground.place();
      const { entry, create } = box(own);
      await create();
      const away = { ...entry(), runtime: { type: 'container', name: 'nowhere' } };
      const { nvim } = await startWith(ground, { web: entry(), away }, { place: own, env: engine.env });
      await nvim.command('checkhealth sidekicks');
      const report = (await nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')).join('\n');
      expect(report).toContain('OK web: /bin/node');
      expect(report).toMatch(/WARNING away: nowhere cannot be reached: .*No such container/);
    });

    it('leaves nothing inside when Neovim is killed', async () => {
      const own = ground.place({ 'a.txt': 'old\n' });
      const { name, entry, create } = box(own);
      await create();
      const { nvim, sidekicks } = await start(ground, own, entry());
      await sidekicks.call('AgentService.Start', { name: 'web' });
      expect(await engine.processes(name)).not.toEqual([]);
      await nvim.crash();
      await expect.poll(() => engine.processes(name), { timeout: 15_000 }).toEqual([]);
    });
  });
});

// Agents inside containers and sandboxes: they talk, get their own variables, and nothing of them stays inside (SPEC section 4).
import { spawn } from 'node:child_process';
import * as path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { byRuntime } from '../../../../src/adapters/runtimes/by-runtime.ts';
import { commandRunner } from '../../../../src/adapters/runtimes/commands.ts';
import { insideProcesses } from '../../../../src/adapters/runtimes/inside.ts';
import { localProcesses } from '../../../../src/adapters/runtimes/local.ts';
import { clock } from '../../../../src/adapters/system/clock.ts';
import type { AgentDefinition, RuntimeDefinition } from '../../../../src/core/config.ts';
import { wordFailure } from '../../../../src/core/texts/index.ts';
import { describeEngine } from '../../../engine/describe-engine.ts';
import { Engine } from '../../../engine/engine.ts';
import { definition, Heard, quickStop, Remembering } from './support.ts';

const inside = (
  command: string,
  args: readonly string[],
  runtime: Partial<RuntimeDefinition> = {},
  more: Partial<AgentDefinition> = {},
): AgentDefinition =>
  definition(command, args, {
    ...more,
    runtime: { ...definition('', []).runtime, type: 'container', name: 'web-1', ...runtime },
  });

describeEngine('in a container', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await Engine.start();
    await engine.run('web-1');
  });
  afterAll(() => engine.dispose());
  afterEach(() => expect.poll(() => engine.processes('web-1'), { timeout: 15_000 }).toEqual([]));

  function processes(environment: Readonly<Record<string, string>> = {}) {
    const options = {
      log: new Remembering(),
      times: quickStop,
      environment: { ...process.env, ...engine.env, ...environment },
    };
    const local = localProcesses({ clock, ...options });
    const everywhere = byRuntime(local, insideProcesses({ processes: local, ...options }));
    onTestFinished(() => everywhere.dispose());
    return { everywhere, commands: commandRunner(local, clock) };
  }

  function launch(agent: AgentDefinition, environment?: Readonly<Record<string, string>>) {
    const heard = new Heard();
    const launched = processes(environment).everywhere.launch(agent, '/tmp', heard.listener);
    return { heard, launched };
  }

  const running = (what: string, name = 'web-1') =>
    expect.poll(() => engine.processes(name), { timeout: 15_000 }).toContain(what);

  test.each([
    ['docker exec', {}],
    ['sbx exec', { type: 'sbx' }],
  ] as const)('an agent runs in its folder, reads and writes, and ends (%s)', async (_, runtime) => {
    const { heard, launched } = launch(inside('sh', ['-c', 'pwd; read a; echo "<$a>"; echo no >&2; exit 3'], runtime));
    expect(await launched.write('hello there\n')).toBe(true);
    expect(await heard.ended).toEqual({ code: 3, signal: '' });
    expect(heard.output).toBe('/tmp\n<hello there>\n');
    expect(heard.errors).toBe('no\n');
  });

  test('it runs in the folder that the configuration names inside; its words stay words', async () => {
    const { heard } = launch(
      inside('sh', ['-c', 'pwd; echo "$#$1"', 'sh', `a 'b' "$HOME"; ls`], { workspacePath: '/etc' }),
    );
    await heard.ended;
    expect(heard.output).toBe(`/etc\n1a 'b' "$HOME"; ls\n`);
  });

  test('it has its own variables and none of this machine', async () => {
    const env = { TOKEN: 'a "b" $c', PATH: '/bin', HTTP_PROXY: 'of the agent' };
    const ours = { SECRET_OF_OURS: 'x', HTTP_PROXY: 'of this machine' };
    const { heard } = launch(inside('env', [], {}, { env }), ours);
    await heard.ended;
    const lines = heard.output.split('\n');
    expect(lines).toContain('TOKEN=a "b" $c');
    expect(lines).toContain('PATH=/bin');
    expect(lines).toContain('HTTP_PROXY=of the agent');
    expect(heard.output).not.toContain('SECRET_OF_OURS');
  });

  test('what is no word of a list of processes: the value of a variable', async () => {
    const { launched } = launch(inside('sleep', ['600'], {}, { env: { TOKEN: 'very-secret' } }));
    await running('sleep 600');
    const list = spawn('ps', ['-A', '-o', 'args']);
    let text = '';
    list.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await new Promise((resolve) => list.on('close', resolve));
    expect(text).toContain('-e TOKEN ');
    expect(text).not.toContain('very-secret');
    await launched.stop();
  });

  const stubborn = `trap '' TERM HUP; setsid sleep 601 & sleep 602 & while :; do sleep 603; done`;
  test('one that ignores signals is ended inside with all it launched', async () => {
    const { launched } = launch(inside('sh', ['-c', stubborn]));
    await running('sleep 603');
    await launched.stop();
    expect(await engine.processes('web-1')).toEqual([]);
  });

  test('also where there is no grep inside', async () => {
    await engine.run('bare');
    await engine.docker('exec', 'bare', 'rm', '/bin/grep');
    const { launched } = launch(inside('sh', ['-c', stubborn], { name: 'bare' }));
    await running('sleep 603', 'bare');
    await launched.stop();
    expect(await engine.processes('bare')).toEqual([]);
  });

  test('one that ends by itself leaves nothing either', async () => {
    const { heard } = launch(inside('sh', ['-c', 'setsid sleep 604 </dev/null >/dev/null 2>&1 & exit 0']));
    expect(await heard.ended).toEqual({ code: 0, signal: '' });
  });

  test('what else runs there is left alone', async () => {
    await engine.docker('exec', '-d', 'web-1', 'sh', '-c', 'echo $$ >/tmp/other; exec sleep 605');
    const { launched } = launch(inside('sleep', ['606']));
    await running('sleep 606');
    await launched.stop();
    expect(await engine.processes('web-1')).toEqual(['sleep 605']);
    await engine.docker('exec', 'web-1', 'sh', '-c', 'kill -9 $(cat /tmp/other)');
  });

  test('the host is killed: what it ran inside is ended', async () => {
    const host = path.join(import.meta.dirname, 'fixtures', 'host-inside.ts');
    const child = spawn(process.execPath, [host, 'web-1', 'sh', '-c', stubborn], {
      env: { ...process.env, ...engine.env },
    });
    await running('sleep 603');
    child.kill('SIGKILL');
    await expect.poll(() => engine.processes('web-1'), { timeout: 15_000 }).toEqual([]);
  });

  describe('is it there?', () => {
    const reach = async (runtime: Partial<RuntimeDefinition>) => {
      const reached = await processes().commands.reach({ type: 'container', cli: 'docker', name: 'web-1', ...runtime });
      return reached.ok ? 'there' : wordFailure('en', reached.error);
    };

    test('yes', async () => {
      expect(await reach({})).toBe('there');
      expect(await reach({ type: 'sbx' })).toBe('there');
    });

    test('no: what the command line program says is told', async () => {
      expect(await reach({ name: 'web-2' })).toMatch(/^web-2 cannot be reached: .*No such container: web-2/);
    });

    test('no: it is stopped', async () => {
      await engine.run('stopped');
      await engine.docker('stop', '-t', '0', 'stopped');
      expect(await reach({ name: 'stopped' })).toMatch(/^stopped cannot be reached: .*is not running/);
    });

    test('no: there is no such program', async () => {
      expect(await reach({ cli: 'nerdctl' })).toBe('web-1 cannot be reached: there is no program nerdctl here');
    });
  });
});

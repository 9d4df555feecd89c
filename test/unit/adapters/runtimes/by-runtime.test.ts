// Which runtime launches an agent, and what those that cannot say.
import { expect, test } from 'vitest';
import { byRuntime } from '../../../../src/adapters/runtimes/by-runtime.ts';
import { wordFailure } from '../../../../src/core/texts/index.ts';
import { definition, Heard, temporaryFolder, testProcesses } from './support.ts';

const inside = (type: 'container' | 'sbx') =>
  definition('echo', ['hello'], { runtime: { ...definition('', []).runtime, type, name: 'web-1' } });

test('a local agent is launched here', async () => {
  const heard = new Heard();
  byRuntime(testProcesses()).launch(definition('echo', ['hello']), temporaryFolder(), heard.listener);
  expect(await heard.ended).toEqual({ code: 0, signal: '' });
  expect(heard.output).toBe('hello\n');
});

test.each([
  ['container', 'the container web-1', 'le conteneur web-1'],
  ['sbx', 'the sandbox web-1', 'la sandbox web-1'],
] as const)('%s: nothing is launched, and the reason is plain', async (type, english, french) => {
  const heard = new Heard();
  const launched = byRuntime(testProcesses()).launch(inside(type), temporaryFolder(), heard.listener);
  expect(heard.order).toEqual([]);
  const failure = await heard.failed;
  expect(wordFailure('en', failure)).toContain(english);
  expect(wordFailure('en', failure)).toContain('cannot run agents');
  expect(wordFailure('fr', failure)).toContain(french);
  expect(await launched.write('x')).toBe(false);
  await launched.stop();
  expect(heard.order).toEqual(['failed']);
});

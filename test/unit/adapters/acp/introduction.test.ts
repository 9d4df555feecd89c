// What a way to sign in runs: the agent's own command, and inside its container where the agent is.
import { expect, test } from 'vitest';
import { readAuthMethods } from '../../../../src/adapters/acp/introduction.ts';
import type { RuntimeDefinition } from '../../../../src/core/config.ts';
import { agentDefinition } from '../../agent-definition.ts';

const own = { id: 'a', name: 'Browser', type: 'terminal', args: ['login'], env: { WAY: 'web' } };
const ready = { id: 'b', name: 'Key', _meta: { 'terminal-auth': { command: 'signer', args: ['--key'], env: {} } } };

const terminals = (runtime: Partial<RuntimeDefinition>) => {
  const ann = agentDefinition('ann', { command: 'ann', args: ['--acp'], env: { TOKEN: 'secret' }, workspace: '/w' });
  const definition = { ...ann, runtime: { ...ann.runtime, ...runtime } };
  return readAuthMethods([own, ready], definition).map(({ terminal }) => terminal);
};

test('on this machine it is the command as it stands', () => {
  expect(terminals({})).toEqual([
    { command: 'ann', args: ['--acp', 'login'], env: { WAY: 'web' } },
    { command: 'signer', args: ['--key'], env: {} },
  ]);
});

test.each([
  ['docker', { type: 'container' }],
  ['sbx', { type: 'sbx' }],
] as const)('inside it is run there, and shows no value of the agent’s own variables (%s)', (program, runtime) => {
  const given = ['exec', '-it', '-w', '/app', '-e', 'TOKEN'];
  expect(terminals({ ...runtime, name: 'web-1', workspacePath: '/app' })).toEqual([
    { command: program, args: [...given, '-e', 'WAY=web', 'web-1', 'ann', '--acp', 'login'], env: {} },
    { command: program, args: [...given, 'web-1', 'signer', '--key'], env: {} },
  ]);
});

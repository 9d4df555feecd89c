import { describe, expect, test } from 'vitest';
import { folderInside, insideWords, pathsOf, runsInside } from '../../../src/core/runtime.ts';
import { inContainer as runtime } from '../agent-definition.ts';

describe('the words that run a program inside', () => {
  test.each([
    ['docker', runtime({}), 'docker'],
    ['podman', runtime({ cli: 'podman' }), 'podman'],
    ['nerdctl', runtime({ cli: 'nerdctl' }), 'nerdctl'],
    ['sbx, whatever cli says', runtime({ type: 'sbx', cli: 'podman' }), 'sbx'],
  ])('%s', (_, inside, program) => {
    expect(insideWords(inside, ['agent', 'a b'], { folder: '' })).toEqual([
      program,
      'exec',
      '-i',
      'web-1',
      'agent',
      'a b',
    ]);
  });

  test('name the folder and the variables before the container', () => {
    const options = { folder: '/my app', env: ['TOKEN', 'A=b c'], terminal: true };
    expect(insideWords(runtime({}), ['sh'], options)).toEqual([
      ...['docker', 'exec', '-it', '-w', '/my app', '-e', 'TOKEN', '-e', 'A=b c', 'web-1', 'sh'],
    ]);
  });
});

test.each([
  ['local', runtime({ type: 'local' }), false],
  ['container', runtime({}), true],
  ['a container, launched by the host', runtime({ launch: 'host' }), false],
  ['sbx', runtime({ type: 'sbx' }), true],
])('a program of a %s agent runs inside or not', (_, inside, expected) => {
  expect(runsInside({ runtime: inside })).toBe(expected);
});

test('a workspace without a name of its own there is called as on the host', () => {
  expect(folderInside(runtime({}), '/home/ann/app')).toBe('/home/ann/app');
  expect(folderInside(runtime({ workspacePath: '/app' }), '/home/ann/app')).toBe('/app');
});

test.each([
  ['another path', runtime({ workspacePath: '/app' }), { host: '/home/ann/app', agent: '/app' }],
  ['the same path', runtime({ workspacePath: '/home/ann/app' }), undefined],
  ['no path', runtime({}), undefined],
  ['a program of the host', runtime({ workspacePath: '/app', launch: 'host' }), undefined],
])('paths belong together: %s', (_, inside, expected) => {
  expect(pathsOf({ runtime: inside }, '/home/ann/app')).toEqual(expected);
});

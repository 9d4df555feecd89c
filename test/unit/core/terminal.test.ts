import { describe, expect, test } from 'vitest';
import type { Inside } from '../../../src/core/runtime.ts';
import { lookWords, shellInside, shellsHere } from '../../../src/core/terminal.ts';
import { wordFailure } from '../../../src/core/texts/index.ts';

const container: Inside = { type: 'container', name: 'web-1', cli: 'docker' };
const sandbox: Inside = { type: 'sbx', name: 'web-1', cli: 'docker' };
const oddFolder = "/my app; $(touch hacked) 'x'";

test('the shells of this machine: the person’s as a login shell, else bash, else sh', () => {
  expect(shellsHere('/my shells/fish')).toEqual([['/my shells/fish', '-l'], ['bash'], ['sh']]);
  expect(shellsHere('')).toEqual([['bash'], ['sh']]);
});

test('the look inside: the folder is an argument of its own, and no part of what a shell reads', () => {
  const words = lookWords(oddFolder);
  expect(words.at(-1)).toBe(oddFolder);
  expect(words.slice(0, -1).join(' ')).not.toContain('my app');
});

describe('the shell inside', () => {
  test.each([
    ['bash where it is there', container, ['bash'], ['docker', 'bash']],
    ['else sh', container, ['sh'], ['docker', 'sh']],
    ['whatever else is said before', { ...container, cli: 'podman' as const }, ['hello', 'bash'], ['podman', 'bash']],
    ['never what the container makes up', container, ['rm'], ['docker', 'sh']],
    ['by sbx', sandbox, ['bash'], ['sbx', 'bash']],
  ])('%s', (_, inside, said, [program, shell]) => {
    expect(shellInside(inside, oddFolder, ['MARK'], { code: 0, said })).toEqual({
      ok: true,
      value: [program, 'exec', '-it', '-w', oddFolder, '-e', 'MARK', 'web-1', shell],
    });
  });

  test.each([
    [container, 1, 'Error response from daemon: No such container: web-1', 'there is no container web-1'],
    [container, 125, 'Error: no container with name or ID "web-1" found', 'there is no container web-1'],
    [container, 1, 'level=fatal msg="1 errors: no such container: web-1"', 'there is no container web-1'],
    [sandbox, 1, 'sandbox "web-1" not found', 'there is no sandbox web-1'],
    [container, 1, 'Error response from daemon: container 4e is not running', 'web-1 is not running'],
    [container, 255, 'can only create exec sessions on running containers: improper', 'web-1 is not running'],
    [container, 3, "sh: cd: can't cd to /app", 'the folder /app does not exist in web-1'],
    [container, 127, 'exec: "sh": executable file not found', 'cannot be reached: exec: "sh": executable'],
    [container, 9, '', 'web-1 cannot be reached: exit 9'],
  ])('that cannot run: %j, %i, %s', (inside, code, line, words) => {
    const shell = shellInside(inside, '/app', [], { code, said: line === '' ? [] : [line] });
    expect(shell.ok ? '' : wordFailure('en', shell.error)).toContain(words);
  });
});

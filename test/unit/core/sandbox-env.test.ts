// What an sbx environment file offers to the assistant that adds an agent (SPEC section 15).
import { describe, expect, test } from 'vitest';
import { readSandboxEnv } from '../../../src/core/sandbox-env.ts';
import { wordFailure } from '../../../src/core/texts/index.ts';

const head = 'schemaVersion: "1"\nagent: claude\n';

function read(text: string, path = '/work/env/sbxenv.yaml') {
  const found = readSandboxEnv(path, text, 'en');
  return found.ok ? found.value : wordFailure('en', found.error);
}

test('the sandbox it declares, with its commands', () => {
  expect(read(`${head}name: web-app\nworkspace: ./web-app\nports:\n  - {sandbox: 3000}\n`)).toEqual({
    name: 'web-app',
    workspace: '/work/env/web-app',
    sandboxFolder: '/work/env/web-app',
    createCommand: 'sbx env create /work/env/sbxenv.yaml',
    stopCommand: 'sbx stop web-app',
    removeCommand: 'sbx env rm --force /work/env/sbxenv.yaml',
  });
});

describe('the folder and the name', () => {
  test.each([
    ['of a mapping', 'workspace: {path: src, clone: true}\n', '/work/env/src', 'claude-src'],
    ['of an absolute path', 'workspace: /srv/app\n', '/srv/app', 'claude-app'],
    ['of the folder itself', 'workspace: .\n', '/work/env', 'claude-env'],
    ['without a workspace', '', '', 'claude-env'],
    ['with an argument', 'name: "a-${{ env.args.which }}"\nargs: {which: {default: b}}\n', '', 'a-b'],
    ['with a folder', 'name: x\nworkspace: "${{env.projectDir}}/src"\n', '/work/env/src', 'x'],
    ['with shell signs, which mean nothing', 'name: x\nworkspace: ./$HOME\n', '/work/env/$HOME', 'x'],
  ])('%s', (_, text, workspace, name) => {
    expect(read(head + text)).toMatchObject({ workspace, sandboxFolder: workspace, name });
  });

  test('stand quoted in the commands where they must', () => {
    expect(read(`${head}name: a\n`, `/it's here/.sbxenv.yaml`)).toMatchObject({
      createCommand: `sbx env create '/it'\\''s here/.sbxenv.yaml'`,
    });
  });
});

describe('a file that is none', () => {
  const none = '/work/env/sbxenv.yaml is no sbx environment: it needs schemaVersion and agent';

  test.each([
    ['empty', '', none],
    ['a list', '- a\n', none],
    ['a Compose file', 'services: {web: {}}\n', none],
    ['without agent', 'schemaVersion: "1"\nname: x\n', none],
    [
      'of another version',
      'schemaVersion: "2"\nagent: x\n',
      '/work/env/sbxenv.yaml has the schemaVersion 2; only 1 is known',
    ],
    [
      'broken',
      'schemaVersion: "1\n',
      '/work/env/sbxenv.yaml, line 1, column 18: something is not closed: " is missing',
    ],
    ['with an empty workspace', `${head}workspace: " "\n`, 'the workspace in /work/env/sbxenv.yaml names no folder'],
    ['with a name that is none', `${head}name: "a; b"\n`, '“a; b” cannot name a sandbox: letters, digits, ., + and -'],
    [
      'with a required argument',
      `${head}name: "\${{ env.args.x }}"\nargs: {x: {required: true}}\n`,
      'the value of x in /work/env/sbxenv.yaml is not known: it has no default',
    ],
  ])('%s', (_, text, message) => {
    expect(read(text)).toBe(message);
  });
});

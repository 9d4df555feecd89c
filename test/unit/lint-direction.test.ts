// The lint rule on who may import whom: each forbidden import is named, each allowed one passes.
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { expect, it } from 'vitest';

// Types play no part in these rules, and reading the whole project for them takes seconds.
const eslint = new ESLint({
  cwd: new URL('../..', import.meta.url).pathname,
  overrideConfig: [tseslint.configs.disableTypeChecked],
});

const watched = new Set([
  'no-restricted-imports',
  'no-restricted-globals',
  'no-restricted-properties',
  'no-restricted-syntax',
  'no-console',
  '@typescript-eslint/consistent-type-assertions',
]);

async function complaints(filePath: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath });
  const messages = result?.messages ?? [];
  const broken = messages.find((message) => message.fatal);
  if (broken) throw new Error(broken.message);
  return messages.flatMap(({ ruleId }) => (ruleId !== null && watched.has(ruleId) ? [ruleId] : []));
}

const using = (specifier: string): string => `import * as used from '${specifier}';\nexport const x = used;\n`;

it.each([
  ['src/core/agent.ts', '../app/host.ts'],
  ['src/core/config/parse.ts', '../../adapters/acp/launcher.ts'],
  ['src/core/agent.ts', '../main.ts'],
  ['src/core/agent.ts', '../demo-agent/agent.ts'],
  ['src/core/agent.ts', '../../test/agents/scripted.ts'],
  ['src/core/agent.ts', 'node:fs'],
  ['src/core/agent.ts', 'node:fs/promises'],
  ['src/core/agent.ts', 'child_process'],
  ['src/core/agent.ts', 'node:net'],
  ['src/core/agent.ts', 'node:timers/promises'],
  ['src/core/agent.ts', 'neovim'],
  ['src/core/agent.ts', '@agentclientprotocol/sdk'],
  ['src/app/host.ts', '../adapters/nvim/editor.ts'],
  ['src/app/services/services.ts', '../../adapters/sqlite/history.ts'],
  ['src/app/host.ts', '../main.ts'],
  ['src/app/host.ts', 'node:fs'],
  ['src/app/host.ts', 'better-sqlite3'],
  ['src/adapters/acp/launcher.ts', '../nvim/editor.ts'],
  ['src/adapters/acp/launcher.ts', '../../adapters/sqlite/history.ts'],
  ['src/adapters/nvim/editor.ts', '../../app/host.ts'],
  ['src/adapters/nvim/editor.ts', '../../main.ts'],
  ['src/demo-agent/agent.ts', '../core/errors.ts'],
  ['src/demo-agent/texts/en.ts', '../../adapters/files/disk.ts'],
])('%s may not import %s', async (file, specifier) => {
  expect(await complaints(file, using(specifier))).toContain('no-restricted-imports');
});

it.each([
  ['src/core/agent.ts', './pool.ts'],
  ['src/core/config/parse.ts', '../errors.ts'],
  ['src/core/agent.ts', 'node:path'],
  ['src/core/agent.ts', 'micromark'],
  ['src/app/host.ts', '../core/ports.ts'],
  ['src/app/services/services.ts', '../host.ts'],
  ['src/adapters/acp/launcher.ts', './session.ts'],
  ['src/adapters/acp/launcher.ts', '../../core/ports.ts'],
  ['src/adapters/acp/launcher.ts', 'node:child_process'],
  ['src/adapters/acp/launcher.ts', '@agentclientprotocol/sdk'],
  ['src/demo-agent/agent.ts', '@agentclientprotocol/sdk'],
  ['src/main.ts', './adapters/nvim/editor.ts'],
  ['src/main.ts', './app/host.ts'],
])('%s may import %s', async (file, specifier) => {
  expect(await complaints(file, using(specifier))).toEqual([]);
});

it.each([
  ['src/core/agent.ts', 'export const now = Date.now();', 'no-restricted-properties'],
  ['src/core/agent.ts', 'export const now = new Date();', 'no-restricted-syntax'],
  ['src/core/agent.ts', 'export const id = Math.random();', 'no-restricted-properties'],
  ['src/core/agent.ts', 'setTimeout(() => undefined, 1);', 'no-restricted-globals'],
  ['src/app/host.ts', 'console.log(1);', 'no-console'],
  ['src/adapters/nvim/rpc.ts', 'console.error(1);', 'no-console'],
  ['src/core/agent.ts', 'export const x = {} as { a: 1 };', '@typescript-eslint/consistent-type-assertions'],
  ['src/app/host.ts', 'export const x = {} as { a: 1 };', '@typescript-eslint/consistent-type-assertions'],
])('%s may not say %s', async (file, code, rule) => {
  expect(await complaints(file, code)).toContain(rule);
});

it.each([
  ['src/core/agent.ts', "export const kinds = ['a', 'b'] as const;"],
  ['src/adapters/nvim/rpc.ts', 'export const x = {} as { a: 1 };'],
])('%s may say %s', async (file, code) => {
  expect(await complaints(file, code)).toEqual([]);
});

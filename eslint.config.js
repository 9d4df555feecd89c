// What lint holds: strict types, no promise left alone, and who may import whom (ARCHITECTURE.md). Formatting is prettier's.
import { readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const adapters = readdirSync(new URL('src/adapters', import.meta.url));

/** Modules of Node that only calculate; every other one touches the world. */
const pureModules = [
  'assert',
  'buffer',
  'crypto',
  'path',
  'path/posix',
  'querystring',
  'string_decoder',
  'url',
  'util',
];
const worldModules = builtinModules.filter((name) => !pureModules.includes(name.replace(/^node:/, '')));
const worldPackages = ['@agentclientprotocol/sdk', 'better-sqlite3', 'chokidar', 'fdir', 'neovim'];

/** @param {string[]} folders */
const ours = (folders) => folders.map((name) => (name.endsWith('.ts') ? `**/${name}` : `**/${name}/**`));

const outside = ['test', 'bench', 'scripts'];
const noWorld = {
  paths: [...worldModules.flatMap((name) => [name, `node:${name}`]), ...worldPackages].map((name) => ({
    name,
    message: 'Only adapters touch the world; describe what is needed in core/ports.ts.',
  })),
};

/**
 * @param {{ from: string, not: string[], why: string, world?: boolean }} rule
 * @returns {import('eslint').Linter.Config}
 */
const direction = ({ from, not, why, world = true }) => ({
  name: `direction of ${from}`,
  files: [from],
  rules: {
    'no-restricted-imports': [
      'error',
      { ...(world ? {} : noWorld), patterns: [{ group: ours([...not, ...outside]), message: why }] },
    ],
  },
});

/** A neighbour is reached by `../name/`, from a folder of the adapter's own by more dots. @param {string} name */
const adapterDirection = (name) => {
  const others = adapters.filter((other) => other !== name).join('|');
  return {
    name: `direction of adapter ${name}`,
    files: [`src/adapters/${name}/**`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ours(['app', 'demo-agent', 'main.ts', ...outside]), message: 'An adapter knows core and itself.' },
            { regex: `^(\\.\\./)+(adapters/)?(${others})/`, message: 'Adapters never import each other.' },
          ],
        },
      ],
    },
  };
};

/** The clock and chance are ports: core gives the same answer to the same question, always. */
const pureOnly = {
  name: 'core is pure',
  files: ['src/core/**'],
  rules: {
    'no-restricted-globals': ['error', 'setTimeout', 'setInterval', 'setImmediate', 'process', 'fetch', 'performance'],
    'no-restricted-properties': [
      'error',
      { object: 'Date', property: 'now', message: 'The time is passed in.' },
      { object: 'Math', property: 'random', message: 'Ids are passed in.' },
    ],
    'no-restricted-syntax': [
      'error',
      { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: 'The time is passed in.' },
    ],
  },
};

export default defineConfig(
  { ignores: ['.deps/', '**/dist/', 'src/generated/', 'test/fixtures/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', 'scripts/**/*.mjs'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-control-regex': 'error',
      // Numbers read well in a text, and what answers nothing may end with a call that answers nothing.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
    },
  },
  {
    name: 'scripts trust the JSON they wrote',
    files: ['scripts/**'],
    rules: Object.fromEntries(
      ['argument', 'assignment', 'call', 'member-access', 'return'].map((what) => [
        `@typescript-eslint/no-unsafe-${what}`,
        'off',
      ]),
    ),
  },
  { name: 'tests look for control characters', files: ['test/**'], rules: { 'no-control-regex': 'off' } },
  {
    name: 'no assertions where types decide',
    files: ['src/**/*.ts'],
    ignores: ['src/adapters/**'],
    rules: { '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }] },
  },
  { name: 'standard output is the wire', files: ['src/**'], rules: { 'no-console': 'error' } },
  direction({
    from: 'src/core/**',
    not: ['app', 'adapters', 'demo-agent', 'main.ts'],
    why: 'core imports nothing of ours.',
    world: false,
  }),
  direction({
    from: 'src/app/**',
    not: ['adapters', 'demo-agent', 'main.ts', 'generated'],
    why: 'app knows core only; adapters reach it through core/ports.ts.',
    world: false,
  }),
  direction({
    from: 'src/demo-agent/**',
    not: ['core', 'app', 'adapters', 'main.ts', 'generated'],
    why: 'The demo agent is a program of its own.',
  }),
  ...adapters.map(adapterDirection),
  pureOnly,
);

// How the Node side is bundled: what the host needs for its first answer in one file, the rest in chunks loaded when needed.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';

const nothing = fileURLToPath(new URL('scripts/lib/nothing.cjs', import.meta.url));

export default defineConfig({
  entry: { host: 'src/main.ts', 'demo-agent': 'src/demo-agent/main.ts' },
  outDir: 'rplugin/node/sidekicks/dist',
  format: 'cjs',
  target: 'node22',
  platform: 'node',
  splitting: true,
  // `import.meta.url` of packages that are ES modules.
  shims: true,
  // A program in a folder of its own: it ships with all it needs but the one package that holds machine code.
  noExternal: [/^(?!better-sqlite3)/],
  external: ['better-sqlite3'],
  clean: false,
  esbuildOptions(options) {
    options.legalComments = 'none';
    // Else the tool behind esbuild replaces them by calls with a closure for every step, which shows in every hot loop.
    options.supported = { 'nullish-coalescing': false, 'optional-chain': false };
    // The `neovim` package loads a logger we never use, and with it 40 ms of packages.
    options.alias = { winston: nothing };
  },
});

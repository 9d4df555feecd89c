// Writes what is derived from the TypeScript sources: validators, LuaCATS types, texts for Lua, the help's tables.
//   node scripts/generate.mjs           writes what changed
//   node scripts/generate.mjs --check   writes nothing; fails naming the files that differ
import { readFile, writeFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { configValidator, configValidatorTypes } from './generate/config-validator.mjs';
import { luaTypes } from './generate/lua-types.mjs';
import { luaTexts } from './generate/lua-texts.mjs';
import { helpTables } from './generate/help-tables.mjs';
import { validators, validatorTypes } from './generate/validators.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Every generated file: its path, and its content given what stands there now. Those in src/generated are not kept in git. */
const files = [
  { path: 'src/generated/validators.js', make: validators },
  { path: 'src/generated/validators.d.ts', make: validatorTypes },
  { path: 'src/generated/config-validator.js', make: configValidator },
  { path: 'src/generated/config-validator.d.ts', make: configValidatorTypes },
  { path: 'lua/sidekicks/types.lua', make: luaTypes },
  { path: 'lua/sidekicks/texts.lua', make: luaTexts },
  { path: 'doc/sidekicks.txt', make: (/** @type {string} */ now) => helpTables(now, 'en') },
  { path: 'doc/sidekicks.frx', make: (/** @type {string} */ now) => helpTables(now, 'fr') },
];

const check = process.argv.includes('--check');
const stale = [];
for (const file of files) {
  const target = path.join(root, file.path);
  const now = await readFile(target, 'utf8').catch(() => '');
  const content = file.make(now);
  if (content === now) continue;
  stale.push(file.path);
  if (check && !file.path.startsWith('src/generated/')) continue;
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, content);
}
const wrong = stale.filter((file) => !file.startsWith('src/generated/'));
if (check && wrong.length > 0) {
  console.error(`not up to date: ${wrong.join(', ')}; run npm run generate`);
  process.exit(1);
}

// The remote plugin's door: started by the plugin itself it runs the built host, with the code that an earlier run compiled
// for it. It knows nothing of what the host does.
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { wrap } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const dist = join(__dirname, 'dist');
// Node's own cache of this kind holds a file as it is before it has run: what a start calls, every start would compile again.
const cache = join(dist, '.compile-cache');
/** By then a start is over. Much later V8 has dropped what only a start needs. */
const keepAfterMs = 3000;
/** What has run since compiled code was kept last. */
const ran = [];
const modules = new Map();

function compile(name) {
  const filename = join(dist, name);
  // V8 rejects what another version compiled, but takes another text of the same length for the same.
  const { size, mtimeMs } = statSync(filename);
  const kept = join(cache, `${name}.${size}.${mtimeMs}`);
  const script = new Script(wrap(readFileSync(filename, 'utf8')), { filename, cachedData: readKept(kept) });
  ran.push({ script, kept, isNew: script.cachedDataRejected !== false });
  return script.runInThisContext();
}

function readKept(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined; // not kept yet
  }
}

function load(name) {
  const known = modules.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  try {
    compile(name).call(module.exports, module.exports, requireHere, module, join(dist, name), dist);
  } catch (error) {
    modules.delete(name); // half of it would be taken for the whole
    throw error;
  }
  return module.exports;
}

const requireHere = (id) => (id.startsWith('./') ? load(id.slice(2)) : require(id));
requireHere.resolve = require.resolve;

/** A run that needed more than those before it has also compiled more of the files they knew. */
function keepCompiled() {
  const scripts = ran.splice(0);
  if (!scripts.some(({ isNew }) => isNew)) return;
  try {
    mkdirSync(cache, { recursive: true });
    for (const { script, kept } of scripts) {
      const beside = `${kept}.${process.pid}`;
      writeFileSync(beside, script.createCachedData());
      renameSync(beside, kept);
    }
  } catch {
    // The folder cannot be written to: every start compiles for itself.
  }
}

if (require.main === module) {
  setTimeout(keepCompiled, keepAfterMs).unref();
  process.on('exit', keepCompiled);
  load('host.cjs');
}

// A host shared by all of a user's Node plugins finds this folder too (`:UpdateRemotePlugins`); there is nothing for it here.
module.exports = () => undefined;

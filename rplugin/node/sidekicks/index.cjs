// The remote plugin's door: started by the plugin itself it loads the built host; it holds no logic.
const { join } = require('node:path');

const dist = join(__dirname, 'dist');

if (require.main === module) {
  // Compiled code kept from the last run saves some 10 ms at every start, if this comes before anything is loaded.
  require('node:module').enableCompileCache?.(join(dist, '.compile-cache'));
  require(join(dist, 'host.cjs'));
}

// A host shared by all of a user's Node plugins finds this folder too (`:UpdateRemotePlugins`); there is nothing for it here.
module.exports = () => undefined;

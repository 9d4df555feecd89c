// The entry of every npm script: `node scripts/run.mjs NAME [arguments]` runs `main` of NAME.mjs beside it.
import './lib/check-node.mjs';

const [name, ...args] = process.argv.slice(2);
void Promise.all([import('./lib/failure.mjs'), import(`./${name}.mjs`)]).then(([{ runMain }, { main }]) =>
  runMain(() => main(args)),
);

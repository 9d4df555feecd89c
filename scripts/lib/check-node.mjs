// Refuses a Node that is too old for the scripts; imported before anything else, so it must parse on very old ones too.
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  process.stderr.write(
    'Node ' +
      process.versions.node +
      ' is too old: install Node 20 or newer with npm, then run the same command again.\n',
  );
  process.exit(1);
}

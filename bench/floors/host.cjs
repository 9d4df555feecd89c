// Owns: the floor of the first answer, a host that speaks msgpack-RPC and nothing else. Must not: load a package.
process.stdin.on('data', (message) => {
  // A request is an array of type, number, name and parameters; its answer one of type 1, the number, nil and true.
  process.stdout.write(Buffer.from([0x94, 0x01, message[2], 0xc0, 0xc3]));
});
process.stdin.on('end', () => process.exit(0));

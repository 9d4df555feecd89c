#!/usr/bin/env node
// Owns: the start of the scripted agent, a fake that does what it is told, badly too (see README.md).
// Must not: know a single operation; those stand in lib/.
import { ScriptedAgent } from './lib/agent.mjs';
import { parseOptions } from './lib/options.mjs';
import { prepareProcess } from './lib/process.mjs';
import { runSignIn } from './lib/sign-in.mjs';
import { Wire } from './lib/wire.mjs';

const options = parseOptions(process.argv.slice(2));
if (options.signIn) runSignIn(options.signIn);
else speak();

function speak() {
  prepareProcess(options);
  const wire = new Wire({
    log: options.log,
    split: options.split,
    pause: options.splitPause,
    keepOnEof: options.ignoreEof,
  });
  const agent = new ScriptedAgent(options, wire);
  wire.listen((message) => agent.receive(message));
}

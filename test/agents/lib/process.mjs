// Owns: the scripted agent as a process: its signals, children and pid file. Must not: speak the protocol.
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';

export function prepareProcess(options) {
  if (options.info) writeFileSync(options.info, JSON.stringify(processInfo()));
  notePid(options.pids, 'agent', process.pid);
  if (options.ignoreSigterm) {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
  }
  for (const line of options.stderr) process.stderr.write(`${line}\n`);
  if (options.child) startChild(options.pids, false);
  if (options.childDetached) startChild(options.pids, true);
  // Ignoring the end of input needs something that keeps the process alive.
  if (options.ignoreEof) setInterval(() => {}, 60_000);
}

const processInfo = () => ({
  pid: process.pid,
  ppid: process.ppid,
  cwd: process.cwd(),
  args: process.argv.slice(2),
  env: process.env,
});

/** A child that outlives us unless it is killed; detached means in a session and group of its own. */
export function startChild(pids, detached, command = 'sleep', args = ['600']) {
  const child = spawn(command, args, { stdio: 'ignore', detached });
  child.on('error', (error) => process.stderr.write(`child: ${error.message}\n`));
  child.unref();
  notePid(pids, detached ? 'detached' : 'child', child.pid);
  return child;
}

function notePid(file, who, pid) {
  if (file && pid) appendFileSync(file, `${who} ${pid}\n`);
}

// Runs other programs, quietly or in the foreground; it knows none of them.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** @typedef {{ code: number, stdout: string, stderr: string, missing: boolean }} Outcome */
/** @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv }} RunOptions */

/**
 * Runs a program without input and gathers what it prints.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Outcome>}
 */
export const run = (program, args, options = {}) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => (stderr += text));
    child.on('error', (error) => resolve({ code: 127, stdout, stderr: error.message, missing: true }));
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr, missing: false }));
  });

/** @type {readonly NodeJS.Signals[]} */
const passedOn = ['SIGTERM', 'SIGHUP'];

/**
 * Runs a program with this one's terminal and gives its exit status.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>}
 */
export const runInForeground = (program, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: 'inherit' });
    // The terminal sends SIGINT to the program too, and what it means is the program's business.
    process.on('SIGINT', () => undefined);
    for (const signal of passedOn) process.on(signal, () => child.kill(signal));
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });

/**
 * The last lines a program printed, for a message.
 * @param {Outcome} outcome
 * @param {number} [count]
 */
export const lastLines = ({ stdout, stderr }, count = 6) =>
  `${stdout}\n${stderr}`
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .join('\n');

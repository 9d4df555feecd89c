// The set-up as a person meets it: what it says, what it does once and what again, and how it fails.
import { afterEach, expect, it, vi } from 'vitest';
import { Project } from './project.ts';
import type { Outcome } from './run.ts';

const made: Project[] = [];
afterEach(() => {
  for (const project of made.splice(0)) project.remove();
});

function newProject(): Project {
  const project = new Project();
  made.push(project);
  return project;
}

/** Without the seconds, which differ. */
const lines = ({ stdout }: Outcome): string[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/\d+\.\d s$/, 'N s').replace(/\s+/g, ' '));

async function ready(): Promise<Project> {
  const project = newProject();
  expect(await project.setup().ended).toMatchObject({ code: 0, stderr: '' });
  return project;
}

it('says each step and the time it took, and does nothing the second time', async () => {
  const project = newProject();
  const first = await project.setup().ended;
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(lines(first)).toEqual([
    'packages installing what package-lock.json names … N s',
    'node already there',
    'host building the Node side … N s',
  ]);
  const second = await project.setup().ended;
  expect(lines(second)).toEqual(['packages already there', 'node already there', 'host already built']);
  expect(project.npmCalls()).toEqual(['begin ci', 'end ci']);
  expect(project.has('.deps/tmp')).toBe(false);
  expect(project.has('.deps/setup.lock')).toBe(false);
});

it('installs again when the lock file names another version', async () => {
  const project = await ready();
  project.lock('2.0.0');
  const again = await project.setup().ended;
  expect(lines(again)).toContain('packages installing what package-lock.json names … N s');
});

it('keeps the packages that are there when the new ones cannot be fetched', async () => {
  const project = await ready();
  project.lock('2.0.0');
  expect((await project.setup({ NPM_FAILS: 'npm error code ENOTFOUND' }).ended).code).toBe(1);
  expect(project.has('node_modules/tsup/dist/cli-default.js')).toBe(true);
});

it('builds again when a source changed, and keeps what a running host may still load', async () => {
  const project = await ready();
  project.write('src/main.ts', 'second');
  expect(lines(await project.setup().ended)).toContain('host building the Node side … N s');
  expect(project.has('rplugin/node/sidekicks/dist/lazy-first.cjs')).toBe(true);
  project.write('src/main.ts', 'third');
  await project.setup().ended;
  expect(project.has('rplugin/node/sidekicks/dist/lazy-first.cjs')).toBe(false);
  expect(project.has('rplugin/node/sidekicks/dist/lazy-second.cjs')).toBe(true);
  expect(project.has('rplugin/node/sidekicks/dist/lazy-third.cjs')).toBe(true);
});

it('leaves the built host alone when the new one cannot be built', async () => {
  const project = await ready();
  project.write('src/main.ts', 'broken');
  const { code, stderr } = await project.setup().ended;
  expect(code).toBe(1);
  expect(stderr).toBe('The host could not be built:\nsrc/main.ts: this is broken\n');
  expect(project.has('rplugin/node/sidekicks/dist/lazy-first.cjs')).toBe(true);
  project.write('src/main.ts', 'first');
  expect(lines(await project.setup().ended)).toContain('host already built');
});

it('is one at a time: a second one waits and finds everything done', async () => {
  const project = newProject();
  const both = [project.setup({ NPM_TAKES: '500' }), project.setup({ NPM_TAKES: '500' })];
  const outcomes = await Promise.all(both.map(({ ended }) => ended));
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
  expect(project.npmCalls()).toEqual(['begin ci', 'end ci']);
  const told = outcomes.map(lines);
  expect(told.filter((said) => said.includes('set-up waiting for another one to end'))).toHaveLength(1);
  expect(told.filter((said) => said.includes('packages already there'))).toHaveLength(1);
});

it('is repaired by the next one when it was killed at work', async () => {
  const project = newProject();
  const killed = project.setup({ NPM_TAKES: '60000' });
  await vi.waitFor(() => {
    expect(project.npmCalls()).toEqual(['begin ci']);
  });
  process.kill(-killed.pid, 'SIGKILL');
  const next = await project.setup().ended;
  expect(next).toMatchObject({ code: 0, stderr: '' });
  expect(lines(next)).not.toContain('set-up waiting for another one to end');
  await killed.ended;
});

it.each([
  ['no network', 'npm error code EAI_AGAIN\nnpm error request failed', ['no network (EAI_AGAIN)', 'npm run setup']],
  ['something else', 'npm error code ENOSPC\nnpm error no space left', ['no space left', 'npm run setup']],
])('says what is wrong and what to do: %s', async (_what, said, expected) => {
  const { code, stderr } = await newProject().setup({ NPM_FAILS: said }).ended;
  expect(code).toBe(1);
  for (const text of expected) expect(stderr).toContain(text);
  expect(stderr).not.toMatch(/^\s+at /m);
});

it('says so when there is no npm', async () => {
  const { code, stderr } = await newProject().setup({ PATH: '/nowhere' }).ended;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'npm is not on PATH: install Node 20 or newer with npm, then run this again.\n',
  });
});

it('refuses a Node that is too old before it does anything', async () => {
  const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '18.20.0' } })`;
  const project = newProject();
  const { code, stdout, stderr } = await project.setup({ NODE_OPTIONS: `--import="${old}"` }).ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe('Node 18.20.0 is too old: install Node 20 or newer with npm, then run the same command again.\n');
  expect(project.npmCalls()).toEqual([]);
});

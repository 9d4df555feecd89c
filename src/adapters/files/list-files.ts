// Lists every file of a folder of this computer that may be worth naming. Keeps nothing.
import * as path from 'node:path';

/** So many at most where git does not choose them. */
const maxFiles = 200_000;

/** What git would consider, where the folder is in a git work tree; else every file but the usual heaps. */
export async function listFiles(folder: string): Promise<string[]> {
  const listed = await gitFiles(folder);
  return listed ?? (await walk(folder));
}

async function gitFiles(folder: string): Promise<string[] | undefined> {
  // Loading it takes longer than all of this file, and the first answer would wait for it.
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const args = ['-C', folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
    const git = spawn('git', args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    });
    const chunks: Buffer[] = [];
    git.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    git.on('error', () => {
      resolve(undefined); // no git here: the walk serves
    });
    git.on('close', (code) => {
      resolve(code === 0 ? Buffer.concat(chunks).toString().split('\0').filter(Boolean) : undefined);
    });
  });
}

async function walk(folder: string): Promise<string[]> {
  const { fdir } = await import('fdir');
  const heaps = new Set(['.git', 'node_modules', '.hg', '.svn']);
  const files = await new fdir()
    .withRelativePaths()
    .withMaxFiles(maxFiles)
    .exclude((name) => heaps.has(name))
    .crawl(folder)
    .withPromise();
  return files.map((file) => file.split(path.sep).join('/'));
}

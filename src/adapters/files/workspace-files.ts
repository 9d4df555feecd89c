// The files of a workspace: listed once for completion, cached, searched here so that the editor never waits (SPEC section 16).
import * as path from 'node:path';
import type { Log, WorkspaceFiles } from '../../core/ports.ts';
import { spelledPath } from './find-file.ts';

/** A list older than this is read again in the background while the old one serves. */
const freshMs = 5000;
const maxFiles = 200_000;

interface Listing {
  files: readonly string[];
  /** The same files in the form the search wants. */
  readonly targets: unknown[];
  at: number;
  reading: Promise<void> | undefined;
}

export function workspaceFiles(log: Log, now: () => number): WorkspaceFiles {
  const listings = new Map<string, Listing>();

  async function refresh(folder: string, listing: Listing): Promise<void> {
    try {
      listing.files = (await listFiles(folder)).slice(0, maxFiles);
      listing.targets.length = 0;
    } catch (cause) {
      log.write(`the files of ${folder} could not be listed`, cause);
    }
    listing.at = now();
    listing.reading = undefined;
  }

  function listingOf(folder: string): Listing {
    const listing = listings.get(folder) ?? { files: [], targets: [], at: 0, reading: undefined };
    listings.set(folder, listing);
    if (!listing.reading && now() - listing.at > freshMs) listing.reading = refresh(folder, listing);
    return listing;
  }

  return {
    spelled: spelledPath,
    async diff(folder, maxBytes) {
      const { gitDiff } = await import('./git-diff.ts');
      return gitDiff(folder, maxBytes);
    },
    async find(folder, query, limit) {
      const listing = listingOf(folder);
      const first = listing.at === 0;
      if (first) await listing.reading;
      return { files: await search(listing, query, limit), complete: true };
    },
  };
}

async function search(listing: Listing, query: string, limit: number): Promise<readonly string[]> {
  if (query === '') return shallowFirst(listing.files).slice(0, limit);
  const { default: fuzzysort } = await import('fuzzysort');
  if (listing.targets.length === 0) listing.targets.push(...listing.files.map((file) => fuzzysort.prepare(file)));
  const found = fuzzysort.go(query, listing.targets as ReturnType<typeof fuzzysort.prepare>[], { limit });
  return found.map((result) => result.target);
}

const depth = (file: string): number => file.split('/').length;
const shallowFirst = (files: readonly string[]): string[] =>
  [...files].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));

/** What git would consider, where the folder is in a git work tree; else every file but the usual heaps. */
async function listFiles(folder: string): Promise<string[]> {
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

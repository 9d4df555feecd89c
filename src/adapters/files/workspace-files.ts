// The files of workspaces for completion: lists that are kept, and searched here so that the editor never waits (SPEC section 16).
import type { Result } from '../../core/errors.ts';
import type { Log, WorkspaceFiles } from '../../core/ports.ts';
import { spelledPath } from './find-file.ts';

/** A list older than this is read again in the background while the old one serves. */
const freshMs = 5000;
const maxFiles = 200_000;

type List = () => Promise<Result<readonly string[]>>;

interface Listing {
  files: readonly string[];
  /** The same files in the form the search wants. */
  readonly targets: unknown[];
  at: number;
  reading: Promise<void> | undefined;
}

export function workspaceFiles(log: Log, now: () => number): WorkspaceFiles {
  const listings = new Map<string, Listing>();

  async function refresh(workspace: string, list: List, listing: Listing): Promise<void> {
    const listed = await list();
    if (listed.ok) {
      listing.files = listed.value.slice(0, maxFiles);
      listing.targets.length = 0;
    } else {
      log.write(`the files of ${workspace} could not be listed: ${listed.error.text}`, listed.error.cause);
    }
    listing.at = now();
    listing.reading = undefined;
  }

  function listingOf(workspace: string, list: List): Listing {
    const listing = listings.get(workspace) ?? { files: [], targets: [], at: 0, reading: undefined };
    listings.set(workspace, listing);
    if (!listing.reading && now() - listing.at > freshMs) listing.reading = refresh(workspace, list, listing);
    return listing;
  }

  return {
    spelled: spelledPath,
    async diff(folder, maxBytes) {
      const { gitDiff } = await import('./git-diff.ts');
      return gitDiff(folder, maxBytes);
    },
    async find(workspace, list, query, limit) {
      const listing = listingOf(workspace, list);
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

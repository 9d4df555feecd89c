// Finds the files a message names: on disk, in a buffer never written, or through the agent's container, inside the workspace
// (SPEC section 6). Reads none but the last, which are brought whole.
import { fail, ok, type Failure, type Result } from '../core/errors.ts';
import type { Disk, Editor, WorkspaceFiles } from '../core/ports.ts';
import type { Range } from '../core/hidden-text.ts';
import { namedFiles, type Candidates, type NamedFile } from '../core/prompt/reading.ts';
import { insideWorkspace } from '../core/workspace.ts';

/** Whose files a message names, as its conversation decides (SPEC 6). */
export interface FilePlace {
  /** The direct agent; in a channel the first mentioned agent, else the first member; "" where there is none. */
  readonly agent: string;
  /** The folder that agent works in. */
  readonly workspace: string;
  /** Where the text mentions agents of the conversation: these are no files. */
  readonly mentions: readonly Range[];
  /** A command is sent alone: it names no file. */
  readonly isCommand: boolean;
}

export interface FoundFile {
  readonly file: NamedFile;
  /** Absolute, links resolved, inside the workspace. */
  readonly path: string;
  readonly size: number;
  /** Of a file that only the agent's container or sandbox has; `path` is then what it would be called here. */
  readonly bytes?: Uint8Array;
}

/** A file that can be nothing else was named, and cannot be attached. */
export interface Unfound {
  readonly file: NamedFile;
  readonly why: Failure;
}

export interface Named {
  /** In the order of the text. */
  readonly found: readonly FoundFile[];
  readonly unfound: readonly Unfound[];
}

export interface FilesPorts {
  readonly editor: Editor;
  readonly disk: Disk;
  readonly files: Pick<WorkspaceFiles, 'spelled'>;
  readonly readInside: ReadInside;
}

/** Reads a file that only the container or sandbox of an agent has; undefined where all its files are on this computer. */
export type ReadInside = (place: FilePlace, path: string) => Promise<Result<Uint8Array> | undefined>;

export async function findNamedFiles(ports: FilesPorts, text: string, place: FilePlace): Promise<Named> {
  const named = namedFiles(text, place.mentions);
  const found: FoundFile[] = [];
  const unfound: Unfound[] = [];
  if (named.length === 0) return { found, unfound };
  const look = lookOnce(ports, place);
  for (const candidates of named) {
    const result = await firstFound(candidates, look);
    if (result && 'why' in result) unfound.push(result);
    else if (result) found.push(result);
  }
  return { found, unfound };
}

type Look = (path: string) => Promise<Result<Omit<FoundFile, 'file'>>>;

async function firstFound(candidates: Candidates, look: Look): Promise<FoundFile | Unfound | undefined> {
  for (const file of candidates) {
    const found = await look(file.path);
    if (found.ok) return { file, ...found.value };
    if (file.certain) return { file, why: found.error };
  }
  return undefined;
}

/** A name that stands in a text a thousand times is looked for once. */
function lookOnce(ports: FilesPorts, place: FilePlace): Look {
  const looked = new Map<string, ReturnType<Look>>();
  return (path) => {
    const known = looked.get(path) ?? lookBoth(ports, place, path);
    looked.set(path, known);
    return known;
  };
}

/** What is here comes first: an open buffer is as it is on screen. */
async function lookBoth(ports: FilesPorts, place: FilePlace, path: string): ReturnType<Look> {
  const here = await locate(ports, place.workspace, path);
  if (here.ok || here.error.code !== 'not-found') return here;
  const inside = await ports.readInside(place, path);
  if (!inside || (!inside.ok && inside.error.code === 'not-found')) return here;
  if (!inside.ok) return unattachable(inside.error);
  return ok({ path: `${place.workspace}/${path}`, size: inside.value.length, bytes: inside.value });
}

async function locate({ editor, disk, files }: FilesPorts, workspace: string, named: string): ReturnType<Look> {
  if (named.includes('\0')) return fail('not-found', 'attach.missing');
  const [root, path] = await Promise.all([
    disk.resolve(workspace),
    files.spelled(workspace, named).then((spelled) => disk.resolve(spelled)),
  ]);
  if (!root.ok) return unattachable(root.error);
  if (!path.ok) return unattachable(path.error);
  if (!insideWorkspace(root.value, path.value).ok) return fail('refused', 'attach.outside', { workspace });
  const size = await disk.fileSize(path.value);
  if (size.ok) return ok({ path: path.value, size: size.value });
  const buffer = await editor.readBuffer(path.value);
  if (!buffer.ok || !buffer.value) return unattachable(size.error);
  return ok({ path: path.value, size: Buffer.byteLength(buffer.value.text) });
}

/** The failure without the path, which stands before it where it is told. */
export function unattachable(failure: Failure): { readonly ok: false; readonly error: Failure } {
  const { code, text, values, cause } = failure;
  switch (text) {
    case 'file.missing':
    case 'workspace.missing':
    case 'file.parentIsFile':
      return fail('not-found', 'attach.missing', undefined, cause);
    case 'file.folder':
      return fail('invalid', 'attach.folder', undefined, cause);
    case 'file.notRegular':
      return fail('invalid', 'attach.special', undefined, cause);
    case 'file.tooLarge':
      return fail('limit', 'attach.tooLarge', { limit: values?.['limit'] ?? '' }, cause);
    case 'file.denied':
    case 'file.failed':
      return fail(code, 'attach.unusable', { what: values?.['what'] ?? '' }, cause);
    default:
      return { ok: false, error: failure };
  }
}

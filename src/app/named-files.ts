// Finds the files a message names: on disk or in a buffer never written, inside the workspace (SPEC section 6). Reads none.
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
}

export async function findNamedFiles(ports: FilesPorts, text: string, place: FilePlace): Promise<Named> {
  const named = namedFiles(text, place.mentions);
  const found: FoundFile[] = [];
  const unfound: Unfound[] = [];
  if (named.length === 0) return { found, unfound };
  const look = lookOnce(ports, place.workspace);
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
function lookOnce(ports: FilesPorts, workspace: string): Look {
  const looked = new Map<string, ReturnType<Look>>();
  return (path) => {
    const known = looked.get(path) ?? locate(ports, workspace, path);
    looked.set(path, known);
    return known;
  };
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

// Makes a file of this computer one that a message can name: in place where it lies in the workspace, else as a copy (SPEC 11).
import { fail, ok, type Result } from '../core/errors.ts';
import type { Disk, WorkspaceFiles } from '../core/ports.ts';
import { maxFileBytes } from '../core/prompt/blocks.ts';
import { absolutePath, insideWorkspace } from '../core/workspace.ts';

const folderName = 'attachments';

export interface AttachPorts {
  readonly disk: Disk;
  readonly files: Pick<WorkspaceFiles, 'spelled'>;
}

/** The path to write after `$`. */
export async function attach(
  { disk, files }: AttachPorts,
  workspace: string,
  hostPath: string,
): Promise<Result<string>> {
  const absolute = absolutePath(hostPath);
  if (!absolute.ok) return absolute;
  const root = await disk.resolve(workspace);
  if (!root.ok) return root;
  const source = await files.spelled('/', absolute.value);
  const path = await disk.resolve(source);
  if (!path.ok) return path;
  const size = await disk.fileSize(path.value);
  if (!size.ok) return size;
  if (insideWorkspace(root.value, path.value).ok) return ok(relative(root.value, path.value));
  if (size.value > maxFileBytes) {
    return fail('limit', 'file.tooLarge', { path: hostPath, limit: `${maxFileBytes >> 20} MB` });
  }
  return copy(disk, root.value, source);
}

async function copy(disk: Disk, root: string, source: string): Promise<Result<string>> {
  const folder = await disk.resolve(`${root}/${folderName}`);
  if (!folder.ok) return folder;
  const inside = insideWorkspace(root, folder.value);
  if (!inside.ok) return inside;
  const copied = await disk.copyIn(source, folder.value);
  return copied.ok ? ok(relative(root, copied.value)) : copied;
}

const relative = (root: string, path: string): string => path.slice(root.endsWith('/') ? root.length : root.length + 1);

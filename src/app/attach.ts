// Makes a file of this computer one that a message can name: in place where it lies in the workspace, else as a copy (SPEC 11).
import { fail, ok, type Result } from '../core/errors.ts';
import type { Disk, Workspace, WorkspaceFiles } from '../core/ports.ts';
import { maxFileBytes } from '../core/prompt/blocks.ts';
import { absolutePath } from '../core/workspace.ts';

const folderName = 'attachments';

export interface AttachPorts {
  readonly disk: Disk;
  readonly files: Pick<WorkspaceFiles, 'spelled'>;
  readonly workspace: Pick<Workspace, 'inPlace' | 'copyIn'>;
}

/** The path to write after `$`. */
export async function attach({ disk, files, workspace }: AttachPorts, hostPath: string): Promise<Result<string>> {
  const absolute = absolutePath(hostPath);
  if (!absolute.ok) return absolute;
  const source = await files.spelled('/', absolute.value);
  const path = await disk.resolve(source);
  if (!path.ok) return path;
  const size = await disk.fileSize(path.value);
  if (!size.ok) return size;
  const there = await workspace.inPlace(path.value);
  if (!there.ok) return there;
  if (there.value !== undefined) return ok(there.value);
  if (size.value > maxFileBytes) {
    return fail('limit', 'file.tooLarge', { path: hostPath, limit: `${maxFileBytes >> 20} MB` });
  }
  return workspace.copyIn(source, folderName);
}

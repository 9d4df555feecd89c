// Which paths belong to a workspace (SPEC sections 9 and 11). Pure: paths come resolved.
import { fail, ok, type Result } from './errors.ts';

/** Both paths absolute with every link resolved; `app-old` is not in `app`. */
export function insideWorkspace(workspace: string, path: string): Result<string> {
  const root = workspace.endsWith('/') ? workspace : `${workspace}/`;
  return path === workspace || path.startsWith(root) ? ok(path) : fail('refused', 'file.outside', { path, workspace });
}

export function absolutePath(path: string): Result<string> {
  return path.startsWith('/') && !path.includes('\0') ? ok(path) : fail('invalid', 'file.relative', { path });
}

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

/** Where a workspace is for the host and for an agent that runs elsewhere (`runtime.workspacePath`, SPEC 3). */
export interface PathMap {
  readonly host: string;
  readonly agent: string;
}

/** The host's path of what an agent names; refused outside its workspace. */
export const toHostPath = ({ host, agent }: PathMap, path: string): Result<string> => moved(path, agent, host);

/** The agent's path of a file of the host; refused outside the workspace. */
export const toAgentPath = ({ host, agent }: PathMap, path: string): Result<string> => moved(path, host, agent);

function moved(path: string, from: string, to: string): Result<string> {
  const absolute = absolutePath(path);
  if (!absolute.ok) return absolute;
  const start = withoutDots(from);
  const inside = insideWorkspace(start, withoutDots(path));
  if (!inside.ok) return inside;
  const rest = inside.value.slice(start.length).replace(/^\//, '');
  const target = withoutDots(to);
  return ok(rest === '' ? target : `${target === '/' ? '' : target}/${rest}`);
}

/** Names alone are known of a path elsewhere: `..` goes up by name, before anything is compared. */
function withoutDots(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

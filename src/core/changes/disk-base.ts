// What a file was before an agent's tool wrote it, as far as the tool's own diff tells. Pure.
import type { ToolPatch } from '../ports.ts';

export type ToolDiff = NonNullable<ToolPatch['diffs']>[number];

/**
 * The text before a diff that may have been carried out already. Agents give the whole file or only a part of it, so the new
 * part is looked for, and replaced only where it stands once (ACP.md 5.3). Undefined: there was no file.
 */
export function textBefore(onDisk: string | undefined, { oldText, newText, newFile }: ToolDiff): string | undefined {
  if (onDisk === undefined || newText === oldText) return onDisk;
  if (newFile) return onDisk === newText ? undefined : onDisk;
  if (onDisk === newText) return oldText;
  const isThere = newText !== '' && onDisk.includes(newText);
  // Where the old part contains the new one, finding the new one says nothing.
  if (!isThere || (oldText !== '' && onDisk.includes(oldText))) return onDisk;
  const at = onDisk.indexOf(newText);
  if (onDisk.indexOf(newText, at + 1) >= 0) return onDisk;
  return onDisk.slice(0, at) + oldText + onDisk.slice(at + newText.length);
}

// What the bytes of a file are: an image an agent can be shown, text, or neither (SPEC section 6). Pure; reads no file.
import { isBinaryFileSync } from 'isbinaryfile';
import mime from 'mime';

export type FileContent =
  /** `data` in base64. */
  | { readonly kind: 'image'; readonly mimeType: string; readonly data: string }
  /** `text` is left out where it cannot be given exactly, as it is not UTF-8. */
  | { readonly kind: 'text'; readonly mimeType: string; readonly text?: string }
  | { readonly kind: 'other'; readonly mimeType: string };

/** An image is known by its first bytes: a model that is sent something else as one gives up the whole turn. */
const signatures: readonly (readonly [type: string, start: string, rest?: string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  // Its size stands between.
  ['image/webp', 'RIFF', 'WEBP'],
];

export function contentOf(path: string, bytes: Uint8Array): FileContent {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const image = imageType(buffer);
  if (image) return { kind: 'image', mimeType: image, data: buffer.toString('base64') };
  if (isBinaryFileSync(buffer)) return otherContent(path);
  const text = decode(buffer);
  if (text?.includes('\0')) return otherContent(path);
  return { ...textContent(path), ...(text !== undefined && { text }) };
}

/** What can be said of a file that is not read. Images no model is sent (`.ico`, `.tiff`) are files like any other. */
export const otherContent = (path: string): FileContent => ({ kind: 'other', mimeType: mime.getType(path) ?? '' });

export function imageType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return signatures.find(([, first, rest = '']) => start.startsWith(first) && start.slice(8).startsWith(rest))?.[0];
}

const textTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/xml',
  'application/javascript',
  'application/toml',
  'application/yaml',
  'image/svg+xml',
]);

/** Types go by the name alone, so those that are no text (`.ts` is a film elsewhere) are not believed of one. */
export function textContent(path: string, text?: string): Extract<FileContent, { kind: 'text' }> {
  const type = mime.getType(path) ?? '';
  const mimeType = type.startsWith('text/') || textTypes.has(type) ? type : 'text/plain';
  return { kind: 'text', mimeType, ...(text !== undefined && { text }) };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // not UTF-8: it cannot be given exactly
  }
}

/** The type of an image of any kind: by its bytes, or by its name for kinds that are not known by their bytes here. */
export function imageFileType(path: string, bytes: Uint8Array): string | undefined {
  const named = mime.getType(path) ?? '';
  const isSigned = signatures.some(([type]) => type === named);
  return imageType(bytes) ?? (named.startsWith('image/') && !isSigned ? named : undefined);
}

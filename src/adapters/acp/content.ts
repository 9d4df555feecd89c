// Content blocks as text: what is not text is named, never dropped silently (SPEC section 7). Draws nothing.
import { isCount, objectOf, textOf, type Json } from './json.ts';

/** As part of a message: Markdown. */
export function messageText(value: unknown): string {
  const block = objectOf(value);
  switch (block['type']) {
    case 'text':
      return textOf(block['text']);
    case 'resource_link':
      return link(block);
    case 'resource':
      return link(objectOf(block['resource']));
    default:
      return block['type'] === undefined ? '' : `\n${named(block)}\n`;
  }
}

/** As output of a tool: plain text. */
export function outputText(value: unknown): string {
  const block = objectOf(value);
  switch (block['type']) {
    case 'text':
      return textOf(block['text']);
    case 'resource_link':
      return textOf(block['uri']) || named(block);
    case 'resource':
      return resourceText(objectOf(block['resource']));
    default:
      return block['type'] === undefined ? '' : named(block);
  }
}

function resourceText(resource: Json): string {
  const { text } = resource;
  return typeof text === 'string'
    ? text
    : `[${[textOf(resource['uri']), details(resource)].filter(Boolean).join(' ')}]`;
}

const named = (block: Json): string =>
  `[${[oneLine(textOf(block['type'])), details(block)].filter(Boolean).join(' ')}]`;

function details(block: Json): string {
  const data = block['data'] ?? block['blob'];
  const size = typeof data === 'string' ? bytesOfBase64(data) : block['size'];
  return [oneLine(textOf(block['mimeType'])), isCount(size) ? sizeText(size) : ''].filter(Boolean).join(', ');
}

function link(target: Json): string {
  const uri = textOf(target['uri']);
  const name = oneLine(textOf(target['title']) || textOf(target['name']) || nameOf(uri));
  const label = `[${name.replace(/[\\[\]]/g, '\\$&')}]`;
  return uri === '' ? label : `${label}(${uri.replace(/[\s()<>\\]/g, percent)})`;
}

function nameOf(uri: string): string {
  const last = uri.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? uri;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

const percent = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const bytesOfBase64 = (data: string): number => Math.floor((data.replace(/=+$/, '').length * 3) / 4);

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${String(bytes)} B`;
  if (bytes < 1024 ** 2) return `${String(Math.round(bytes / 1024))} KB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

// How the blocks of a prompt are put together, and in which form an agent gets a file (SPEC section 6). Pure.
import type { AgentInfo, PromptBlock } from '../ports.ts';
import type { FileContent } from './content.ts';
import type { NamedFile } from './reading.ts';

/** Most files a message may carry. */
export const maxAttachments = 10;
/** Larger text goes as a link. */
export const maxTextBytes = 1 << 20;
/** Larger files are not read at all. */
export const maxFileBytes = 5 << 20;

/** What stands in the prompt for a name. */
export interface Embedded {
  readonly file: NamedFile;
  readonly block: PromptBlock;
}

/**
 * The text byte for byte; the block of a file named with `@` stands where its name stood, the others follow, `further` last.
 * `embedded` comes in the order of the text.
 */
export function promptBlocks(
  text: string,
  embedded: readonly Embedded[],
  further: readonly PromptBlock[] = [],
): PromptBlock[] {
  const blocks: PromptBlock[] = [];
  let at = 0;
  for (const { file, block } of embedded.filter((one) => one.file.sign === '@')) {
    if (file.start > at) blocks.push({ type: 'text', text: text.slice(at, file.start) });
    blocks.push(block);
    at = file.end;
  }
  if (at < text.length || blocks.length === 0) blocks.push({ type: 'text', text: text.slice(at) });
  const attached = embedded.filter((one) => one.file.sign === '$').map(({ block }) => block);
  return [...blocks, ...attached, ...further];
}

/** What a block says of the file it holds. */
export interface Whereabouts {
  readonly uri: string;
  /** As the message names it. */
  readonly name: string;
  readonly size: number;
}

/** The form an agent gets a file in, by what it announced; undefined for what is neither text nor image. */
export function fileBlock(where: Whereabouts, content: FileContent, can: AgentInfo['prompt']): PromptBlock | undefined {
  const { mimeType } = content;
  if (content.kind === 'other') return undefined;
  if (content.kind === 'image' && can.image) return { type: 'image', data: content.data, mimeType, uri: where.uri };
  if (content.kind === 'text' && can.embeddedContext && content.text !== undefined && fits(content.text)) {
    return { type: 'resource', uri: where.uri, text: content.text, mimeType };
  }
  return linkBlock(where, mimeType);
}

const fits = (text: string): boolean => Buffer.byteLength(text) <= maxTextBytes;

export const linkBlock = ({ uri, name, size }: Whereabouts, mimeType: string): PromptBlock => ({
  type: 'link',
  uri,
  name,
  mimeType,
  size,
});

// Turns a message into the blocks an agent gets: finds the files it names, reads them when the agent's turn comes (SPEC section 6).
import { pathToFileURL } from 'node:url';
import type { Attachment, Message } from '../core/contract/shapes.ts';
import { textOf } from '../core/conversation/messages.ts';
import { readPart } from '../core/edits.ts';
import { fail, ok, type Result } from '../core/errors.ts';
import type { AgentInfo, Disk, Editor, PromptBlock } from '../core/ports.ts';
import { fileMentions, maxAttachments, promptBlocks, type Embedded, type FileMention } from '../core/prompt.ts';
import { insideWorkspace } from '../core/workspace.ts';

/** Larger text goes as a link (SPEC 6). */
const maxTextBytes = 1 << 20;
const maxImageBytes = 5 << 20;
const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

interface NamedFile {
  readonly mention: FileMention;
  /** Absolute, links resolved, inside the workspace. */
  readonly path: string;
  readonly size: number;
}

export class Prompts {
  readonly #editor: Editor;
  readonly #disk: Disk;

  constructor(editor: Editor, disk: Disk) {
    this.#editor = editor;
    this.#disk = disk;
  }

  /** The files a message names, each once; more than ten are refused. */
  async attachments(agent: string, workspace: string, text: string): Promise<Result<Attachment[]>> {
    const named = await this.#named(workspace, text);
    const paths = [...new Set(named.map(({ mention }) => mention.path))];
    if (paths.length > maxAttachments) return fail('limit', 'prompt.tooManyFiles', { limit: maxAttachments });
    return ok(paths.map((path) => ({ agent, path })));
  }

  async blocks(prompt: Message, workspace: string, info: AgentInfo): Promise<PromptBlock[]> {
    const text = textOf(prompt.parts);
    const named = await this.#named(workspace, text);
    const embedded = await Promise.all(
      named.map(async (file): Promise<Embedded> => ({ mention: file.mention, block: await this.#block(file, info) })),
    );
    return promptBlocks(text, embedded);
  }

  async #named(workspace: string, text: string): Promise<NamedFile[]> {
    const found = await Promise.all(
      fileMentions(text).map((candidates) => this.#firstThatExists(workspace, candidates)),
    );
    return found.filter((file) => file !== undefined);
  }

  async #firstThatExists(workspace: string, candidates: readonly FileMention[]): Promise<NamedFile | undefined> {
    for (const mention of candidates) {
      const file = await this.#find(workspace, mention);
      if (file) return file;
    }
    return undefined;
  }

  async #find(workspace: string, mention: FileMention): Promise<NamedFile | undefined> {
    const [root, path] = await Promise.all([
      this.#disk.resolve(workspace),
      this.#disk.resolve(join(workspace, mention.path)),
    ]);
    if (!root.ok || !path.ok || !insideWorkspace(root.value, path.value).ok) return undefined;
    const size = await this.#disk.fileSize(path.value);
    if (size.ok) return { mention, path: path.value, size: size.value };
    const buffer = await this.#editor.readBuffer(path.value);
    return buffer.ok && buffer.value
      ? { mention, path: path.value, size: Buffer.byteLength(buffer.value.text) }
      : undefined;
  }

  /** A file that cannot be embedded goes as a link, so the agent knows which one was meant. */
  async #block(file: NamedFile, info: AgentInfo): Promise<PromptBlock> {
    const image = imageTypes[file.path.slice(file.path.lastIndexOf('.') + 1).toLowerCase()];
    const block = image ? await this.#image(file, image, info) : await this.#text(file, info);
    return block ?? link(file, image ?? '');
  }

  async #image({ path, size }: NamedFile, mimeType: string, info: AgentInfo): Promise<PromptBlock | undefined> {
    if (!info.prompt.image || size > maxImageBytes) return undefined;
    const bytes = await this.#disk.readBytes(path);
    return bytes.ok
      ? { type: 'image', data: Buffer.from(bytes.value).toString('base64'), mimeType, uri: uriOf(path) }
      : undefined;
  }

  async #text({ mention, path, size }: NamedFile, info: AgentInfo): Promise<PromptBlock | undefined> {
    if (!info.prompt.embeddedContext || size > maxTextBytes) return undefined;
    const buffer = await this.#editor.readBuffer(path);
    const text = buffer.ok && buffer.value ? ok(buffer.value.text) : await this.#disk.readText(path);
    if (!text.ok) return undefined;
    const { lines } = mention;
    const part = lines
      ? readPart(text.value, { path, line: lines.first, limit: lines.last - lines.first + 1 })
      : text.value;
    const fragment = lines ? `#L${String(lines.first)}-L${String(lines.last)}` : '';
    return { type: 'resource', uri: uriOf(path) + fragment, text: part, mimeType: '' };
  }
}

const uriOf = (path: string): string => pathToFileURL(path).href;
const join = (folder: string, path: string): string => (path.startsWith('/') ? path : `${folder}/${path}`);

const link = ({ mention, path, size }: NamedFile, mimeType: string): PromptBlock => ({
  type: 'link',
  uri: uriOf(path),
  name: mention.path,
  mimeType,
  size,
});

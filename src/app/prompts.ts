// Turns a message into the blocks an agent gets: the files it names, read when the agent's turn comes, and the contexts it
// asks for, taken when it was sent (SPEC section 6). Decides neither whose files are meant nor who answers.
import { pathToFileURL } from 'node:url';
import type { Attachment, Message } from '../core/contract/shapes.ts';
import { textOf } from '../core/conversation/messages.ts';
import { readPart } from '../core/edits.ts';
import { fail, ok, type Failure, type Result } from '../core/errors.ts';
import type { AgentInfo, PromptBlock, WorkspaceFiles } from '../core/ports.ts';
import {
  fileBlock,
  linkBlock,
  maxAttachments,
  maxFileBytes,
  promptBlocks,
  type Embedded,
  type Whereabouts,
} from '../core/prompt/blocks.ts';
import type { Wording } from '../core/prompt/context.ts';
import type { FileContent } from '../core/prompt/content.ts';
import { Contexts } from './contexts.ts';
import {
  findNamedFiles,
  unattachable,
  type FilePlace,
  type FilesPorts,
  type FoundFile,
  type Named,
} from './named-files.ts';

export type { FilePlace } from './named-files.ts';

/** A message that may be sent. */
export interface Prepared {
  readonly attachments: readonly Attachment[];
  /** Keeps what its contexts hold now, once the message has its id. */
  keep(messageId: string): void;
}

/** A file named with `$` that the agent is not given. */
export interface Unavailable {
  readonly path: string;
  readonly why: Failure;
}

export interface PromptContent {
  readonly blocks: readonly PromptBlock[];
  readonly unavailable: readonly Unavailable[];
}

export interface PromptsPorts extends FilesPorts {
  readonly files: Pick<WorkspaceFiles, 'spelled' | 'diff'>;
  readonly say: Wording;
}

export class Prompts {
  readonly #ports: PromptsPorts;
  readonly #contexts: Contexts;

  constructor(ports: PromptsPorts) {
    this.#ports = ports;
    this.#contexts = new Contexts(ports);
  }

  /** Finds the files of a message, each once, and takes its contexts; more than ten files are refused. */
  async prepare(text: string, place: FilePlace): Promise<Result<Prepared>> {
    const attachments = await this.attachments(text, place);
    if (!attachments.ok) return attachments;
    const taken = await this.#contexts.take(place.isCommand ? '' : text, place.workspace);
    return ok({
      attachments: attachments.value,
      keep: (messageId) => {
        this.#contexts.keep(messageId, taken);
      },
    });
  }

  /** Those that cannot be found stand among them: they may be there when the agent's turn comes. */
  async attachments(text: string, place: FilePlace): Promise<Result<Attachment[]>> {
    if (place.isCommand) return ok([]);
    const { found, unfound } = await findNamedFiles(this.#ports, text, place);
    const files = [...unique(found, pathOf), ...unique(unfound, ({ file }) => file.path)]
      .map(({ file }) => file)
      .sort((a, b) => a.start - b.start);
    if (files.length > maxAttachments) return fail('limit', 'prompt.tooManyFiles', { limit: maxAttachments });
    return ok(files.map(({ path }) => ({ agent: place.agent, path })));
  }

  /** The blocks of a message for an agent, by what it announced; files are read now. */
  async blocks(prompt: Message, info: AgentInfo, place: FilePlace): Promise<PromptContent> {
    const text = textOf(prompt.parts);
    if (place.isCommand) return { blocks: [{ type: 'text', text }], unavailable: [] };
    const named = await findNamedFiles(this.#ports, text, place);
    const { embedded, unavailable } = await this.#embed(named, info);
    const contexts = await this.#contexts.of(prompt.id, text, place.workspace);
    return {
      blocks: promptBlocks(text, embedded, contexts),
      unavailable: [
        ...unique(
          named.unfound.map(({ file, why }) => ({ path: file.path, why })),
          pathOf,
        ),
        ...unavailable,
      ],
    };
  }

  /** Each file is read and given once; where it is named again it is a link, or nothing where the text stays. */
  async #embed({ found }: Named, info: AgentInfo) {
    const embedded: Embedded[] = [];
    const unavailable: Unavailable[] = [];
    const given = new Set<string>();
    const reading = new Map<string, Promise<Result<FileContent>>>();
    // A file that is also named in the text stands there; `$` only adds what is not yet given.
    const inText = found.filter(({ file }) => file.sign === '@');
    for (const one of [...inText, ...found.filter(({ file }) => file.sign === '$')]) {
      const { file, path } = one;
      const key = `${path}\n${JSON.stringify(file.lines ?? '')}`;
      const isGiven = given.has(key) || (file.sign === '$' && given.has(`${path}\n""`));
      given.add(key);
      if (isGiven && file.sign === '$') continue;
      const content = reading.get(path) ?? this.#content(one);
      reading.set(path, content);
      const block = await blockOf(one, isGiven, await content, info);
      if (block.ok) embedded.push({ file, block: block.value });
      else unavailable.push({ path: file.path, why: block.error });
    }
    return { embedded, unavailable };
  }

  /** From the buffer if the file is open; what the buffer cannot give exactly, the disk has. */
  async #content({ path, size, bytes: inside }: FoundFile): Promise<Result<FileContent>> {
    const { contentOf, textContent } = await import('../core/prompt/content.ts');
    if (inside) return ok(contentOf(path, inside));
    const buffer = await this.#ports.editor.readBuffer(path);
    if (buffer.ok && buffer.value) {
      const { text } = buffer.value;
      return Buffer.byteLength(text) > maxFileBytes ? tooLarge() : ok(textContent(path, text));
    }
    if (size > maxFileBytes) return tooLarge();
    const bytes = await this.#ports.disk.readBytes(path, maxFileBytes);
    if (!bytes.ok) return unattachable(bytes.error);
    const content = contentOf(path, bytes.value);
    // Unsaved text that cannot be given exactly must not be passed over in favour of what is on disk.
    return ok(!buffer.ok && content.kind === 'text' ? textContent(path) : content);
  }
}

async function blockOf(
  { file, path, size }: FoundFile,
  isGiven: boolean,
  content: Result<FileContent>,
  info: AgentInfo,
): Promise<Result<PromptBlock>> {
  const where: Whereabouts = { uri: pathToFileURL(path).href, name: file.path, size };
  if (content.ok && !isGiven) {
    const block = fileBlock(withLines(where, file.lines), partOf(content.value, path, file.lines), info.prompt);
    if (block) return ok(block);
  }
  if (file.sign === '$') return content.ok ? fail('invalid', 'attach.binary') : content;
  const { otherContent } = await import('../core/prompt/content.ts');
  return ok(linkBlock(where, (content.ok ? content.value : otherContent(path)).mimeType));
}

type Lines = FoundFile['file']['lines'];

const withLines = (where: Whereabouts, lines: Lines): Whereabouts =>
  lines ? { ...where, uri: `${where.uri}#L${lines.first}-L${lines.last}` } : where;

function partOf(content: FileContent, path: string, lines: Lines): FileContent {
  if (!lines || content.kind !== 'text' || content.text === undefined) return content;
  const part = readPart(content.text, { path, line: lines.first, limit: lines.last - lines.first + 1 });
  return { ...content, text: part };
}

const tooLarge = () => fail('limit', 'attach.tooLarge', { limit: `${maxFileBytes >> 20} MB` });

const pathOf = ({ path }: { readonly path: string }): string => path;

/** The first of each kind. */
function unique<T>(items: readonly T[], kind: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => !seen.has(kind(item)) && seen.add(kind(item)));
}

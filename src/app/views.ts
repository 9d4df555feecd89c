// The drawn conversations: one transcript for each open buffer, and the patches that keep the buffer equal to it.
import type { Message, PatchOperation, Permission } from '../core/contract/shapes.ts';
import type { HostEvent } from '../core/contract/events.ts';
import {
  drawAll,
  drawMessage,
  emptyTranscript,
  prepend,
  removeMessage,
  setPermissions,
  speakerRole,
  wholeTool,
  type Drawn,
  type Transcript,
} from '../core/transcript/index.ts';
import { findTool } from '../core/conversation/parts.ts';
import type { History } from '../core/ports.ts';
import type { Settings } from './settings.ts';

/** Messages drawn when a conversation is opened, and added each time its top is reached. */
const pageSize = 100;

export interface ViewsOptions {
  readonly settings: Settings;
  readonly tell: (event: HostEvent) => void;
  readonly history: History;
  /** The last messages, those in memory included. */
  readonly recent: (conversation: string, count: number) => Page;
  /** Several agents can speak there. */
  readonly isChannel: (conversation: string) => boolean;
  /** The requests that wait there. */
  readonly permissionsOf: (conversation: string) => readonly Permission[];
}

interface Page {
  readonly messages: readonly Message[];
  readonly more: boolean;
}

interface View {
  transcript: Transcript;
  /** There are older messages than those drawn. */
  more: boolean;
  /** Counts the patches, so that the other side sees when one is missing. */
  number: number;
}

export class Views {
  readonly #options: ViewsOptions;
  readonly #views = new Map<string, View>();

  constructor(options: ViewsOptions) {
    this.#options = options;
  }

  /** Draws a conversation whole; also when it is open already, for a view that lost its place. */
  open(id: string): void {
    const { settings, recent, permissionsOf, isChannel } = this.#options;
    const page = recent(id, pageSize);
    const { agents, language } = settings.config;
    const empty = emptyTranscript({
      language,
      speaker: (agent) => agents.find(({ name }) => name === agent)?.title ?? agent,
      ...(isChannel(id) && { speakerRole: (agent) => speakerRole(agents.findIndex(({ name }) => name === agent)) }),
      timeOfDay,
    });
    const view: View = { transcript: empty, more: page.more, number: 0 };
    this.#views.set(id, view);
    const asked = setPermissions(view.transcript, permissionsOf(id)).transcript;
    this.#show(id, view, drawAll(asked, page.messages, page.more));
  }

  close(id: string): void {
    this.#views.delete(id);
  }

  /** Draws the messages before the first one; whether there are still older ones. */
  older(id: string): boolean {
    const view = this.#views.get(id);
    const first = view?.transcript.messages[0]?.message.id;
    if (!view?.more || first === undefined) return false;
    const page = this.#options.history.messages(id, first, pageSize);
    view.more = page.more;
    this.#show(id, view, prepend(view.transcript, page.messages, page.more));
    return page.more;
  }

  draw(message: Message): void {
    this.#change(message.channel, (transcript) => drawMessage(transcript, message));
  }

  undraw(id: string, messageId: string): void {
    this.#change(id, (transcript) => removeMessage(transcript, messageId));
  }

  permissions(id: string): void {
    this.#change(id, (transcript) => setPermissions(transcript, this.#options.permissionsOf(id)));
  }

  /** Draws everything again: a language or a title changed. */
  redrawAll(): void {
    for (const id of this.#views.keys()) this.redraw(id);
  }

  /** Draws a conversation again, where it is open. */
  redraw(id: string): void {
    if (this.#views.has(id)) this.open(id);
  }

  /** A tool call as a page of its own, undefined where none of that id is drawn. */
  tool(id: string, toolId: string): { readonly title: string; readonly rows: readonly string[] } | undefined {
    const view = this.#views.get(id);
    for (const { message } of view?.transcript.messages.toReversed() ?? []) {
      const tool = findTool(message.parts, toolId);
      if (view && tool) return { title: tool.title, rows: wholeTool(view.transcript.options, tool).rows };
    }
    return undefined;
  }

  #change(id: string, change: (transcript: Transcript) => Drawn): void {
    const view = this.#views.get(id);
    if (view) this.#show(id, view, change(view.transcript));
  }

  #show(id: string, view: View, { transcript, operations }: Drawn): void {
    view.transcript = transcript;
    // The first patch takes away what another conversation left, also when it has nothing to draw.
    if (operations.length === 0 && view.number > 0) return;
    view.number++;
    const changes: PatchOperation[] = [...operations];
    const payload = {
      channel: id,
      number: view.number,
      first: view.number === 1,
      more: view.more,
      operations: changes,
    };
    this.#options.tell({ name: 'view:patch', payload });
  }
}

/** By hand: the formats of `Intl` take tens of milliseconds and megabytes to load. */
export function timeOfDay(time: number): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

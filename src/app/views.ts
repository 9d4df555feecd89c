// The drawn conversations: one transcript for each open buffer, and the patches that keep the buffer equal to it.
import type { Message, PatchOperation, Permission } from '../core/contract/shapes.ts';
import type { HostEvent } from '../core/contract/events.ts';
import {
  append,
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
/** A message that is so near to those drawn is shown with all between; one farther back, with those around it. */
const nearCount = 300;
const aroundCount = 50;

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
  /** The message gone to, where it is drawn without the newest ones. */
  around: string;
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
    const page = this.#options.recent(id, pageSize);
    this.#drawWhole(id, page, '');
  }

  /** Draws a message with those around it, unless it is drawn; false where the conversation has none of that id. */
  reveal(id: string, messageId: string): boolean {
    const { history, recent } = this.#options;
    const view = this.#views.get(id);
    if (!view || isDrawn(view, messageId)) return view !== undefined;
    if (recent(id, pageSize).messages.some((one) => one.id === messageId)) {
      this.open(id);
      return true;
    }
    if (history.message(messageId)?.channel !== id) return false;
    if (!this.#addNear(id, view, messageId)) this.#drawAround(id, messageId);
    return true;
  }

  /** Draws the messages after the last one drawn, at last those in memory too; whether there are still newer ones. */
  newer(id: string): boolean {
    const { history, recent } = this.#options;
    const view = this.#views.get(id);
    const last = view?.transcript.messages.at(-1)?.message.id;
    if (!view?.around || last === undefined) return false;
    const newest = recent(id, pageSize).messages;
    const at = newest.findIndex((one) => one.id === last);
    if (at >= 0) {
      this.#join(id, view, newest.slice(at + 1));
      return false;
    }
    const messages = history.messagesAfter(id, last, pageSize);
    if (messages.length === 0) this.open(id);
    else this.#show(id, view, append(view.transcript, messages, true));
    return messages.length > 0;
  }

  /** The newest messages are drawn from now on. */
  #join(id: string, view: View, newest: readonly Message[]): void {
    view.around = '';
    const whole = append(view.transcript, newest, false);
    const asked = setPermissions(whole.transcript, this.#options.permissionsOf(id));
    this.#show(id, view, { ...asked, operations: [...whole.operations, ...asked.operations] });
  }

  /** Draws the last messages, where only those around another one are drawn. */
  newest(id: string): void {
    if (this.#views.get(id)?.around) this.open(id);
  }

  #addNear(id: string, view: View, messageId: string): boolean {
    const first = view.transcript.messages[0]?.message.id;
    if (view.around || first === undefined) return false;
    const { messages, more } = this.#options.history.messages(id, first, nearCount);
    if (!messages.some((one) => one.id === messageId)) return false;
    view.more = more;
    this.#show(id, view, prepend(view.transcript, messages, more));
    return true;
  }

  #drawAround(id: string, messageId: string): void {
    const { history } = this.#options;
    const before = history.messages(id, messageId, aroundCount);
    const here = history.message(messageId);
    const after = history.messagesAfter(id, messageId, aroundCount);
    this.#drawWhole(
      id,
      { messages: [...before.messages, ...(here ? [here] : []), ...after], more: before.more },
      messageId,
    );
  }

  /** Requests that wait belong to the newest messages. */
  #drawWhole(id: string, page: Page, around: string): void {
    const { settings, permissionsOf, isChannel } = this.#options;
    const { agents, language } = settings.config;
    const empty = emptyTranscript({
      language,
      speaker: (agent) => agents.find(({ name }) => name === agent)?.title ?? agent,
      ...(isChannel(id) && { speakerRole: (agent) => speakerRole(agents.findIndex(({ name }) => name === agent)) }),
      timeOfDay,
    });
    const view: View = { transcript: empty, more: page.more, around, number: 0 };
    this.#views.set(id, view);
    const asked = setPermissions(view.transcript, around ? [] : permissionsOf(id)).transcript;
    this.#show(id, view, drawAll(asked, page.messages, page.more, around !== ''));
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

  /** A new one stands at the end, which is not drawn everywhere. */
  draw(message: Message): void {
    const view = this.#views.get(message.channel);
    if (view?.around && !isDrawn(view, message.id)) return;
    this.#change(message.channel, (transcript) => drawMessage(transcript, message));
  }

  undraw(id: string, messageId: string): void {
    this.#change(id, (transcript) => removeMessage(transcript, messageId));
  }

  permissions(id: string): void {
    if (this.#views.get(id)?.around) return;
    this.#change(id, (transcript) => setPermissions(transcript, this.#options.permissionsOf(id)));
  }

  /** Draws everything again: a language or a title changed. */
  redrawAll(): void {
    for (const id of this.#views.keys()) this.redraw(id);
  }

  /** Draws a conversation again, where it is open. */
  redraw(id: string): void {
    const around = this.#views.get(id)?.around;
    if (around && this.#options.history.message(around)) this.#drawAround(id, around);
    else if (around !== undefined) this.open(id);
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
      newer: transcript.newer,
      operations: changes,
    };
    this.#options.tell({ name: 'view:patch', payload });
  }
}

const isDrawn = ({ transcript }: View, messageId: string): boolean =>
  transcript.messages.some(({ message }) => message.id === messageId);

/** By hand: the formats of `Intl` take tens of milliseconds and megabytes to load. */
export function timeOfDay(time: number): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

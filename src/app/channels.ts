// Makes, changes and ends conversations: direct ones and channels, their names and members (SPEC section 5). Sends nothing.
import { nameKey } from '../core/config/names.ts';
import { checkChannelName } from '../core/conversation/channel-name.ts';
import type { ConversationState } from '../core/conversation/state.ts';
import type { Conversation, PlaceKind } from '../core/contract/shapes.ts';
import { fail, ok, type Result } from '../core/errors.ts';
import type { History } from '../core/ports.ts';
import type { Conversations } from './conversations.ts';
import type { Sessions } from './sessions.ts';
import type { Settings } from './settings.ts';
import type { Views } from './views.ts';

export interface ChannelsOptions {
  readonly nextId: () => string;
  readonly history: History;
  readonly settings: Settings;
  readonly conversations: Conversations;
  readonly sessions: Sessions;
  readonly views: Views;
}

export class Channels {
  readonly #options: ChannelsOptions;

  constructor(options: ChannelsOptions) {
    this.#options = options;
  }

  /** Of one project: its channels, and the direct conversations of agents that work there or have a workspace of their own. */
  ofProject(project: string): readonly Conversation[] {
    this.#declare(project);
    const { agents } = this.#options.settings.config;
    return this.all().filter(
      (one) => one.project === project || agents.some((agent) => agent.name === one.direct && agent.workspace),
    );
  }

  /** The one a buffer names; an agent's only where it was begun. */
  find(kind: PlaceKind, written: string, project: string): Conversation | undefined {
    const key = nameKey(written.trim());
    const named = ({ direct, name }: Conversation) => (kind === 'agent' ? direct : name);
    return this.ofProject(project).find((one) => named(one) !== '' && nameKey(named(one)) === key);
  }

  isOf(project: string, id: string): boolean {
    return this.ofProject(project).some((one) => one.id === id);
  }

  all(): readonly Conversation[] {
    return this.#options.conversations.list().map(({ conversation }) => conversation);
  }

  /** One per project, or one everywhere where the agent has a workspace of its own. */
  direct(written: string, project: string): Result<Conversation> {
    const agent = this.#definition(written);
    if (!agent) return fail('not-found', 'error.unknownAgent', { agent: written });
    const { name, workspace } = agent;
    const found = this.all().find((one) => one.direct === name && (workspace !== '' || one.project === project));
    return ok(found ?? this.#create({ direct: name, members: [name], project: workspace || project }));
  }

  create(written: string, description: string, project: string): Result<Conversation> {
    const name = checkChannelName(written, this.#channels(project));
    return name.ok ? ok(this.#create({ name: name.value, description, project })) : name;
  }

  rename(id: string, written: string, description: string): Result<Conversation> {
    return this.#onChannel(id, ({ conversation }) => {
      const others = this.#channels(conversation.project).filter((one) => one.id !== id);
      const name = checkChannelName(written, others);
      if (!name.ok) return name;
      this.#options.conversations.step(id, { type: 'renamed', name: name.value, description });
      return this.#conversation(id);
    });
  }

  addMember(id: string, written: string): Result<Conversation> {
    return this.#onChannel(id, () => {
      const agent = this.#definition(written);
      if (!agent) return fail('not-found', 'error.unknownAgent', { agent: written });
      this.#options.conversations.step(id, { type: 'memberAdded', agent: agent.name });
      return this.#conversation(id);
    });
  }

  /** Also one that is not configured any more. */
  removeMember(id: string, written: string): Result<Conversation> {
    return this.#onChannel(id, ({ conversation }) => {
      const agent = conversation.members.find((member) => nameKey(member) === nameKey(written));
      if (agent === undefined) return fail('not-found', 'error.notMember', { agent: written });
      this.#options.conversations.step(id, { type: 'memberRemoved', agent });
      return this.#conversation(id);
    });
  }

  /** Refused while anybody answers there or a message waits, here or in another Neovim. */
  clear(id: string): Result<undefined> {
    const { conversations, history, sessions, views } = this.#options;
    const state = conversations.get(id);
    if (!state) return unknownConversation();
    if (state.turn || state.queue.length > 0 || history.claimedElsewhere(id) !== '')
      return fail('busy', 'error.answeringChannel');
    history.clearConversation(id);
    sessions.close(id);
    conversations.step(id, { type: 'cleared' });
    views.redraw(id);
    return ok(undefined);
  }

  /** Stops the answers of this Neovim first; refused while another one answers. A direct conversation has nothing to delete. */
  delete(id: string): Result<undefined> {
    return this.#onChannel(id, () => {
      const { conversations, history, sessions, views } = this.#options;
      if (history.claimedElsewhere(id) !== '') return fail('busy', 'error.answeringChannel');
      conversations.remove(id);
      history.deleteConversation(id);
      sessions.close(id);
      views.close(id);
      return ok(undefined);
    });
  }

  /** The messages stay, the agents know nothing of them any more (SPEC 2, `:Sidekicks new`). */
  newSession(id: string): Result<undefined> {
    const { conversations, history, sessions } = this.#options;
    const state = conversations.get(id);
    if (!state) return unknownConversation();
    if (state.turn || history.claimedElsewhere(id) !== '') return fail('busy', 'error.answering');
    sessions.forgetConversation(id);
    conversations.step(id, { type: 'sessionForgotten' });
    return ok(undefined);
  }

  /** A channel of the configuration exists in every project (SPEC 5). */
  #declare(project: string): void {
    const { channels } = this.#options.settings.config;
    const present = new Set(this.#channels(project).map(({ name }) => nameKey(name)));
    for (const { name, description, members } of channels) {
      if (!present.has(nameKey(name))) this.#create({ name, description, members: [...members], project });
    }
  }

  #channels(project: string): readonly Conversation[] {
    return this.all().filter((one) => one.project === project && one.direct === '');
  }

  #create(fields: Partial<Conversation> & Pick<Conversation, 'project'>): Conversation {
    const blank = { id: this.#options.nextId(), name: '', description: '', direct: '', members: [] };
    const conversation: Conversation = { ...blank, ...fields };
    this.#options.conversations.create(conversation);
    return conversation;
  }

  #definition(written: string) {
    return this.#options.settings.config.agents.find(({ name }) => nameKey(name) === nameKey(written));
  }

  #onChannel<T>(id: string, action: (state: ConversationState) => Result<T>): Result<T> {
    const state = this.#options.conversations.get(id);
    if (!state) return unknownConversation();
    const { direct } = state.conversation;
    return direct === '' ? action(state) : fail('invalid', 'error.directConversation', { agent: direct });
  }

  #conversation(id: string): Result<Conversation> {
    const state = this.#options.conversations.get(id);
    return state ? ok(state.conversation) : unknownConversation();
  }
}

const unknownConversation = () => fail('not-found', 'error.unknownConversation');

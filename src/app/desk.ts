// Puts together what conversations need once somebody uses them: history, sessions, turns, views, files. Routes what agents tell.
import { contextText } from '../core/conversation/context.ts';
import { textOf } from '../core/conversation/messages.ts';
import type { Option } from '../core/contract/shapes.ts';
import type { HostEvent } from '../core/contract/events.ts';
import type { AgentListener, Clock, Disk, Editor, History, WatchFolder, WorkspaceFiles } from '../core/ports.ts';
import { AgentEdits } from './agent-edits.ts';
import type { Agents } from './agents.ts';
import { Channels } from './channels.ts';
import { Conversations } from './conversations.ts';
import type { FilePlaces } from './file-place.ts';
import type { ReadInside } from './named-files.ts';
import { followOtherRuns } from './other-runs.ts';
import { askQuestion } from './questions.ts';
import { Prompts } from './prompts.ts';
import type { OpenSession } from './running.ts';
import { Sessions } from './sessions.ts';
import type { Settings } from './settings.ts';
import { Turns } from './turns.ts';
import { Views } from './views.ts';

export interface DeskOptions {
  readonly clock: Clock;
  readonly nextId: () => string;
  readonly history: History;
  readonly settings: Settings;
  readonly agents: Agents;
  readonly editor: Editor;
  readonly disk: Disk;
  readonly files: WorkspaceFiles;
  /** Whose files a message names. */
  readonly filePlace: FilePlaces;
  readonly readInside: ReadInside;
  readonly watchFolder: WatchFolder;
  readonly tell: (event: HostEvent) => void;
}

export class Desk {
  readonly history: History;
  readonly conversations: Conversations;
  readonly sessions: Sessions;
  readonly turns: Turns;
  readonly views: Views;
  readonly prompts: Prompts;
  readonly channels: Channels;
  readonly edits: AgentEdits;
  readonly #options: DeskOptions;
  /** What waited in a conversation when Neovim left. */
  readonly #waited = new Map<string, readonly string[]>();
  readonly #unfollow: readonly (() => void)[];

  constructor(options: DeskOptions) {
    const { history, agents, settings, tell } = options;
    this.#options = options;
    this.history = history;
    this.prompts = new Prompts({ ...options, say: settings });
    this.edits = new AgentEdits(options);
    this.sessions = new Sessions(history, options.nextId, (agent, session) => {
      this.#optionsChanged(agent, session);
    });
    this.views = new Views({
      settings,
      tell,
      history,
      recent: (id, count) => this.conversations.recent(id, count),
      isChannel: (id) => this.conversations.get(id)?.conversation.direct === '',
      permissionsOf: (id) => this.conversations.get(id)?.turn?.permissions ?? [],
    });
    this.conversations = new Conversations({
      clock: options.clock,
      nextId: options.nextId,
      history,
      tell,
      agents: () => settings.config.agents.map(({ name }) => name),
      sessionOf: (agent, conversation) => this.sessions.of(agent, conversation)?.sessionId ?? '',
      draw: (message) => {
        this.views.draw(message);
      },
      undraw: (conversation, messageId) => {
        this.views.undraw(conversation, messageId);
      },
      permissionsChanged: (id) => {
        this.views.permissions(id);
      },
    });
    this.turns = new Turns({
      agents,
      sessions: this.sessions,
      conversations: this.conversations,
      blocks: async (prompt, conversation, agent) =>
        this.prompts.blocks(prompt, agent.info, await options.filePlace(conversation, textOf(prompt.parts))),
      contextText: (messages) => contextText(messages, settings.word('context.heading'), settings.word('context.user')),
      word: (failure) => settings.wordFailure(failure),
      observer: this.edits,
    });
    this.conversations.connect(this.turns);
    this.channels = new Channels({ ...options, ...this.#parts() });
    this.#unfollow = [this.#followLooks(), followOtherRuns(this.#parts()), this.#followProblem()];
  }

  /** What is drawn names agents by their titles, in one language. */
  #followLooks(): () => void {
    const { settings } = this.#options;
    const looks = () =>
      JSON.stringify([settings.config.language, settings.config.agents.map(({ name, title }) => [name, title])]);
    let drawn = looks();
    return settings.onChange(() => {
      if (looks() === drawn) return;
      drawn = looks();
      this.views.redrawAll();
    });
  }

  /** That what is said will not outlive this Neovim is told once, and stands in `ConfigService.Current`. */
  #followProblem(): () => void {
    const { history, tell, settings } = this.#options;
    const warn = () => {
      const message = settings.word('history.problem', { problem: history.problem });
      if (history.problem !== '') tell({ name: 'host:notice', payload: { level: 'warn', message } });
    };
    warn();
    return history.watchProblem(() => {
      settings.announce();
      warn();
    });
  }

  #parts() {
    const { history, conversations, sessions, views } = this;
    return { history, conversations, sessions, views };
  }

  /** What one agent's process tells. */
  listener(agent: string): Omit<AgentListener, 'signInNeeded' | 'logged' | 'exited' | 'broke'> {
    return {
      updated: (sessionId, update) => {
        const session = this.sessions.find(agent, sessionId);
        if (!session) return;
        if (update.type === 'tool' && !session.replaying) this.edits.toolChanged(agent, update.patch);
        if (update.type === 'commands') this.#commandsChanged(agent, update.commands);
        else if (update.type === 'options') {
          this.sessions.setOptions(agent, session, update.options);
        } else if (!session.replaying || update.type === 'usage')
          this.conversations.updated(session.conversation, agent, update);
      },
      permissionRequested: (sessionId, request, answer, withdrawn) => {
        const session = this.sessions.find(agent, sessionId);
        if (!session) {
          answer({ type: 'cancelled' });
          return;
        }
        this.edits.toolChanged(agent, request.patch);
        const id = this.#options.nextId();
        withdrawn.addEventListener('abort', () => {
          this.conversations.permissionWithdrawn(session.conversation, id);
        });
        this.conversations.permissionRequested(
          session.conversation,
          { type: 'permissionRequested', id, request },
          answer,
        );
      },
      questionAsked: (sessionId, ...asked) => {
        const conversation = this.sessions.find(agent, sessionId)?.conversation ?? this.#asksOutside(agent, sessionId);
        askQuestion(this.conversations, conversation, this.#options.nextId(), ...asked);
      },
      readFile: (sessionId, request) => this.edits.read(agent, this.#place(agent, sessionId), request),
      writeFile: (sessionId, path, content) => this.edits.write(agent, this.#place(agent, sessionId), path, content),
    };
  }

  /** The agent's process is gone; its turns end through their prompts, which have failed. */
  agentGone(agent: string): void {
    this.sessions.forgetAgent(agent);
    this.edits.forget(agent);
  }

  /** A stop of a busy agent ends its turns as cancelled, and what waits for it is not sent (SPEC 4). */
  cancelTurnsOf(agent: string): void {
    for (const { conversation } of this.conversations.list()) {
      this.conversations.step(conversation.id, { type: 'agentStopped', agent });
    }
  }

  /** Every answer ends, and what waits is not sent. */
  cancelAll(): void {
    for (const { conversation } of this.conversations.list()) {
      this.conversations.step(conversation.id, { type: 'cancelRequested' });
    }
  }

  /** What is being written; after what waited when Neovim left, where that came first. */
  keepDraft(conversation: string, text: string): void {
    const texts = [...(this.#waited.get(conversation) ?? []), text].filter((one) => one !== '');
    this.history.saveDraft(conversation, texts.join('\n\n'));
  }

  /** Neovim leaves: nothing that waits is lost, it goes back into the draft (SPEC 5). */
  keepQueues(): void {
    for (const { conversation, queue } of this.conversations.list()) {
      if (queue.length === 0) continue;
      const draft = this.history.draft(conversation.id);
      this.#waited.set(
        conversation.id,
        queue.map(({ parts }) => textOf(parts)),
      );
      this.keepDraft(conversation.id, draft);
      this.conversations.step(conversation.id, { type: 'queueTaken' });
    }
  }

  /** Settles when nothing is answered any more. */
  idle(): Promise<void> {
    return this.conversations.idle();
  }

  dispose(): void {
    for (const unfollow of this.#unfollow) unfollow();
    this.edits.dispose();
    this.conversations.stop();
    this.history.close();
  }

  /** A question outside of any session belongs to the conversation the agent answers. */
  #asksOutside(agent: string, sessionId: string): string | undefined {
    if (sessionId !== '') return undefined;
    const answering = this.conversations
      .list()
      .find(({ turn, conversation }) => turn?.agent === agent && !this.turns.waitingFor(agent, conversation.id));
    return answering?.conversation.id;
  }

  #place(agent: string, sessionId: string): { readonly workspace: string; readonly channel: string } {
    const { workspace = '', conversation = '' } = this.sessions.find(agent, sessionId) ?? {};
    return { workspace, channel: conversation };
  }

  #commandsChanged(agent: string, commands: readonly { name: string; description: string; hint: string }[]): void {
    this.history.saveCommands(agent, commands);
    this.#options.tell({ name: 'commands:changed', payload: { agent, commands: [...commands] } });
  }

  #optionsChanged(agent: string, session: OpenSession): void {
    const options: Option[] = [...session.options];
    this.#options.tell({ name: 'options:changed', payload: { channel: session.conversation, agent, options } });
  }
}

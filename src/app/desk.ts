// Puts together what conversations need once somebody uses them: history, sessions, turns, views, files. Routes what agents tell.
import type { Conversation, Option } from '../core/contract/shapes.ts';
import type { HostEvent } from '../core/contract/events.ts';
import type { AgentListener, Clock, Disk, Editor, History } from '../core/ports.ts';
import { AgentFiles } from './agent-files.ts';
import type { Agents } from './agents.ts';
import { Conversations } from './conversations.ts';
import { Prompts } from './prompts.ts';
import { Sessions, type OpenSession } from './sessions.ts';
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
  readonly tell: (event: HostEvent) => void;
}

export class Desk {
  readonly history: History;
  readonly conversations: Conversations;
  readonly sessions: Sessions;
  readonly turns: Turns;
  readonly views: Views;
  readonly prompts: Prompts;
  readonly #files: AgentFiles;
  readonly #options: DeskOptions;
  readonly #unfollow: () => void;

  constructor(options: DeskOptions) {
    const { history, agents, settings, tell } = options;
    this.#options = options;
    this.history = history;
    this.prompts = new Prompts(options.editor, options.disk);
    this.#files = new AgentFiles(options.editor, options.disk);
    this.sessions = new Sessions(history, (agent, session) => {
      this.#optionsChanged(agent, session);
    });
    this.views = new Views({ settings, tell, recent: (id, count) => this.conversations.recent(id, count), history });
    this.conversations = new Conversations({
      clock: options.clock,
      nextId: options.nextId,
      history,
      tell,
      draw: (message) => {
        this.views.draw(message);
      },
      undraw: (conversation, messageId) => {
        this.views.undraw(conversation, messageId);
      },
      permissionsChanged: (id) => {
        this.views.permissions(id, this.conversations.get(id)?.turn?.permissions ?? []);
      },
    });
    this.turns = new Turns({
      agents,
      sessions: this.sessions,
      conversations: this.conversations,
      blocks: (prompt, agent, session) => this.prompts.blocks(prompt, session.workspace, agent.info),
      word: (failure) => settings.wordFailure(failure),
    });
    this.conversations.connect(this.turns);
    this.#unfollow = this.#followLooks();
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
      this.views.redrawAll((id) => this.conversations.get(id)?.turn?.permissions ?? []);
    });
  }

  /** The direct conversation with an agent (SPEC 5): one per project, or one everywhere where the agent has a workspace of its own. */
  direct(agent: string, workspace: string, project: string): Conversation {
    const found = this.conversations
      .list()
      .find(
        ({ conversation }) => conversation.direct === agent && (workspace !== '' || conversation.project === project),
      );
    if (found) return found.conversation;
    const conversation: Conversation = {
      id: this.#options.nextId(),
      name: '',
      description: '',
      direct: agent,
      members: [agent],
      project: workspace || project,
    };
    return this.conversations.create(conversation).conversation;
  }

  /** The messages stay, the agents know nothing of them any more (SPEC 2, `:Sidekicks new`). */
  newSession(id: string): void {
    this.sessions.forgetConversation(id);
    this.conversations.step(id, { type: 'sessionForgotten' });
  }

  /** What one agent's process tells. */
  listener(agent: string): Omit<AgentListener, 'logged' | 'exited' | 'broke'> {
    return {
      updated: (sessionId, update) => {
        const session = this.sessions.find(agent, sessionId);
        if (!session) return;
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
      readFile: (sessionId, request) => this.#files.read(agent, this.#workspace(agent, sessionId), request),
      writeFile: (sessionId, path, content) =>
        this.#files.write(agent, this.#workspace(agent, sessionId), path, content),
    };
  }

  /** The agent's process is gone; its turns end through their prompts, which have failed. */
  agentGone(agent: string): void {
    this.sessions.forgetAgent(agent);
    this.#files.forget(agent);
  }

  /** A stop of a busy agent ends its turn as cancelled (SPEC 4). */
  cancelTurnsOf(agent: string): void {
    for (const { conversation, turn } of this.conversations.list()) {
      if (turn?.agent === agent) this.conversations.step(conversation.id, { type: 'cancelRequested' });
    }
  }

  /** Every answer ends, and what waits is not sent. */
  cancelAll(): void {
    for (const { conversation } of this.conversations.list()) {
      this.conversations.step(conversation.id, { type: 'cancelRequested' });
    }
  }

  /** Settles when nothing is answered any more. */
  idle(): Promise<void> {
    return this.conversations.idle();
  }

  dispose(): void {
    this.#unfollow();
    this.conversations.stop();
    this.history.close();
  }

  #workspace(agent: string, sessionId: string): string {
    return this.sessions.find(agent, sessionId)?.workspace ?? '';
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

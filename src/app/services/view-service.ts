// ViewService: what Sidekicks' own buffers ask of the host; no part of the public face.
import { fail, ok, type Result } from '../../core/errors.ts';
import type { ConversationState } from '../../core/conversation/state.ts';
import type { AuthMethod } from '../../core/ports.ts';
import { runsInside, type Inside } from '../../core/runtime.ts';
import { commandLine, shellWord } from '../../core/shell.ts';
import type { Agents } from '../agents.ts';
import type { Desk } from '../desk.ts';
import type { FilePlaces } from '../file-place.ts';
import type { FilePlace } from '../named-files.ts';
import type { PathQuestions } from '../path-questions.ts';
import { checkField, fieldsOf } from '../questions.ts';
import type { Settings } from '../settings.ts';
import type { Workspaces } from '../workspaces.ts';
import type { HostEvent } from '../../core/contract/events.ts';
import type { Conversation } from '../../core/contract/shapes.ts';
import type { AddingMethods } from './adding.ts';
import type { Service } from './services.ts';
import type { TerminalMethods } from './terminal-service.ts';

export interface HostFacts {
  readonly node: string;
  readonly version: string;
  readonly log: string;
}

export interface ViewServiceOptions {
  readonly desk: () => Promise<Desk>;
  readonly settings: () => Promise<Settings>;
  readonly agents: () => Promise<Agents>;
  readonly project: () => Promise<string>;
  readonly questions: PathQuestions;
  readonly facts: HostFacts;
  readonly filePlace: FilePlaces;
  readonly workspaces: () => Promise<Workspaces>;
  readonly tell: (event: HostEvent) => void;
  /** Whether the container or sandbox of an agent is there. */
  readonly reach: (inside: Inside) => Promise<Result<undefined>>;
  readonly findProgram: (command: string) => Promise<Result<string>>;
  readonly adding: AddingMethods;
  readonly terminals: TerminalMethods;
}

export function viewService({
  desk,
  settings,
  agents,
  project,
  questions,
  facts,
  reach,
  findProgram,
  adding,
  terminals,
  filePlace,
  workspaces,
  tell,
}: ViewServiceOptions): Service<'ViewService'> {
  async function on<T>(
    id: string,
    action: (desk: Desk, state: ConversationState) => Result<T> | Promise<Result<T>>,
  ): Promise<Result<T>> {
    const open = await desk();
    const state = open.conversations.get(id);
    return state ? action(open, state) : fail('not-found', 'error.unknownConversation');
  }

  /** Who could be taken for a mention: in a direct conversation, nobody. */
  async function mentionable({ direct }: Conversation): Promise<readonly string[]> {
    return direct === '' ? (await settings()).config.agents.map(({ name }) => name) : [];
  }

  /** A file of this computer, attached, as a message names it. */
  async function written({ agent, workspace }: FilePlace, path: string): Promise<Result<string>> {
    // Loaded when somebody attaches: the first answer must not wait for it.
    const { unattachable } = await import('../named-files.ts');
    const attached = await (await workspaces()).attach(agent, path, workspace);
    return attached.ok ? named(attached.value) : unattachable(attached.error);
  }

  async function named(path: string): Promise<Result<string>> {
    const { writeFile } = await import('../../core/prompt/writing.ts');
    const word = writeFile('$', path);
    return word === '' ? fail('invalid', 'attach.oddName', { path }) : ok(word);
  }

  return {
    ...adding,
    ...terminals,
    'ViewService.Open': ({ id }) =>
      on(id, (open) => {
        open.views.open(id);
        return ok({ draft: open.history.draft(id) });
      }),
    'ViewService.Find': async ({ kind, name, project: wanted }) => {
      const present = await project();
      const { channels } = await desk();
      const found = channels.find(kind, name, wanted || present);
      return ok({ channels: found ? [found] : [], here: found !== undefined && channels.isOf(present, found.id) });
    },
    'ViewService.Locate': ({ id }) =>
      on(id, async ({ channels }, { conversation }) =>
        ok({ channel: conversation, here: channels.isOf(await project(), id) }),
      ),
    'ViewService.Message': ({ id, messageId }) =>
      on(id, ({ history }, { queue }) => {
        const message = queue.find((one) => one.id === messageId) ?? history.message(messageId);
        return message?.channel === id ? ok({ message }) : fail('not-found', 'error.unknownMessage');
      }),
    'ViewService.Close': async ({ id }) => {
      (await desk()).views.close(id);
      return ok({});
    },
    'ViewService.Older': ({ id }) => on(id, (open) => ok({ more: open.views.older(id) })),
    'ViewService.Newer': ({ id }) => on(id, (open) => ok({ more: open.views.newer(id) })),
    'ViewService.Newest': ({ id }) =>
      on(id, (open) => {
        open.views.newest(id);
        return ok({});
      }),
    'ViewService.Reveal': ({ id, messageId }) =>
      on(id, (open) => (open.views.reveal(id, messageId) ? ok({}) : fail('not-found', 'error.unknownMessage'))),
    'ViewService.Draft': ({ id, text }) =>
      on(id, (open) => {
        open.keepDraft(id, text);
        return ok({});
      }),
    'ViewService.Tool': ({ id, tool }) =>
      on(id, (open) => {
        const shown = open.views.tool(id, tool);
        return shown ? ok({ title: shown.title, rows: [...shown.rows] }) : fail('not-found', 'error.unknownMessage');
      }),
    'ViewService.Question': async ({ id }) =>
      fieldsOf((await desk()).conversations, id, (await settings()).config.language),
    'ViewService.CheckField': async ({ id, field, value }) =>
      checkField((await desk()).conversations, id, field, value, await settings()),
    'ViewService.Files': ({ id, text, sign, query, limit }) =>
      on(id, async (_open, { conversation }) => {
        const found = await (await workspaces()).find(await filePlace(conversation, text), query, limit);
        const agents = await mentionable(conversation);
        const { writeFile } = await import('../../core/prompt/writing.ts');
        const written = found.files.map((path) => ({ path, word: writeFile(sign, path, agents) }));
        return ok({ files: written.filter(({ word }) => word !== ''), complete: found.complete });
      }),
    'ViewService.Attach': ({ id, text, paths, dropped }) =>
      on(id, async (_open, { conversation }) => {
        if (dropped) tell({ name: 'files:dropped', payload: { target: id, files: paths } });
        const place = await filePlace(conversation, text);
        const known = await settings();
        const attached: { path: string; word: string; problem: string }[] = [];
        for (const path of paths) {
          const word = place.agent === '' ? fail('unavailable', 'attach.noWorkspace') : await written(place, path);
          attached.push({
            path,
            word: word.ok ? word.value : '',
            problem: word.ok ? '' : known.wordFailure(word.error),
          });
        }
        return ok({ files: attached });
      }),
    'ViewService.OnHost': async ({ agent, path }) => {
      const there = await (await workspaces()).onHost(agent, path);
      return there.ok ? ok({ path: there.value }) : there;
    },
    'ViewService.NameFile': ({ id, text, agent, path }) =>
      on(id, async (_open, { conversation }) => {
        const place = await filePlace(conversation, text);
        if (place.agent === '') return fail('unavailable', 'attach.noWorkspace');
        const same = await (await workspaces()).areSame(agent, place);
        if (!same.ok) return same;
        if (!same.value) return fail('refused', 'workspace.otherAgent', { agent, other: place.agent });
        const word = await named(path);
        return word.ok ? ok({ word: word.value }) : word;
      }),
    'ViewService.Changes': async () => ok(await (await desk()).edits.changes.review(undefined)),
    'ViewService.Decide': async ({ verdict, messageId, path, hunk }) => {
      const done = await (await desk()).edits.changes[verdict](messageId, path, hunk);
      return done.ok ? ok({}) : done;
    },
    'ViewService.Conflict': async ({ id }) => {
      const known = (await desk()).edits.changes.conflicts.get(id);
      if (!known.ok) return known;
      const { path, agent, base, mine, theirs, onDisk } = known.value;
      return ok({ path, agent, base, mine, theirs, onDisk });
    },
    'ViewService.ResolveConflict': async ({ id, choice, text }) => {
      const done = await (await desk()).edits.changes.conflicts.resolve(id, choice, text);
      return done.ok ? ok({}) : done;
    },
    'ViewService.BufferRead': async ({ path, stamp }) => {
      await (await desk()).edits.bufferRead(path, stamp);
      return ok({});
    },
    'ViewService.BufferWrites': async ({ path }) => ok({ agent: await (await desk()).edits.bufferWrites(path) }),
    'ViewService.Answer': ({ id, path }) => {
      questions.answer(id, path);
      return ok({});
    },
    'ViewService.SignIn': async ({ agent }) => {
      const methods = await (await agents()).signIn(agent);
      if (!methods.ok) return methods;
      const definition = (await settings()).config.agents.find(({ name }) => name === agent);
      // The folder of one that runs inside need not be here.
      const isHere = definition && !runsInside(definition);
      const folder = (isHere && definition.workspace) || (await project());
      return ok({ folder, env: { ...definition?.env }, methods: methods.value.map(signInMethod) });
    },
    'ViewService.Health': async () => {
      const known = await settings();
      const { history } = await desk();
      const agents = known.config.agents.map(async (agent) => {
        const { name, command, runtime } = agent;
        const found = runsInside(agent) ? await reach(runtime) : await findProgram(command);
        return { name, command, problem: found.ok ? '' : known.wordFailure(found.error) };
      });
      return ok({
        ...facts,
        history: history.path,
        historyProblem: history.problem,
        agents: await Promise.all(agents),
      });
    },
  };
}

/** A way without a command is only named: the agent's words say how. */
function signInMethod({ name, id, description, terminal }: AuthMethod) {
  const { command, args, env } = terminal ?? { command: '', args: [], env: {} };
  const settings = Object.entries(env).map(([variable, value]) => `${variable}=${shellWord(value)}`);
  const line = terminal ? [...settings, commandLine(command, ...args)].join(' ') : '';
  return { name: name || id, description, command, args: [...args], env: { ...env }, line };
}

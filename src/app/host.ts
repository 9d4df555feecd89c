// The host: answers the methods of SPEC section 14 by the one table of services. What they share is on the workbench.
import type { HostEvent } from '../core/contract/events.ts';
import type { MethodName } from '../core/contract/methods.ts';
import { misfit, type Misfit } from '../core/contract/misfit.ts';
import { causeText, fail, type ErrorCode, type Failure, type Result } from '../core/errors.ts';
import type { Whereabouts } from '../core/config/locate.ts';
import type {
  AgentLauncher,
  Clock,
  CommandRunner,
  ConfigFiles,
  Disk,
  Editor,
  History,
  Log,
  Memory,
  OpenWorkspace,
  Preferences,
  Shells,
  Terminals,
  WatchFile,
  WatchFolder,
  WorkspaceFiles,
} from '../core/ports.ts';
import { ConfigChoice } from './config-choice.ts';
import { filePlaces } from './file-place.ts';
import type { ReadInside } from './named-files.ts';
import { findProject } from './project.ts';
import { once } from './once.ts';
import { Outbox } from './outbox.ts';
import { PathQuestions } from './path-questions.ts';
import type { ResetHistories } from './reset.ts';
import { addingMethods } from './services/adding.ts';
import { agentService } from './services/agent-service.ts';
import { changesService } from './services/changes-service.ts';
import { channelService } from './services/channel-service.ts';
import { configService } from './services/config-service.ts';
import type { Services } from './services/services.ts';
import { systemService } from './services/system-service.ts';
import { terminalMethods, terminalService } from './services/terminal-service.ts';
import { viewService, type HostFacts } from './services/view-service.ts';
import { workspaceService } from './services/workspace-service.ts';
import { wordFailure } from '../core/texts/index.ts';
import { WorkspaceTerminals } from './terminals.ts';
import { Workbench } from './workbench.ts';

/** A compiled JSON Schema of a method's parameters: what passes it fits the method of its name, whichever that is. */
export interface ParameterCheck {
  (params: unknown): params is never;
  readonly errors?: readonly Misfit[] | null;
}

export interface HostPorts {
  readonly clock: Clock;
  readonly nextId: () => string;
  readonly log: Log;
  readonly editor: Editor;
  readonly terminals: Terminals;
  readonly disk: Disk;
  readonly files: WorkspaceFiles;
  readonly facts: HostFacts;
  readonly preferences: Preferences;
  readonly watchFile: WatchFile;
  readonly watchFolder: WatchFolder;
  readonly measureMemory: () => Promise<Memory>;
  /** Where the host was started, and what names a configuration there. */
  readonly where: Whereabouts;
  readonly findProgram: (command: string) => Promise<Result<string>>;
  readonly checks: Readonly<Record<string, ParameterCheck>>;
  /** These are loaded when first needed: the first answer must not wait for them (DESIGN "The host"). */
  readonly openFiles: () => Promise<ConfigFiles>;
  readonly openHistory: (configPath: string, word: (failure: Failure) => string) => Promise<History>;
  readonly resetHistories: ResetHistories;
  readonly openLauncher: () => Promise<AgentLauncher>;
  readonly openCommands: () => Promise<CommandRunner>;
  readonly openWorkspace: OpenWorkspace;
  readonly openShells: () => Promise<Shells>;
}

export interface Reply {
  readonly result?: object;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

export interface Host {
  request(method: string, params: unknown): Promise<Reply>;
  /** A bug was caught at the last line of defence: it is told once, in short (CASES B28). */
  bug(cause: unknown): void;
  /** Stops every agent; settles when nothing of them is left. */
  dispose(): Promise<void>;
  tell(event: HostEvent): void;
}

export function createHost(ports: HostPorts): Host {
  const { clock, disk, editor, preferences, where, openFiles, resetHistories } = ports;
  const outbox = new Outbox(editor);
  const tell = (event: HostEvent) => {
    outbox.add(event);
  };
  const project = async () => findProject(await editor.workingDirectory(), disk);
  const choice = new ConfigChoice({ ...ports, project });
  const filePlace = filePlaces(() => settings());
  const workspaces = once(async () => {
    const { Workspaces } = await import('./workspaces.ts');
    return new Workspaces({ ...ports, settings: () => settings(), project });
  });
  const readInside: ReadInside = async ({ agent, workspace }, path) =>
    (await workspaces()).readInside(agent, workspace, path);
  const bench = new Workbench({ ...ports, folder: where.folder, choice, filePlace, readInside, tell });
  const { settings, pool, desk, sandboxes } = bench;
  const terminals = new WorkspaceTerminals({ ...ports, settings, project, shell: where.env['SHELL'] ?? '' });
  const questions = new PathQuestions(editor);
  const watches = once(async () => {
    const { WorkspaceWatches } = await import('./workspace-watches.ts');
    return new WorkspaceWatches({ settings, workspaces: await workspaces(), tell });
  });
  const services: Services = {
    ...agentService(pool, sandboxes),
    ...configService({
      bench,
      choice,
      questions,
      preferences,
      editor,
      disk,
      home: where.home,
      env: where.env,
      reset: { clock, disk, preferences, choice, openFiles, resetHistories },
    }),
    ...channelService({ desk, agents: pool, settings, project, filePlace }),
    ...changesService(desk),
    ...systemService(ports.measureMemory),
    ...viewService({
      desk,
      settings,
      agents: pool,
      project,
      questions,
      facts: ports.facts,
      findProgram: ports.findProgram,
      reach: (inside) => sandboxes.reach(inside),
      adding: addingMethods({ settings, choice, editor, disk, openFiles, findProgram: ports.findProgram }),
      filePlace,
      workspaces,
      tell,
      terminals: terminalMethods(terminals),
    }),
    ...workspaceService({ settings, questions, workspaces, watches }),
    ...terminalService(terminals),
  };

  async function request(method: string, params: unknown): Promise<Reply> {
    await bench.ready();
    const result = await answer(services, ports, method, params);
    if (result.ok) return { result: result.value };
    if (result.error.cause !== undefined) ports.log.write(`${method} failed`, result.error.cause);
    return { error: { code: result.error.code, message: await words(result.error) } };
  }

  /** Every request is answered, also when not even the configuration could be opened. */
  const words = (failure: Failure): Promise<string> =>
    settings().then(
      (known) => known.wordFailure(failure),
      () => wordFailure('en', failure),
    );

  let bugTold = false;
  function bug(cause: unknown): void {
    if (bugTold) return;
    bugTold = true;
    void settings().then((known) => {
      tell({
        name: 'host:notice',
        payload: { level: 'error', message: known.word('error.internal', { what: causeText(cause) }) },
      });
    });
  }

  const dispose = async (): Promise<void> => {
    const following = watches.begun() ? (await watches()).dispose() : undefined;
    await Promise.all([bench.dispose(), terminals.dispose(), following]);
  };
  return { request, dispose, tell, bug };
}

async function answer(services: Services, ports: HostPorts, method: string, params: unknown): Promise<Result<object>> {
  const check = ports.checks[method];
  if (!check || !isMethod(services, method)) return noMethod(method);
  if (!check(params)) return misfit(method, check.errors?.[0]);
  try {
    const handler: (params: never) => Promise<Result<object>> | Result<object> = services[method];
    return await handler(params);
  } catch (cause) {
    return fail('internal', 'error.internal', { what: causeText(cause) }, cause);
  }
}

const isMethod = (services: Services, name: string): name is MethodName => Object.hasOwn(services, name);

const noMethod = (method: string): Result<never> => fail('not-found', 'error.unknownMethod', { method });

// The host: answers the methods of SPEC section 14 by the one table of services, and opens what they need when first needed.
import type { Conversation } from '../core/contract/shapes.ts';
import type { HostEvent } from '../core/contract/events.ts';
import type { MethodName } from '../core/contract/methods.ts';
import { causeText, fail, type ErrorCode, type Failure, type Result } from '../core/errors.ts';
import type { AgentLauncher, Clock, ConfigSource, Disk, Editor, History, Log, WorkspaceFiles } from '../core/ports.ts';
import { findProject } from './project.ts';
import { AgentPool } from './agent-pool.ts';
import type { Desk } from './desk.ts';
import { Outbox } from './outbox.ts';
import { agentService } from './services/agent-service.ts';
import { channelService } from './services/channel-service.ts';
import { configService } from './services/config-service.ts';
import type { Services } from './services/services.ts';
import { viewService, type HostFacts } from './services/view-service.ts';
import { workspaceOf } from './sessions.ts';
import { Settings } from './settings.ts';

/** Watching the configuration begins when the first answer is out: loading the watcher would delay it. */
const followAfterMs = 100;

/** A compiled JSON Schema of a method's parameters: what passes it fits the method of its name, whichever that is. */
export interface ParameterCheck {
  (params: unknown): params is never;
  readonly errors?:
    readonly { readonly instancePath: string; readonly message?: string; readonly params: object }[] | null;
}

export interface HostPorts {
  readonly clock: Clock;
  readonly nextId: () => string;
  readonly log: Log;
  readonly editor: Editor;
  readonly disk: Disk;
  readonly files: WorkspaceFiles;
  readonly facts: HostFacts;
  /** Where the host was started. */
  readonly folder: string;
  readonly findProgram: (command: string) => Promise<Result<string>>;
  readonly checks: Readonly<Record<string, ParameterCheck>>;
  /** These are loaded when first needed: the first answer must not wait for them (DESIGN "The host"). */
  readonly openConfig: () => Promise<ConfigSource>;
  readonly openHistory: (configPath: string, word: (failure: Failure) => string) => Promise<History>;
  readonly openLauncher: () => Promise<AgentLauncher>;
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
  const outbox = new Outbox(ports.editor);
  const tell = (event: HostEvent) => {
    outbox.add(event);
  };
  const settings = once(async () => {
    const opened = new Settings(await ports.openConfig(), tell);
    ports.clock.after(followAfterMs, () => {
      opened.follow();
    });
    return opened;
  });
  const pool = once(async () => new AgentPool({ ...ports, settings: await settings(), tell }));
  const desk = once(async (): Promise<Desk> => {
    const known = await settings();
    // Loading the history holds everything up: what needs only the configuration is answered first.
    await new Promise<void>((resolve) => ports.clock.after(0, resolve));
    const history = await ports.openHistory(known.path, (failure) => known.wordFailure(failure));
    const agents = await pool();
    const { Desk } = await import('./desk.ts');
    const opened = new Desk({ ...ports, history, settings: known, agents, tell });
    await agents.connect(opened);
    return opened;
  });
  const project = async () => findProject(await ports.editor.workingDirectory(), ports.disk);
  const workspace = async (conversation: Conversation) => {
    const definition = (await settings()).config.agents.find((agent) => agent.name === conversation.direct);
    return definition ? workspaceOf(definition, conversation) : conversation.project;
  };
  const services: Services = {
    ...agentService(pool),
    ...configService(settings, desk),
    ...channelService({ desk, agents: pool, settings, project, workspace }),
    ...viewService({
      desk,
      settings,
      files: ports.files,
      facts: ports.facts,
      findProgram: ports.findProgram,
      workspace,
    }),
  };

  async function request(method: string, params: unknown): Promise<Reply> {
    const result = await answer(services, ports, method, params);
    if (result.ok) return { result: result.value };
    if (result.error.cause !== undefined) ports.log.write(`${method} failed`, result.error.cause);
    return { error: { code: result.error.code, message: (await settings()).wordFailure(result.error) } };
  }

  async function dispose(): Promise<void> {
    if (!settings.begun()) return;
    if (pool.begun()) await (await pool()).dispose();
    if (desk.begun()) (await desk()).dispose();
    await (await settings()).dispose();
  }

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

  return { request, dispose, tell, bug };
}

async function answer(services: Services, ports: HostPorts, method: string, params: unknown): Promise<Result<object>> {
  const check = ports.checks[method];
  if (!check || !isMethod(services, method)) return fail('not-found', 'error.unknownMethod', { method });
  if (!check(params)) return fail('invalid', 'error.params', { method, what: checkWords(check) });
  try {
    const handler: (params: never) => Promise<Result<object>> | Result<object> = services[method];
    return await handler(params);
  } catch (cause) {
    return fail('internal', 'error.internal', { what: causeText(cause) }, cause);
  }
}

const isMethod = (services: Services, name: string): name is MethodName => Object.hasOwn(services, name);

function checkWords({ errors }: ParameterCheck): string {
  const first = errors?.[0];
  const extra = first && 'additionalProperty' in first.params ? ` (${String(first.params.additionalProperty)})` : '';
  return first ? `${first.instancePath} ${first.message ?? ''}${extra}`.trim() : '';
}

/** Runs `make` at the first call and gives the same promise ever after. */
function once<T>(make: () => Promise<T>): (() => Promise<T>) & { begun(): boolean } {
  let made: Promise<T> | undefined;
  return Object.assign(() => (made ??= make()), { begun: () => made !== undefined });
}

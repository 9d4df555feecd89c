// Owns: the demo agent as a process with the SDK's client at its other end, and an editor's buffers as a map.
// Must not: assert anything.
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { client, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';
import type {
  ClientCapabilities,
  ClientConnection,
  ContentBlock,
  CreateElicitationResponse,
  InitializeResponse,
  NewSessionResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk';

export const demoAgent = fileURLToPath(new URL('../../../src/demo-agent/main.ts', import.meta.url));

/** Loading the SDK is most of what a start costs; the second one finds it compiled. */
const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/compile', import.meta.url));

export interface DemoOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly can?: ClientCapabilities;
  readonly state?: string;
}

/** A file of the editor: text, or the reason why it is refused. */
export type Buffered = { text: string } | { refused: string };

export class DemoClient {
  readonly state: string;
  readonly workspace = mkdtempSync(join(tmpdir(), 'demo-workspace-'));
  readonly child: ChildProcessWithoutNullStreams;
  readonly connection: ClientConnection;
  readonly exited: Promise<number | NodeJS.Signals | null>;
  readonly all: { sessionId: string; update: SessionUpdate }[] = [];
  readonly questions: RequestPermissionRequest[] = [];
  /** What the editor would answer; `fs/*` reaches only these files. */
  readonly buffers = new Map<string, Buffered>();
  readonly written: string[] = [];
  /** Why the editor takes no writes, if it does not. */
  refusesWrites: string | undefined;
  stderr = '';
  onPermission: (asked: RequestPermissionRequest) => Promise<RequestPermissionResponse> | RequestPermissionResponse =
    () => select('allow');
  onElicitation: () => CreateElicitationResponse = () => ({ action: 'cancel' });
  #watchers: (() => void)[] = [];

  constructor(options: DemoOptions) {
    this.state = options.state ?? mkdtempSync(join(tmpdir(), 'demo-state-'));
    this.child = spawn(process.execPath, [demoAgent], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        LANG: 'C.UTF-8',
        SIDEKICKS_DEMO_PACE: '0',
        NODE_COMPILE_CACHE: compileCache,
        XDG_STATE_HOME: this.state,
        ...options.environment,
      },
    });
    this.child.stderr.on('data', (bytes: Buffer) => {
      this.stderr += bytes.toString();
      this.#wake();
    });
    this.exited = new Promise((resolve) => this.child.on('exit', (code, signal) => resolve(code ?? signal)));
    this.connection = this.#connect();
  }

  async initialize(can: ClientCapabilities = {}): Promise<InitializeResponse> {
    return this.connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: can });
  }

  async open(cwd = this.workspace): Promise<NewSessionResponse> {
    return this.connection.agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  }

  async openId(): Promise<string> {
    return (await this.open()).sessionId;
  }

  async prompt(sessionId: string, prompt: string | readonly ContentBlock[]): Promise<StopReason> {
    const blocks: ContentBlock[] = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : [...prompt];
    const answer = await this.connection.agent.request(methods.agent.session.prompt, { sessionId, prompt: blocks });
    return answer.stopReason;
  }

  async cancel(sessionId: string): Promise<void> {
    await this.connection.agent.notify(methods.agent.session.cancel, { sessionId });
  }

  updates(sessionId: string): SessionUpdate[] {
    return this.all.filter((one) => one.sessionId === sessionId).map((one) => one.update);
  }

  /** The text of all chunks of one kind. */
  text(sessionId: string, kind: SessionUpdate['sessionUpdate'] = 'agent_message_chunk'): string {
    return this.updates(sessionId)
      .map((update) => (update.sessionUpdate === kind && 'content' in update ? update.content : undefined))
      .map((content) => (content && 'text' in content && typeof content.text === 'string' ? content.text : ''))
      .join('');
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }

  /** A new editor for the same agent: no files, no questions, every question allowed. */
  reset(): void {
    this.buffers.clear();
    this.questions.length = 0;
    this.written.length = 0;
    this.refusesWrites = undefined;
    this.onPermission = () => select('allow');
  }

  async close(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
    rmSync(this.workspace, { recursive: true, force: true });
    rmSync(this.state, { recursive: true, force: true });
  }

  #connect(): ClientConnection {
    const stream = ndJsonStream(
      Writable.toWeb(this.child.stdin),
      new ReadableStream({
        start: (controller) => {
          this.child.stdout.on('data', (bytes: Buffer) => controller.enqueue(bytes));
          this.child.stdout.on('end', () => controller.close());
        },
      }),
    );
    return client({ name: 'test' })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.all.push(params);
        this.#wake();
      })
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        this.questions.push(params);
        this.#wake();
        return this.onPermission(params);
      })
      .onRequest(methods.client.fs.readTextFile, ({ params }) => ({ content: this.#buffer(params.path) }))
      .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
        if (this.refusesWrites) throw RequestError.invalidParams(undefined, this.refusesWrites);
        this.buffers.set(params.path, { text: params.content });
        this.written.push(params.path);
        return {};
      })
      .onRequest(methods.client.elicitation.create, () => this.onElicitation())
      .connect(stream);
  }

  #buffer(path: string): string {
    const known = this.buffers.get(path);
    if (known === undefined) throw RequestError.resourceNotFound(path);
    if ('refused' in known) throw RequestError.invalidParams(undefined, known.refused);
    return known.text;
  }

  #wake(): void {
    for (const wake of this.#watchers.splice(0)) wake();
  }
}

export const editor: ClientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  session: { notices: {}, configOptions: { boolean: {} } },
  elicitation: { form: {} },
};

export async function startDemo(options: DemoOptions = {}): Promise<DemoClient> {
  const demo = new DemoClient(options);
  await demo.initialize(options.can);
  return demo;
}

export function select(optionId: string): RequestPermissionResponse {
  return { outcome: { outcome: 'selected', optionId } };
}

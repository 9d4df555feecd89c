// Between agents that run inside a container or sandbox and the rest, which knows only paths of the host (SPEC section 9,
// `runtime.workspacePath`). Changes paths and nothing else.
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AgentDefinition } from '../core/config.ts';
import type { Result } from '../core/errors.ts';
import type {
  AgentConnection,
  AgentLauncher,
  AgentListener,
  PromptBlock,
  SessionOpened,
  SessionUpdate,
  ToolPatch,
} from '../core/ports.ts';
import { folderInside, pathsOf, runsInside } from '../core/runtime.ts';
import { toAgentPath, toHostPath, type PathMap } from '../core/workspace.ts';

/** A launcher whose agents may call their workspace by another path than the host does. */
export const withAgentPaths = (launcher: AgentLauncher): AgentLauncher => ({
  launch(definition, cwd, listener) {
    if (!runsInside(definition)) return launcher.launch(definition, cwd, listener);
    const sessions = new SessionPaths(definition);
    return mappedConnection(launcher.launch(definition, cwd, mappedListener(listener, sessions)), sessions);
  },
  dispose: () => launcher.dispose(),
});

/** Sessions of one agent may be in different folders: an agent without a workspace of its own works in many projects. */
class SessionPaths {
  readonly #definition: AgentDefinition;
  readonly #known = new Map<string, PathMap | undefined>();
  #latest: PathMap | undefined;

  constructor(definition: AgentDefinition) {
    this.#definition = definition;
  }

  /** Whoever opens a session hears of it before its id is known: until then it is the latest. */
  async open(
    workspace: string,
    opening: (folder: string) => Promise<Result<SessionOpened>>,
  ): Promise<Result<SessionOpened>> {
    const paths = pathsOf(this.#definition, workspace);
    this.#latest = paths;
    const opened = await opening(folderInside(this.#definition.runtime, workspace));
    if (opened.ok) this.#known.set(opened.value.sessionId, paths);
    return opened;
  }

  of(session: string): PathMap | undefined {
    return this.#known.has(session) ? this.#known.get(session) : this.#latest;
  }
}

const mappedConnection = (connection: AgentConnection, sessions: SessionPaths): AgentConnection => ({
  ready: connection.ready,
  newSession: (cwd) => sessions.open(cwd, (folder) => connection.newSession(folder)),
  loadSession: (id, cwd) => sessions.open(cwd, (folder) => connection.loadSession(id, folder)),
  prompt: (id, blocks) =>
    connection.prompt(
      id,
      blocks.map((block) => mappedBlock(sessions.of(id), block)),
    ),
  cancel: (id) => connection.cancel(id),
  setOption: (id, option, value) => connection.setOption(id, option, value),
  stop: () => connection.stop(),
});

const mappedListener = (listener: AgentListener, sessions: SessionPaths): AgentListener => ({
  updated: (id, update) => listener.updated(id, mappedUpdate(sessions.of(id), update)),
  permissionRequested: (id, request, ...rest) =>
    listener.permissionRequested(id, { ...request, patch: mappedPatch(sessions.of(id), request.patch) }, ...rest),
  questionAsked: (...question) => listener.questionAsked(...question),
  readFile: async (id, request) => {
    const path = hostPath(sessions.of(id), request.path);
    return path.ok ? listener.readFile(id, { ...request, path: path.value }) : path;
  },
  writeFile: async (id, file, content) => {
    const path = hostPath(sessions.of(id), file);
    return path.ok ? listener.writeFile(id, path.value, content) : path;
  },
  signInNeeded: (methods) => listener.signInNeeded(methods),
  logged: (line) => listener.logged(line),
  exited: (exit) => listener.exited(exit),
  broke: (failure) => listener.broke(failure),
});

const hostPath = (paths: PathMap | undefined, path: string): Result<string> =>
  paths ? toHostPath(paths, path) : { ok: true, value: path };

const mappedUpdate = (paths: PathMap | undefined, update: SessionUpdate): SessionUpdate =>
  update.type === 'tool' ? { ...update, patch: mappedPatch(paths, update.patch) } : update;

/** What lies outside of the workspace is only shown: it stays what the agent called it. */
function mappedPatch(paths: PathMap | undefined, patch: ToolPatch): ToolPatch {
  const mapped = <T extends { readonly path: string }>(one: T): T => {
    const path = hostPath(paths, one.path);
    return path.ok ? { ...one, path: path.value } : one;
  };
  return {
    ...patch,
    ...(patch.locations && { locations: patch.locations.map(mapped) }),
    ...(patch.diffs && { diffs: patch.diffs.map(mapped) }),
  };
}

function mappedBlock(paths: PathMap | undefined, block: PromptBlock): PromptBlock {
  if (!paths || block.type === 'text' || !block.uri.startsWith('file:')) return block;
  const path = toAgentPath(paths, fileURLToPath(block.uri));
  return path.ok ? { ...block, uri: pathToFileURL(path.value).href } : block;
}

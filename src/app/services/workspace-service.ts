// WorkspaceService (SPEC section 14): the files of an agent's workspace. What they are and where, others know.
import { ok, type Result } from '../../core/errors.ts';
import type { PathQuestions } from '../path-questions.ts';
import type { Settings } from '../settings.ts';
import type { WorkspaceWatches } from '../workspace-watches.ts';
import type { Workspaces } from '../workspaces.ts';
import type { Service } from './services.ts';

export interface WorkspaceServiceOptions {
  readonly settings: () => Promise<Settings>;
  readonly questions: PathQuestions;
  /** Loaded when somebody asks for a file: the first answer must not wait for them. */
  readonly workspaces: () => Promise<Workspaces>;
  readonly watches: () => Promise<WorkspaceWatches>;
}

export function workspaceService(options: WorkspaceServiceOptions): Service<'WorkspaceService'> {
  const { settings, questions, workspaces, watches } = options;
  return {
    'WorkspaceService.Info': async ({ agent }) => (await workspaces()).info(agent),
    'WorkspaceService.List': async ({ agent, dir }) => (await workspaces()).list(agent, dir),
    'WorkspaceService.Read': async ({ agent, path }) => (await workspaces()).read(agent, path),
    'WorkspaceService.Save': async ({ agent, path, content, version }) =>
      (await workspaces()).save(agent, path, content, version),
    'WorkspaceService.Create': async ({ agent, dir, name }) =>
      nothing(await (await workspaces()).create(agent, dir, name)),
    'WorkspaceService.Remove': async ({ agent, path, permanent = false }) =>
      nothing(await (await workspaces()).remove(agent, path, permanent)),
    'WorkspaceService.Attach': async ({ agent, hostPath }) => {
      const path = await (await workspaces()).attach(agent, hostPath);
      return path.ok ? ok({ path: path.value }) : path;
    },
    'WorkspaceService.ChooseAttachment': async () => {
      const path = await questions.ask((await settings()).word('attach.which'));
      return path.ok ? ok({ path: path.value }) : path;
    },
    'WorkspaceService.Image': async ({ agent, path }) => (await workspaces()).image(agent, path),
    'WorkspaceService.Watch': async ({ agent }) => nothing(await (await watches()).watch(agent)),
    'WorkspaceService.Unwatch': async ({ agent }) => nothing(await (await watches()).unwatch(agent)),
  };
}

const nothing = (result: Result<unknown>): Result<Record<string, never>> => (result.ok ? ok({}) : result);

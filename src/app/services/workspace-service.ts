// WorkspaceService (SPEC section 14): files of an agent's workspace, for messages.
import { fail, ok, type Result } from '../../core/errors.ts';
import type { Disk, WorkspaceFiles } from '../../core/ports.ts';
import { maxFileBytes } from '../../core/prompt/blocks.ts';
import { insideWorkspace } from '../../core/workspace.ts';
import type { PathQuestions } from '../path-questions.ts';
import type { Settings } from '../settings.ts';
import type { Service } from './services.ts';

export interface WorkspaceServiceOptions {
  readonly settings: () => Promise<Settings>;
  readonly project: () => Promise<string>;
  readonly disk: Disk;
  readonly files: WorkspaceFiles;
  readonly questions: PathQuestions;
}

export function workspaceService(options: WorkspaceServiceOptions): Service<'WorkspaceService'> {
  const { settings, project, disk, files, questions } = options;

  /** The folder an agent works in; one without a folder of its own works in the current project. */
  async function workspaceOf(agent: string): Promise<Result<string>> {
    const definition = (await settings()).config.agents.find(({ name }) => name === agent);
    if (!definition) return fail('not-found', 'error.unknownAgent', { agent });
    return ok(definition.workspace || (await project()));
  }

  async function image(workspace: string, path: string): Promise<Result<{ url: string }>> {
    const [root, file] = await Promise.all([
      disk.resolve(workspace),
      files.spelled(workspace, path).then((spelled) => disk.resolve(spelled)),
    ]);
    if (!root.ok) return root;
    if (!file.ok) return file;
    const inside = insideWorkspace(root.value, file.value);
    if (!inside.ok) return inside;
    const { imageFileType } = await import('../../core/prompt/content.ts');
    const bytes = await disk.readBytes(file.value, maxFileBytes);
    if (!bytes.ok) return bytes;
    const type = imageFileType(file.value, bytes.value);
    if (type === undefined) return fail('invalid', 'attach.notImage', { path });
    return ok({ url: `data:${type};base64,${Buffer.from(bytes.value).toString('base64')}` });
  }

  return {
    'WorkspaceService.Attach': async ({ agent, hostPath }) => {
      const workspace = await workspaceOf(agent);
      if (!workspace.ok) return workspace;
      const { attach } = await import('../attach.ts');
      const path = await attach({ disk, files }, workspace.value, hostPath);
      return path.ok ? ok({ path: path.value }) : path;
    },
    'WorkspaceService.ChooseAttachment': async () => {
      const path = await questions.ask((await settings()).word('attach.which'));
      return path.ok ? ok({ path: path.value }) : path;
    },
    'WorkspaceService.Image': async ({ agent, path }) => {
      const workspace = await workspaceOf(agent);
      return workspace.ok ? image(workspace.value, path) : workspace;
    },
  };
}

// ConfigService (SPEC section 14): the configuration in force, its file, and the files the assistant adds agents from.
import type { Configuration } from '../../core/contract/shapes.ts';
import { absolutePath } from '../../core/config/locate.ts';
import { fail, ok, type Result } from '../../core/errors.ts';
import type { Disk, Editor, Preferences } from '../../core/ports.ts';
import type { TextKey } from '../../core/texts/index.ts';
import type { ConfigChoice } from '../config-choice.ts';
import type { ConfigEditOptions } from '../config-edits.ts';
import type { PathQuestions } from '../path-questions.ts';
import { reset, type ResetOptions } from '../reset.ts';
import type { Workbench } from '../workbench.ts';
import type { Service } from './services.ts';

export interface ConfigServiceOptions {
  readonly bench: Workbench;
  readonly choice: ConfigChoice;
  readonly questions: PathQuestions;
  readonly preferences: Preferences;
  readonly editor: Editor;
  readonly disk: Disk;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly reset: ResetOptions;
}

/** 1 MB. */
const maxBytes = 1_048_576;

export function configService(options: ConfigServiceOptions): Service<'ConfigService'> {
  const { bench, choice, questions, preferences } = options;

  /** Loaded when somebody asks: the first answer must not wait for what it does not need. */
  async function edit<T>(
    action: (edits: typeof import('../config-edits.ts'), edited: ConfigEditOptions) => T | Promise<T>,
  ): Promise<T> {
    const edits = await import('../config-edits.ts');
    return action(edits, { ...options, settings: await bench.settings() });
  }

  async function current(): Promise<Configuration> {
    return (await bench.settings()).current((await bench.desk()).history.problem);
  }

  async function open(path: string): Promise<Result<Configuration>> {
    const chosen = await choice.open(path);
    if (!chosen.ok) return chosen;
    const opened = await bench.renew(() => Promise.resolve(ok({ chosen: chosen.value, value: undefined })));
    return opened.ok ? ok(await current()) : opened;
  }

  async function choose(prompt: TextKey): Promise<Result<{ path: string }>> {
    const path = await questions.ask((await bench.settings()).word(prompt));
    return path.ok ? ok({ path: path.value }) : path;
  }

  return {
    'ConfigService.Current': async () => ok(await current()),
    'ConfigService.Content': async () => {
      const text = await (await bench.settings()).source.text();
      return text.ok ? ok({ text: text.value }) : text;
    },
    'ConfigService.Validate': ({ text }) => edit(({ checkText }, edited) => ok({ problems: checkText(edited, text) })),
    'ConfigService.Save': ({ text }) => edit(({ saveText }, edited) => saveText(edited, text)),
    'ConfigService.Schema': async () => {
      const { configSchema } = await import('../../core/config/schema.ts');
      return ok({ schema: configSchema((await bench.settings()).config.language) });
    },
    'ConfigService.Open': ({ path }) => open(path),
    'ConfigService.Recent': async () => ok({ paths: [...(await preferences.recent())] }),
    'ConfigService.Choose': async () => {
      const chosen = await choose('choose.config');
      if (!chosen.ok || chosen.value.path === '') return chosen;
      const opened = await open(chosen.value.path);
      return opened.ok ? chosen : opened;
    },
    'ConfigService.ChooseSandboxEnv': () => choose('choose.sandboxEnv'),
    'ConfigService.ChooseAgentConfig': () => choose('choose.agentConfig'),
    'ConfigService.ChooseCompose': () => choose('choose.compose'),
    'ConfigService.ReadSandboxEnv': ({ path }) => readSandboxFile(options, path),
    'ConfigService.ReadCompose': ({ path }) => readComposeFile(options, path),
    'ConfigService.AddAgent': async ({ agent }) => {
      const { name, ...fields } = agent;
      if (typeof name !== 'string') return fail('invalid', 'config.missingKey', { key: 'name' });
      const added = await edit(({ addToFile }, edited) => addToFile(edited, { name, fields }));
      return added.ok ? ok({}) : added;
    },
    'ConfigService.Reset': async ({ choice: what }) => {
      const { path } = await bench.settings();
      const copies = await bench.renew(() => reset(options.reset, what, path));
      return copies.ok ? ok({ copies: copies.value }) : copies;
    },
  };
}

// ---- files of others, for the assistant; what reads them is loaded when somebody asks ----

async function readSandboxFile({ bench, ...options }: ConfigServiceOptions, written: string) {
  const path = await absolute(options, written);
  const text = await readSmall(options.disk, path);
  if (!text.ok) return text;
  const { readSandboxEnv } = await import('../../core/sandbox-env.ts');
  return readSandboxEnv(path, text.value, (await bench.settings()).config.language);
}

async function readComposeFile({ bench, ...options }: ConfigServiceOptions, written: string) {
  const { readCompose } = await import('../../core/compose/read.ts');
  const { language } = (await bench.settings()).config;
  const read = (path: string) => readSmall(options.disk, path);
  const project = await readCompose(await absolute(options, written), { read, env: options.env, language });
  if (!project.ok) return project;
  const { folder, services, problems } = project.value;
  return ok({ folder, services: [...services], problems: [...problems] });
}

const absolute = async ({ editor, home }: Pick<ConfigServiceOptions, 'editor' | 'home'>, path: string) =>
  absolutePath({ home, folder: await editor.workingDirectory() }, path);

async function readSmall(disk: Disk, path: string): Promise<Result<string>> {
  const size = await disk.fileSize(path);
  if (!size.ok) return size;
  return size.value > maxBytes ? fail('limit', 'file.tooLarge', { path, limit: '1 MB' }) : disk.readText(path);
}

// Owns what each real agent needs to talk to the fake model: package, settings, environment, and what it is known to do.
// No secret, no network, and no process is started here.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where an agent runs: the fake model's address and an empty home folder. */
export interface Place {
  readonly url: string;
  readonly home: string;
}

export interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export type StepName = 'write' | 'read' | 'edit' | 'bash';

export interface RealAgent {
  readonly package: string;
  readonly version: string;
  readonly bin: string;
  /** A second package whose programs must be on PATH. */
  readonly companion?: { readonly package: string; readonly version: string };
  /** What it takes on disk, for the message shown while it is installed. */
  readonly megabytes: number;
  /** The mode to choose after `session/new`, where the agent would else edit without asking. */
  readonly mode?: string;
  /** It makes no new file if reading a missing one is an error. */
  readonly missingFileReadsEmpty?: boolean;
  readonly asksPermission: boolean;
  /** How a file is changed: through `fs/write_text_file`, straight on disk, or both ways at once. */
  readonly writes: 'client' | 'disk' | 'both';
  /** Whether it reads through `fs/read_text_file` in the turn tried here. */
  readonly readsThroughClient: boolean;
  readonly steps: readonly StepName[];
  /** Writes the agent's settings into the home folder and says how to start it. */
  setUp(place: Place): Launch;
}

const CLAUDE_ENV = { ANTHROPIC_API_KEY: 'none', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };

export const AGENTS: Readonly<Record<string, RealAgent>> = {
  /** The older Claude adapter, the only one here that reads and writes through the client. */
  'claude-code-acp': {
    package: '@zed-industries/claude-code-acp',
    version: '0.16.2',
    bin: 'claude-code-acp',
    megabytes: 124,
    asksPermission: true,
    writes: 'client',
    readsThroughClient: true,
    steps: ['write', 'read', 'edit', 'bash'],
    setUp: ({ url }) => ({ args: [], env: { ...CLAUDE_ENV, ANTHROPIC_BASE_URL: url } }),
  },

  claude: {
    package: '@agentclientprotocol/claude-agent-acp',
    version: '0.101.0',
    bin: 'claude-agent-acp',
    megabytes: 402,
    mode: 'default',
    asksPermission: true,
    writes: 'disk',
    readsThroughClient: false,
    steps: ['write', 'read', 'edit', 'bash'],
    setUp: ({ url }) => ({ args: [], env: { ...CLAUDE_ENV, ANTHROPIC_BASE_URL: url } }),
  },

  opencode: {
    package: 'opencode-ai',
    version: '1.18.33',
    bin: 'opencode',
    megabytes: 354,
    asksPermission: true,
    writes: 'both',
    readsThroughClient: false,
    steps: ['write', 'edit', 'bash'],
    setUp: ({ url, home }) => {
      const settings = join(home, 'opencode.json');
      save(settings, JSON.stringify(opencodeSettings(url)));
      return { args: ['acp'], env: { OPENCODE_CONFIG: settings } };
    },
  },

  gemini: {
    package: '@google/gemini-cli',
    version: '0.61.0',
    bin: 'gemini',
    megabytes: 100,
    missingFileReadsEmpty: true,
    asksPermission: true,
    writes: 'client',
    readsThroughClient: true,
    steps: ['write', 'edit', 'bash'],
    setUp: ({ url, home }) => {
      save(
        join(home, '.gemini/settings.json'),
        JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
      );
      return { args: ['--acp'], env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'none' } };
    },
  },

  qwen: {
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    bin: 'qwen',
    megabytes: 152,
    asksPermission: true,
    writes: 'client',
    readsThroughClient: true,
    steps: ['write', 'read', 'edit', 'bash'],
    setUp: ({ url, home }) => {
      save(join(home, '.qwen/settings.json'), JSON.stringify({ security: { auth: { selectedType: 'openai' } } }));
      const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'fake-model' };
      return { args: ['--acp'], env };
    },
  },

  /** No shell step: its sandbox wants bubblewrap. */
  codex: {
    package: '@agentclientprotocol/codex-acp',
    version: '2.6.0',
    bin: 'codex-acp',
    megabytes: 457,
    mode: 'read-only',
    asksPermission: true,
    writes: 'disk',
    readsThroughClient: false,
    steps: ['write', 'edit'],
    setUp: ({ url, home }) => {
      save(
        join(home, '.codex/config.toml'),
        codexSettings(url, ['model = "fake-model"', 'sandbox_mode = "read-only"']),
      );
      return { args: [], env: { FAKE_KEY: 'none' } };
    },
  },

  /** The older Codex adapter; it wants a key in the environment even for a provider of one's own. */
  'codex-zed': {
    package: '@zed-industries/codex-acp',
    version: '0.16.0',
    bin: 'codex-acp',
    megabytes: 223,
    asksPermission: true,
    writes: 'disk',
    readsThroughClient: false,
    steps: ['write', 'edit', 'bash'],
    setUp: ({ url, home }) => {
      const choices = ['model = "gpt-5.4"', 'approval_policy = "untrusted"', 'sandbox_mode = "danger-full-access"'];
      save(join(home, '.codex/config.toml'), codexSettings(url, choices));
      return { args: [], env: { FAKE_KEY: 'none', CODEX_API_KEY: 'none' } };
    },
  },

  copilot: {
    package: '@github/copilot',
    version: '1.0.102',
    bin: 'copilot',
    megabytes: 189,
    asksPermission: true,
    writes: 'disk',
    readsThroughClient: false,
    steps: ['write', 'edit', 'bash'],
    setUp: ({ url }) => ({
      args: ['--acp'],
      env: {
        COPILOT_OFFLINE: 'true',
        COPILOT_AUTO_UPDATE: 'false',
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_API_KEY: 'none',
        COPILOT_MODEL: 'fake-model',
      },
    }),
  },

  /** It never asks for permission. */
  pi: {
    package: 'pi-acp',
    version: '0.0.34',
    bin: 'pi-acp',
    companion: { package: '@earendil-works/pi-coding-agent', version: '1.6.0' },
    megabytes: 176,
    asksPermission: false,
    writes: 'disk',
    readsThroughClient: false,
    steps: ['write', 'edit', 'bash'],
    setUp: ({ url, home }) => {
      save(join(home, '.pi/agent/models.json'), JSON.stringify(piModels(url)));
      save(
        join(home, '.pi/agent/settings.json'),
        JSON.stringify({ defaultProvider: 'fake', defaultModel: 'fake-model' }),
      );
      return { args: [], env: { PI_OFFLINE: '1' } };
    },
  },
};

/** The agent of that name; an unknown one is an error that lists the known ones. */
export function realAgent(name: string): RealAgent {
  const agent = AGENTS[name];
  if (!agent) throw new Error(`no real agent is called ${name}; there are ${Object.keys(AGENTS).join(', ')}`);
  return agent;
}

function save(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function opencodeSettings(url: string) {
  const limit = { context: 100_000, output: 4096 };
  const model = { name: 'Fake model', tool_call: true, reasoning: true, limit };
  return {
    model: 'fake/fake-model',
    small_model: 'fake/fake-model',
    autoupdate: false,
    share: 'disabled',
    enabled_providers: ['fake'],
    provider: {
      fake: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Fake',
        options: { baseURL: `${url}/v1`, apiKey: 'none' },
        models: { 'fake-model': model },
      },
    },
    permission: { edit: 'ask', bash: 'ask' },
  };
}

function codexSettings(url: string, choices: readonly string[]): string {
  const provider = ['name = "Fake"', `base_url = "${url}/v1"`, 'wire_api = "responses"', 'env_key = "FAKE_KEY"'];
  const lines = [...choices, 'model_provider = "fake"', '[model_providers.fake]', ...provider];
  return [...lines, 'requires_openai_auth = false', ''].join('\n');
}

function piModels(url: string) {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const size = { contextWindow: 100_000, maxTokens: 4096 };
  const model = { id: 'fake-model', name: 'Fake model', reasoning: false, input: ['text'], ...size, cost };
  const fake = { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'none', models: [model] };
  return { providers: { fake } };
}

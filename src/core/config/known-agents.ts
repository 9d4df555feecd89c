// Agents that speak ACP and the commands that start them. Says nothing of whether they are installed.
import { nameKey } from './names.ts';

export interface KnownAgent {
  /** The name a first configuration gives it. */
  readonly name: string;
  readonly title: string;
  /** Programs that are this agent, the best first. */
  readonly programs: readonly string[];
  readonly args: readonly string[];
}

const agent = (name: string, title: string, programs: string | readonly string[], ...args: string[]): KnownAgent => ({
  name,
  title,
  programs: [programs].flat(),
  args,
});

export const knownAgents: readonly KnownAgent[] = [
  agent('claude', 'Claude', ['claude-agent-acp', 'claude-code-acp']),
  agent('gemini', 'Gemini', 'gemini', '--acp'),
  agent('codex', 'Codex', 'codex-acp'),
  agent('opencode', 'opencode', 'opencode', 'acp'),
  agent('qwen', 'Qwen', 'qwen', '--acp'),
  agent('copilot', 'Copilot', 'copilot', '--acp'),
  agent('auggie', 'Auggie', 'auggie', '--acp'),
  agent('goose', 'goose', 'goose', 'acp'),
  agent('cursor', 'Cursor', 'cursor-agent', 'acp'),
  agent('kimi', 'Kimi', 'kimi', 'acp'),
  agent('pi', 'pi', 'pi-acp'),
  agent('droid', 'Droid', 'droid', 'exec', '--output-format', 'acp'),
  agent('kiro', 'Kiro', 'kiro-cli-chat', 'acp'),
  agent('devin', 'Devin', 'devin', 'acp'),
  agent('grok', 'Grok', 'grok', 'agent', 'stdio'),
  agent('junie', 'Junie', 'junie', '--acp=true'),
  agent('qoder', 'Qoder', 'qodercli', '--acp'),
  agent('iflow', 'iFlow', 'iflow', '--experimental-acp'),
];

/** Whether one of these agents, as a configuration has them, is the known one: by its program, or by its name. */
export const isConfigured = (
  { name, programs }: KnownAgent,
  agents: readonly { readonly name: string; readonly command: string }[],
): boolean =>
  agents.some(
    (agent) =>
      nameKey(agent.name) === name || programs.includes(agent.command.slice(agent.command.lastIndexOf('/') + 1)),
  );

/** One that is installed: `command` is the program that was found. */
export interface FoundAgent {
  readonly name: string;
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** What a first configuration shows as a comment: it needs a file that only its user has. */
export const dockerAgent: FoundAgent = {
  name: 'bob',
  title: 'Bob (docker agent)',
  command: 'docker',
  args: ['agent', 'serve', 'acp', './agent.yaml'],
};

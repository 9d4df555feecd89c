// An agent's definition for tests, and stop times short enough for them. Needs no test runner.
import type { AgentDefinition } from '../../../../src/core/config.ts';

export const quickStop = { inputMs: 300, termMs: 300 };

export function definition(
  command: string,
  args: readonly string[],
  more: Partial<AgentDefinition> = {},
): AgentDefinition {
  return {
    name: 'ann',
    title: 'Ann',
    icon: '',
    description: '',
    command,
    args,
    env: {},
    workspace: '',
    startTimeoutMs: 10_000,
    mcpServers: [],
    defaults: { mode: '', model: '' },
    runtime: {
      type: 'local',
      name: '',
      cli: 'docker',
      workspacePath: '',
      launch: 'inside',
      lifecycle: { create: '', stop: '', remove: '' },
    },
    ...more,
  };
}

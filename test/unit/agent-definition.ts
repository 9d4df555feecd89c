// An agent's definition with every default, for tests. Needs no test runner.
import type { AgentDefinition } from '../../src/core/config.ts';

export const agentDefinition = (name: string, fields: Partial<AgentDefinition> = {}): AgentDefinition => ({
  name,
  title: name,
  icon: '',
  description: '',
  command: 'node',
  args: [],
  env: {},
  workspace: '',
  startTimeoutMs: 30_000,
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
  ...fields,
});

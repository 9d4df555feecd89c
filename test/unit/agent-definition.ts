// An agent's definition with every default, for tests. Needs no test runner.
import type { AgentDefinition, RuntimeDefinition } from '../../src/core/config.ts';

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
  runtime: { ...inContainer(), type: 'local', name: '' },
  ...fields,
});

/** The container `web-1`, with every default. */
export const inContainer = (fields: Partial<RuntimeDefinition> = {}): RuntimeDefinition => ({
  type: 'container',
  name: 'web-1',
  cli: 'docker',
  workspacePath: '',
  launch: 'inside',
  lifecycle: { create: '', stop: '', remove: '' },
  ...fields,
});

// The definition of an agent that is launched in tests, and stop times short enough for them. Needs no test runner.
import type { AgentDefinition } from '../../../../src/core/config.ts';
import { agentDefinition } from '../../agent-definition.ts';

export const quickStop = { inputMs: 300, termMs: 300 };

export const definition = (
  command: string,
  args: readonly string[],
  more: Partial<AgentDefinition> = {},
): AgentDefinition => agentDefinition('ann', { title: 'Ann', command, args, startTimeoutMs: 10_000, ...more });

// Which MCP servers of the configuration an agent can be told of (ACP.md 3.5, `mcpCapabilities`). Asks nobody.
import type { AgentDefinition, McpServer } from './config.ts';
import type { AgentInfo } from './ports.ts';

/** Programs every agent can launch; the rest only those that say so. */
const canUse = ({ mcp }: AgentInfo, server: McpServer): boolean => !('type' in server) || mcp[server.type];

export const usableServers = ({ mcpServers }: AgentDefinition, info: AgentInfo): readonly McpServer[] =>
  mcpServers.filter((server) => canUse(info, server));

export interface LeftOut {
  /** Separated by commas, as are `types`. */
  readonly names: string;
  readonly types: string;
}

/** Undefined when the agent is told of all of them. */
export function leftOutServers({ mcpServers }: AgentDefinition, info: AgentInfo): LeftOut | undefined {
  const left = mcpServers.filter((server) => !canUse(info, server));
  if (left.length === 0) return undefined;
  const types = new Set(left.map((server) => ('type' in server ? server.type : '')));
  return { names: left.map(({ name }) => name).join(', '), types: [...types].join(', ') };
}

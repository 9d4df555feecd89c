// Tells whether two definitions of an agent would run the same process in the same way (SPEC section 4, `outdated`).
import type { AgentDefinition } from '../config.ts';

/** What only the interface shows, and the time a start may take, need no restart to change. */
export function definitionFingerprint(definition: AgentDefinition): string {
  const { command, args, env, workspace, mcpServers, defaults, runtime } = definition;
  const sortedEnv = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([command, args, sortedEnv, workspace, mcpServers, defaults, runtime]);
}

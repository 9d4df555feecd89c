// A changed configuration: agents that came, went or changed, in the new order (SPEC sections 3 and 4).
import type { AgentDefinition } from '../config.ts';
import { change, newAgent, andThen, unchanged, type Limits, type Pool, type Step } from './state.ts';
import { stopAgent } from './stop.ts';

export function changeDefinitions(pool: Pool, definitions: readonly AgentDefinition[], limits: Limits): Step {
  const names = new Set(definitions.map((definition) => definition.name));
  const gone = pool.agents.map((agent) => agent.definition.name).filter((name) => !names.has(name));
  const without = gone.reduce((step, name) => andThen(step, (now) => removeAgent(now, name)), unchanged(pool));
  return andThen(without, (now) => {
    const known = new Map(now.agents.map((agent) => [agent.definition.name, agent]));
    const agents = definitions.map((definition) => ({
      ...(known.get(definition.name) ?? newAgent(definition)),
      definition,
      removed: false,
    }));
    const removed = now.agents.filter((agent) => agent.removed && !names.has(agent.definition.name));
    return unchanged({ ...now, agents: [...agents, ...removed], limits });
  });
}

const removeAgent = (pool: Pool, name: string): Step =>
  andThen(stopAgent(pool, name), (now) => unchanged(change(now, name, { removed: true })));

/** A removed agent of which nothing is left is forgotten. */
export function forgetRemoved(pool: Pool): Step {
  const isLeft = pool.agents.every((agent) => !agent.removed || agent.process);
  return unchanged(isLeft ? pool : { ...pool, agents: pool.agents.filter((agent) => !agent.removed || agent.process) });
}

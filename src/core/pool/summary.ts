// The pool as a person sees it: one summary an agent, and a report for each that changed. Decides nothing about agents.
import { definitionFingerprint } from '../config/fingerprint.ts';
import type { AgentSummary } from '../contract/shapes.ts';
import { wordFailure, type Language } from '../texts/index.ts';
import type { AgentError, Pool, PoolAgent, PoolEffect } from './state.ts';

/** Every agent of the configuration, in its order. */
export const summaries = (pool: Pool, language: Language): AgentSummary[] =>
  pool.agents.filter((agent) => !agent.removed).map((agent) => summarize(agent, language));

function summarize(agent: PoolAgent, language: Language): AgentSummary {
  const { name, title, icon, description, runtime } = agent.definition;
  return {
    name,
    title,
    icon,
    description,
    state: agent.state,
    error: agent.error ? errorText(language, agent.error) : '',
    outdated: isOutdated(agent),
    runtime: runtime.type,
    canStopSandbox: runtime.lifecycle.stop !== '',
    canRemoveSandbox: runtime.lifecycle.remove !== '',
  };
}

/** The reason, then the last lines of standard error, unless the reason quotes them already. */
export function errorText(language: Language, { failure, lines }: AgentError): string {
  const quoted = failure.values?.['output'] ?? '';
  return [wordFailure(language, failure), ...(quoted === '' ? lines : [])].join('\n');
}

export const isOutdated = ({ process, definition }: PoolAgent): boolean =>
  process?.leaving === false && process.fingerprint !== definitionFingerprint(definition);

/** What changed for the eye between two pools. */
export function reports(before: Pool, after: Pool): readonly PoolEffect[] {
  if (before.agents === after.agents) return [];
  const listed = after.agents.filter((agent) => !agent.removed);
  const known = new Map(before.agents.map((agent) => [agent.definition.name, agent]));
  const changed = listed.filter((agent) => isNews(known.get(agent.definition.name), agent));
  return [...changed.map(report), ...reportsOfRemoved(before, listed)];
}

const report = (agent: PoolAgent): PoolEffect => ({
  type: 'report',
  agent: agent.definition.name,
  state: agent.state,
  ...(agent.error && { error: agent.error }),
});

function reportsOfRemoved(before: Pool, listed: readonly PoolAgent[]): readonly PoolEffect[] {
  const names = new Set(listed.map((agent) => agent.definition.name));
  return before.agents
    .filter((agent) => !agent.removed && !names.has(agent.definition.name))
    .map((agent) => ({ type: 'report', agent: agent.definition.name, state: 'stopped' }));
}

function isNews(before: PoolAgent | undefined, after: PoolAgent): boolean {
  if (before === after) return false;
  if (!before || before.removed || before.error !== after.error) return true;
  // Errors are the same on both sides, so any language will do.
  return JSON.stringify(summarize(before, 'en')) !== JSON.stringify(summarize(after, 'en'));
}

// The mode and the model the configuration wants of each new session (SPEC section 3, `defaults`). Opens no session.
import type { Option } from '../core/contract/shapes.ts';
import type { Failure } from '../core/errors.ts';
import type { OpenSession, RunningAgent } from './running.ts';

type Category = 'mode' | 'model';

/** Chooses what is offered, and says what could not be chosen; gives the options as they are then. */
export async function applyDefaults(agent: RunningAgent, session: OpenSession): Promise<readonly Option[]> {
  let { options } = session;
  for (const category of ['mode', 'model'] as const) {
    const value = agent.definition.defaults[category];
    if (value !== '') options = await choose(agent, session.sessionId, options, category, value);
  }
  return options;
}

async function choose(
  agent: RunningAgent,
  sessionId: string,
  options: readonly Option[],
  category: Category,
  value: string,
): Promise<readonly Option[]> {
  const ofCategory = options.filter((one) => one.category === category);
  const offered = ofCategory.find(({ choices }) => choices.some((choice) => choice.value === value));
  if (!offered) {
    warnNotOffered(agent, ofCategory, category, value);
    return options;
  }
  if (offered.value === value) return options;
  const set = await agent.connection.setOption(sessionId, offered.optionId, value);
  if (set.ok) return set.value;
  warnRefused(agent, category, value, set.error);
  return options;
}

function warnNotOffered(agent: RunningAgent, offered: readonly Option[], category: Category, value: string): void {
  const values = offered.flatMap(({ choices }) => choices.map((choice) => choice.value)).join(', ');
  if (values === '') agent.warn(category === 'mode' ? 'agent.noModes' : 'agent.noModels', { value });
  else agent.warn(category === 'mode' ? 'agent.noSuchMode' : 'agent.noSuchModel', { value, values });
}

function warnRefused(agent: RunningAgent, category: Category, value: string, failure: Failure): void {
  const what = agent.word(failure);
  agent.warn(category === 'mode' ? 'agent.modeRefused' : 'agent.modelRefused', { value, what });
}

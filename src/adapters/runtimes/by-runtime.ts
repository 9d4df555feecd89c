// Sends each agent to the runtime its definition names. Those this version cannot run are refused with a failure that says so.
import { fail, type Failure } from '../../core/errors.ts';
import type { AgentDefinition } from '../../core/config.ts';
import type { AgentProcess, ProcessLauncher, ProcessListener } from '../../core/ports.ts';

export const byRuntime = (local: ProcessLauncher): ProcessLauncher => ({
  launch(definition, cwd, listener) {
    const refusal = refusalOf(definition);
    return refusal ? refuse(refusal, listener) : local.launch(definition, cwd, listener);
  },
  dispose: () => local.dispose(),
});

function refusalOf({ runtime: { type, name } }: AgentDefinition): Failure | undefined {
  switch (type) {
    case 'local':
      return undefined;
    case 'container':
      return fail('unavailable', 'agent.noContainersYet', { name }).error;
    case 'sbx':
      return fail('unavailable', 'agent.noSandboxesYet', { name }).error;
  }
}

/** A listener hears of nothing while it launches. */
function refuse(failure: Failure, listener: ProcessListener): AgentProcess {
  setImmediate(() => listener.failed(failure));
  return { write: () => Promise.resolve(false), stop: () => Promise.resolve() };
}

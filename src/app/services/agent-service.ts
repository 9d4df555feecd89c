// AgentService (SPEC section 14): the pool, as asked by commands, the panel and scripts.
import { ok, type Result } from '../../core/errors.ts';
import type { Agents } from '../agents.ts';
import type { Sandboxes } from '../sandboxes.ts';
import type { Service } from './services.ts';

export function agentService(agents: () => Promise<Agents>, sandboxes: Sandboxes): Service<'AgentService'> {
  const nothing = async (done: Promise<Result<undefined>>) => {
    const result = await done;
    return result.ok ? ok({}) : result;
  };
  return {
    'AgentService.List': async () => ok({ agents: (await agents()).list() }),
    'AgentService.Start': async ({ name }) => nothing((await agents()).start(name)),
    'AgentService.Stop': async ({ name }) => nothing((await agents()).stop(name)),
    'AgentService.Restart': async ({ name }) => nothing((await agents()).restart(name)),
    'AgentService.StopSandbox': ({ name }) => nothing(sandboxes.run(name, 'stop')),
    'AgentService.RemoveSandbox': ({ name }) => nothing(sandboxes.run(name, 'remove')),
    'AgentService.Logs': async ({ name }) => {
      const lines = (await agents()).logs(name);
      return lines.ok ? ok({ lines: [...lines.value] }) : lines;
    },
  };
}

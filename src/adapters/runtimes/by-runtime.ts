// Sends each agent to where its definition says it runs: a process of this machine, or one inside its container or sandbox.
import { runsInside } from '../../core/runtime.ts';
import type { ProcessLauncher } from '../../core/ports.ts';

export const byRuntime = (local: ProcessLauncher, inside: ProcessLauncher): ProcessLauncher => ({
  launch: (definition, cwd, listener) => (runsInside(definition) ? inside : local).launch(definition, cwd, listener),
  dispose: async () => {
    // What ends programs inside runs on this machine itself.
    await inside.dispose();
    await local.dispose();
  },
});

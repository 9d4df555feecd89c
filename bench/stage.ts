// Owns: one fresh Neovim with Sidekicks and the bench agent, in folders of its own. Must not: measure.
import { resolve } from 'node:path';
import { Nvim } from '../test/nvim/support/nvim.ts';
import { Place } from '../test/nvim/support/place.ts';
import type { Running } from './running.ts';

export const agentName = 'bench';
const agentProgram = resolve(import.meta.dirname, 'agent.mjs');

export interface Stage {
  readonly nvim: Nvim;
  readonly place: Place;
}

/** NODE_OPTIONS would let the agent write a profile too, and slow it down. Each its own, or YAML would write it once only. */
export const agent = (): object => ({
  command: process.execPath,
  args: [agentProgram],
  env: { NODE_OPTIONS: '' },
});
const oneAgent = { agents: { [agentName]: agent() } };

export async function inPlace<T>(
  running: Running,
  work: (place: Place) => Promise<T>,
  config: object | string = oneAgent,
): Promise<T> {
  const place = new Place();
  place.writeConfig(config);
  return running.until(
    () => place.remove(),
    () => work(place),
  );
}

export interface Setting {
  /** A folder for the processor profile of the host. */
  readonly profile?: string | undefined;
  readonly config?: object | string;
}

export function onStage<T>(
  running: Running,
  work: (stage: Stage) => Promise<T>,
  { profile, config }: Setting = {},
): Promise<T> {
  const raise = async (place: Place): Promise<T> => {
    const nvim = await nvimIn(place, profile);
    return running.until(
      () => nvim.dispose(),
      () => work({ nvim, place }),
    );
  };
  return inPlace(running, raise, config);
}

export const nvimIn = (place: Place, profile?: string): Promise<Nvim> =>
  Nvim.start({
    version: '0.12',
    place,
    // The Node of the floors, wherever the plugin would look for one.
    args: ['--cmd', `let g:sidekicks = {'node': '${process.execPath.replaceAll("'", "''")}'}`],
    env: {
      SIDEKICKS_NVIM: process.env['SIDEKICKS_NVIM'] ?? '',
      ...(profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` }),
    },
  });

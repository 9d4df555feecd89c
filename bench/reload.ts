// Owns: how soon a saved configuration of 500 agents is told and in the panel. Must not: print or judge.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Measuring } from './measuring.ts';
import { openPanel, shown } from './pool.ts';
import { agent, onStage } from './stage.ts';

const agents = 500;
const savesPerStart = 4;
const usualRuns = 3;

export interface Reloads {
  /** Milliseconds from the save to the event, and to the panel on screen. */
  readonly told: readonly number[];
  readonly shown: readonly number[];
}

/** As a person would have written it, one key a line. */
function configuration(title: string): string {
  const names = Array.from({ length: agents }, (_, index) => `agent${String(index).padStart(3, '0')}`);
  return stringify({
    agents: Object.fromEntries(names.map((name, index) => [name, { ...agent(), title: index === 0 ? title : name }])),
  });
}

export async function measureReloads({ running, runs = usualRuns, step }: Measuring): Promise<Reloads> {
  const reloads = { told: [] as number[], shown: [] as number[] };
  for (let run = 1; run <= runs; run += 1) {
    step(`a configuration of ${agents} agents saved: ${run} of ${runs}`);
    const config = configuration('before');
    await onStage(
      running,
      async ({ nvim, place }) => {
        await openPanel(nvim, `agent${agents - 1}`);
        nvim.onNotification('bench_told', ([took]) => reloads.told.push(Number(took)));
        const beside = join(place.root, 'saved.yaml');
        for (let save = 1; save <= savesPerStart; save += 1) {
          writeFileSync(beside, configuration(`save ${save}`));
          reloads.shown.push(
            await shown(nvim, () => nvim.lua('BenchSave(...)', beside, place.config, `^save ${save} `)),
          );
        }
      },
      { config },
    );
  }
  return reloads;
}

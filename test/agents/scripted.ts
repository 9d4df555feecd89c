// Owns: how a test names the scripted agent, writes a script and reads its wire log. Must not: start anything.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type Step = Readonly<Record<string, unknown>> & { readonly op: string };

export interface WireLine {
  /** As the agent sees it: `in` came from the client. */
  readonly dir: 'in' | 'out';
  readonly t: number;
  readonly msg?: Readonly<Record<string, unknown>>;
  readonly raw?: string;
}

export const scriptedAgent = fileURLToPath(new URL('./scripted.mjs', import.meta.url));
export const wrapperScript = fileURLToPath(new URL('./wrapper.sh', import.meta.url));

/** The text of a prompt that makes the scripted agent do these steps. */
export function script(...steps: readonly Step[]): string {
  return `SCRIPT${JSON.stringify(steps)}SCRIPT`;
}

/** What the agent wrote with `--log`, empty as long as it has not begun. */
export function wireLog(file: string): WireLine[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line): unknown => JSON.parse(line)).filter(isWireLine);
}

function isWireLine(value: unknown): value is WireLine {
  return typeof value === 'object' && value !== null && 'dir' in value && 't' in value;
}

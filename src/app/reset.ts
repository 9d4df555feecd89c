// Begins anew (SPEC section 15, `reset`): settings, histories, or both, each kept as a dated copy first. Runs while no work is done.
import type { ResetChoice } from '../core/contract/shapes.ts';
import { dateStamp } from '../core/date-stamp.ts';
import { ok, type Result } from '../core/errors.ts';
import type { Clock, ConfigFiles, Disk, Preferences } from '../core/ports.ts';
import type { ChosenConfig, ConfigChoice } from './config-choice.ts';

/** Copies and empties the history of one configuration, or of all; gives the copies. */
export type ResetHistories = (configPath: string | undefined, stamp: string) => Promise<Result<readonly string[]>>;

export interface ResetOptions {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly preferences: Preferences;
  readonly choice: ConfigChoice;
  readonly openFiles: () => Promise<ConfigFiles>;
  readonly resetHistories: ResetHistories;
}

export interface Done {
  readonly value: string[];
  readonly chosen?: ChosenConfig;
}

/** `configPath`: the configuration in force. */
export async function reset(options: ResetOptions, choice: ResetChoice, configPath: string): Promise<Result<Done>> {
  const stamp = dateStamp(options.clock.now());
  const copies: string[] = [];
  if (choice !== 'settings') {
    const emptied = await options.resetHistories(choice === 'history' ? configPath : undefined, stamp);
    if (!emptied.ok) return emptied;
    copies.push(...emptied.value);
  }
  if (choice === 'history' || choice === 'allHistory') return ok({ value: copies });
  const chosen = await resetSettings(options, stamp);
  return chosen.ok ? ok({ chosen: chosen.value.chosen, value: [...copies, ...chosen.value.value] }) : chosen;
}

/** What was opened is forgotten; the file that is in force then says what a first one says. */
async function resetSettings(options: ResetOptions, stamp: string): Promise<Result<Required<Done>>> {
  const { disk, preferences, choice, openFiles } = options;
  const remembered = await disk.keepCopy(preferences.path, stamp);
  if (!remembered.ok) return remembered;
  const forgotten = await disk.remove(preferences.path);
  if (!forgotten.ok) return forgotten;
  const before = await choice.find('look');
  const { path, source } = before.source.current();
  await before.source.dispose();
  const copy = await disk.keepCopy(path, stamp);
  if (!copy.ok) return copy;
  const written = await disk.writeText(path, await (await openFiles()).firstText(source));
  if (!written.ok) return written;
  if (before.database !== '' && before.untrusted.length === 0) await choice.allow(path);
  const value = [copy.value, remembered.value].filter((one) => one !== '');
  return ok({ chosen: await choice.find('look'), value });
}

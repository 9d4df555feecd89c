// ConfigService (SPEC section 14), as far as it exists: what configuration is in force.
import { ok } from '../../core/errors.ts';
import type { Desk } from '../desk.ts';
import type { Settings } from '../settings.ts';
import type { Service } from './services.ts';

export function configService(settings: () => Promise<Settings>, desk: () => Promise<Desk>): Service<'ConfigService'> {
  return {
    'ConfigService.Current': async () => ok((await settings()).current((await desk()).history.problem)),
  };
}

// SystemService (SPEC section 14): what the computer says of itself.
import { ok } from '../../core/errors.ts';
import type { Memory } from '../../core/ports.ts';
import type { Service } from './services.ts';

export function systemService(measure: () => Promise<Memory>): Service<'SystemService'> {
  return {
    'SystemService.Memory': async () => ok({ ...(await measure()) }),
  };
}

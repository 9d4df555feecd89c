// Why an act inside a container or sandbox did not come about, in the words a person hears. Runs nothing.
import { causeText, fail } from '../../core/errors.ts';
import type { TextKey } from '../../core/texts/index.ts';
import type { Gathered, NotGathered } from './gather.ts';
import { ends } from './scripts.ts';

/** What was tried, for the words. */
export interface Act {
  readonly path: string;
  /** The new file. */
  readonly name?: string;
  readonly limit?: number;
  /** What is said when the system there refused it. */
  readonly failed?: TextKey;
}

interface Where {
  readonly act: Act;
  readonly name: string;
}

export function notGatheredFailure(
  error: NotGathered,
  { act, name, cli, limitMs }: Where & { readonly cli: string; readonly limitMs: number },
) {
  switch (error.type) {
    case 'tooLong':
      return fail('timeout', 'workspace.slow', { name, seconds: limitMs / 1000 });
    case 'tooMuch':
      return act.limit === undefined ? fail('limit', 'workspace.tooMuch', { path: act.path || name }) : tooLarge(act);
    case 'notStarted':
      return isMissing(error.cause)
        ? fail('unavailable', 'workspace.noProgram', { cli, name }, error.cause)
        : fail('unavailable', 'workspace.unreachable', { name, what: causeText(error.cause) }, error.cause);
  }
}

const isMissing = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';

const tooLarge = ({ path, limit = 0 }: Act) => fail('limit', 'file.tooLarge', { path, limit: `${limit >> 20} MB` });

export function endFailure({ code, errors }: Gathered, { act, name, folder }: Where & { readonly folder: string }) {
  const values = { path: act.path || folder, name: act.name ?? act.path };
  switch (code) {
    case ends.noFolder:
      return fail('unavailable', 'workspace.noFolderInside', { folder, name });
    case ends.missing:
      return fail('not-found', 'workspace.missing', values);
    case ends.outside:
      return fail('refused', 'workspace.outside', values);
    case ends.notFolder:
      return fail('invalid', 'workspace.notFolder', values);
    case ends.denied:
      return fail('refused', 'workspace.denied', values);
    case ends.isFolder:
      return fail('invalid', 'file.folder', values);
    case ends.notRegular:
      return fail('invalid', 'file.notRegular', values);
    case ends.tooLarge:
      return tooLarge(act);
    case ends.exists:
      return fail('exists', 'workspace.exists', values);
    case ends.failed:
      return fail('unavailable', act.failed ?? 'file.failed', { ...values, what: errors || String(code) });
    default:
      return fail('unavailable', 'workspace.unreachable', { name, what: errors || String(code) });
  }
}

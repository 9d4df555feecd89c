// ChangesService (SPEC section 14): what agents changed, as asked by commands, the review and scripts.
import { fail, ok, type Result } from '../../core/errors.ts';
import type { Desk } from '../desk.ts';
import type { Service } from './services.ts';

export function changesService(desk: () => Promise<Desk>): Service<'ChangesService'> {
  const nothing = (done: Result<undefined>) => (done.ok ? ok({}) : done);
  const changes = async () => (await desk()).edits.changes;
  return {
    'ChangesService.List': async ({ channel = '' }) => {
      const open = await desk();
      if (channel !== '' && !open.conversations.get(channel)) return fail('not-found', 'error.unknownConversation');
      return ok(await open.edits.changes.list(channel || undefined));
    },
    'ChangesService.Accept': async ({ messageId, path, hunk }) =>
      nothing(await (await changes()).accept(messageId, path, hunk)),
    'ChangesService.Reject': async ({ messageId, path, hunk }) =>
      nothing(await (await changes()).reject(messageId, path, hunk)),
    'ChangesService.Restore': async ({ messageId }) => (await changes()).restore(messageId),
  };
}

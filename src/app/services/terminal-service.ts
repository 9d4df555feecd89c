// TerminalService (SPEC section 14), and what Sidekicks' own terminals ask of the host. Decides nothing.
import type { MethodName } from '../../core/contract/methods.ts';
import { ok } from '../../core/errors.ts';
import type { WorkspaceTerminals } from '../terminals.ts';
import type { Handler, Service } from './services.ts';

type OfViews = Extract<MethodName, `ViewService.Terminal${string}`>;
export type TerminalMethods = { readonly [M in OfViews]: Handler<M> };

export const terminalService = (terminals: WorkspaceTerminals): Service<'TerminalService'> => ({
  'TerminalService.Open': ({ agent, cols, rows }) => terminals.open(agent, cols, rows),
  'TerminalService.Write': ({ id, data }) => terminals.write(id, data),
  'TerminalService.Resize': ({ id, cols, rows }) => terminals.resize(id, cols, rows),
  'TerminalService.Close': ({ id }) => terminals.close(id),
});

export const terminalMethods = (terminals: WorkspaceTerminals): TerminalMethods => ({
  'ViewService.Terminal': async ({ agent }) => {
    const plan = await terminals.plan(agent);
    if (!plan.ok) return plan;
    const { id, words, folder, env, place } = plan.value;
    return ok({ id, words: [...words], folder, env: { ...env }, place });
  },
  'ViewService.TerminalBegan': ({ id, pid }) => terminals.began(id, pid),
  'ViewService.TerminalClosed': ({ id }) => {
    void terminals.gone(id);
    return ok({});
  },
});

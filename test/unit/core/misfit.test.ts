// What a caller reads whose parameters do not fit a method: checked by the very functions the host uses.
import { describe, expect, test } from 'vitest';
import { misfit } from '../../../src/core/contract/misfit.ts';
import { wordFailure, type Language } from '../../../src/core/texts/index.ts';
import { parameterChecks } from '../../../src/generated/validators.js';

function told(method: string, params: unknown, language: Language = 'en'): string {
  const check = parameterChecks[method];
  expect(check?.(params)).toBe(false);
  return wordFailure(language, misfit(method, check?.errors?.[0]).error);
}

describe('parameters that do not fit', () => {
  test.each([
    ['a missing one', 'AgentService.Start', {}, 'AgentService.Start: name is missing'],
    ['one too many', 'AgentService.Start', { name: 'a', nmae: 'b' }, 'AgentService.Start: nmae is not known'],
    ['no text', 'AgentService.Start', { name: 1 }, 'AgentService.Start: name must be a text'],
    ['neither true nor false', 'ChannelService.List', { all: 1 }, 'ChannelService.List: all must be true or false'],
    ['no whole number', 'ViewService.Answer', { id: 0.5, path: '' }, 'ViewService.Answer: id must be a whole number'],
    ['no mapping', 'ConfigService.AddAgent', { agent: [] }, 'ConfigService.AddAgent: agent must be a mapping'],
    ['no parameters', 'AgentService.Start', 'bob', 'AgentService.Start: params must be a mapping'],
    [
      'a word that is none of a few',
      'ConfigService.Reset',
      { choice: 'all' },
      'ConfigService.Reset: choice must be one of: settings, history, allHistory, everything',
    ],
    [
      'an index below 0',
      'ChangesService.Accept',
      { messageId: 'm', hunk: -1 },
      'ChangesService.Accept: hunk does not fit',
    ],
  ])('%s', (_, method, params, message) => {
    expect(told(method, params)).toBe(message);
  });

  test('are told in French too', () => {
    expect(told('AgentService.Start', {}, 'fr')).toBe('AgentService.Start\u00a0: il manque name');
  });
});

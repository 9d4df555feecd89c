// Modes, models and config options: shown once, kept in step, set by the right request (SPEC section 18, ACP.md 5.2 and 5.5).
import { describe, expect, test } from 'vitest';
import { SessionOptions } from '../../../../src/adapters/acp/options.ts';
import { Session } from '../../../../src/adapters/acp/session.ts';
import { readUpdate } from '../../../../src/adapters/acp/updates.ts';
import { ok } from '../../../../src/core/errors.ts';

const modes = {
  currentModeId: 'auto',
  availableModes: [
    { id: 'auto', name: 'Auto' },
    { id: 'plan', name: 'Plan' },
  ],
};
const modeOption = {
  id: 'mode',
  name: 'Mode',
  category: 'mode',
  type: 'select',
  currentValue: 'auto',
  options: [{ value: 'auto', name: 'Auto' }, { value: 'plan' }],
};

function options(answer: object): SessionOptions {
  const all = new SessionOptions();
  all.take({ ...answer });
  return all;
}

const values = (all: SessionOptions): string[][] => all.list().map((one) => [one.optionId, one.value]);

describe('what is offered', () => {
  test('old modes and models have no name of their own', () => {
    const models = { currentModelId: 'm', availableModels: [{ modelId: 'm', name: 'M', description: 'big' }, {}] };
    expect(options({ modes, models }).list()).toEqual([
      {
        optionId: 'mode',
        name: '',
        description: '',
        category: 'mode',
        value: 'auto',
        choices: [
          { value: 'auto', name: 'Auto', description: '' },
          { value: 'plan', name: 'Plan', description: '' },
        ],
      },
      {
        optionId: 'model',
        name: '',
        description: '',
        category: 'model',
        value: 'm',
        choices: [{ value: 'm', name: 'M', description: 'big' }],
      },
    ]);
  });

  test('a config option that means the mode replaces the mode, with or without a category', () => {
    expect(values(options({ modes, configOptions: [modeOption] }))).toEqual([['mode', 'auto']]);
    const bare = { ...modeOption, category: null };
    expect(options({ modes, configOptions: [bare] }).list()).toMatchObject([{ name: 'Mode', category: 'mode' }]);
    const named = { ...modeOption, id: 'approval' };
    expect(values(options({ modes, configOptions: [named] }))).toEqual([['approval', 'auto']]);
  });

  test('groups, switches, and options of odd form', () => {
    const effort = {
      id: 'effort',
      category: 'thought_level',
      type: 'select',
      currentValue: 'low',
      options: [{ group: 'g', name: 'Usual', options: [{ value: 'low', name: 'Low' }, null] }, null, { value: 5 }],
    };
    const fast = { id: 'fast', name: 'Fast', type: 'boolean', currentValue: true };
    const all = options({ configOptions: [effort, fast, null, {}, { id: 'x', type: 'select', options: 'no' }] });
    expect(all.list()).toMatchObject([
      { optionId: 'effort', name: 'effort', choices: [{ value: 'low', name: 'Low', description: 'Usual' }] },
      { optionId: 'fast', value: 'true', choices: [{ value: 'true' }, { value: 'false' }] },
      { optionId: 'x', value: '', choices: [] },
    ]);
  });

  test('nothing, or nonsense, is no option', () => {
    for (const answer of [{}, { modes: null, models: 5, configOptions: {} }, { modes: { availableModes: [{}] } }]) {
      expect(options(answer).list()).toEqual([]);
    }
  });
});

describe('what changes', () => {
  test('the mode, told the old way, is the config option’s too', () => {
    const session = new Session('/ws');
    session.options.take({ modes, configOptions: [modeOption] });
    const update = { sessionUpdate: 'current_mode_update', currentModeId: 'plan' };
    expect(readUpdate(session, update)).toMatchObject({
      type: 'options',
      options: [{ optionId: 'mode', value: 'plan' }],
    });
    readUpdate(session, { ...update, currentModeId: 'unheard of' });
    expect(values(session.options)).toEqual([['mode', 'plan']]);
  });

  test('config options come whole; the old mode follows them', () => {
    const session = new Session('/ws');
    session.options.take({ modes, configOptions: [modeOption] });
    const configOptions = [{ ...modeOption, currentValue: 'plan' }];
    readUpdate(session, { sessionUpdate: 'config_option_update', configOptions });
    expect(values(session.options)).toEqual([['mode', 'plan']]);
    readUpdate(session, { sessionUpdate: 'config_option_update', configOptions: [] });
    expect(values(session.options)).toEqual([['mode', 'plan']]);
  });
});

describe('what is sent', () => {
  test('the request of the kind', () => {
    const sessionId = 's';
    const old = options({ modes });
    expect(old.request('s', 'mode', 'plan')).toEqual(
      ok({ method: 'session/set_mode', params: { sessionId, modeId: 'plan' } }),
    );
    const config = options({ modes, configOptions: [modeOption] });
    const params = { sessionId, configId: 'mode', value: 'plan' };
    expect(config.request('s', 'mode', 'plan')).toEqual(ok({ method: 'session/set_config_option', params }));
  });

  test('nothing for what is not offered', () => {
    expect(options({ modes }).request('s', 'model', 'x')).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect(options({ modes }).request('s', 'mode', 'x')).toMatchObject({ error: { text: 'agent.unknownValue' } });
  });
});

// What the assistant that adds agents decides: names that are free, known agents that are there already, the lines that would be written.
import { describe, expect, test } from 'vitest';
import { addAgent } from '../../../src/core/config/add-agent.ts';
import { draft } from '../../../src/core/config/agent-draft.ts';
import { isConfigured, knownAgents } from '../../../src/core/config/known-agents.ts';
import { freeName } from '../../../src/core/config/names.ts';
import { parseConfig, type Setting } from '../../../src/core/config/parse.ts';

const setting: Setting = { folder: '/etc/sidekicks', home: '/home/ann', env: {}, language: 'en' };

describe('a free name', () => {
  test.each([
    ['gemini', [], 'gemini'],
    ['gemini', ['Gemini'], 'gemini-2'],
    ['gemini', ['gemini', 'gemini-2', 'GEMINI-3'], 'gemini-4'],
    ['my agent.sh', [], 'my-agent-sh'],
    ['  --démo--  ', [], 'démo'],
    ['日本', ['日本'], '日本-2'],
    ['', [], 'agent'],
    ['!?', ['agent'], 'agent-2'],
    ['e\u0301te', ['éte'], 'éte-2'],
    ['x'.repeat(40), [], 'x'.repeat(32)],
    ['x'.repeat(40), ['X'.repeat(32)], `${'x'.repeat(30)}-2`],
    [`${'x'.repeat(31)}-y`, [], 'x'.repeat(31)],
    ['𠮷'.repeat(40), [], '𠮷'.repeat(32)],
  ])('like %j beside %j is %j', (wanted, taken, name) => {
    expect(freeName(wanted, taken)).toBe(name);
    expect(addAgent('', { name, fields: { command: 'x' } }, setting).ok).toBe(true);
  });
});

describe('a known agent', () => {
  const gemini = knownAgents.find(({ name }) => name === 'gemini');
  const claude = knownAgents.find(({ name }) => name === 'claude');

  test.each([
    ['nothing', gemini, [], false],
    ['another', gemini, [{ name: 'bob', command: 'cat' }], false],
    ['its name', gemini, [{ name: 'Gemini', command: 'npx' }], true],
    ['its program', gemini, [{ name: 'g', command: 'gemini' }], true],
    ['its program by its path', gemini, [{ name: 'g', command: '/opt/bin/gemini' }], true],
    ['its other program', claude, [{ name: 'c', command: 'claude-code-acp' }], true],
    ['a program that only begins so', gemini, [{ name: 'g', command: 'gemini-proxy' }], false],
  ])('where %s is configured', (_, known, agents, expected) => {
    expect(known && isConfigured(known, agents)).toBe(expected);
  });
});

describe('what would be written', () => {
  const bob = { name: 'bob', fields: { args: ['acp'], command: 'cat' } };
  const lines = ['  bob:', '    command: cat', '    args: [acp]'];

  test.each([
    ['an empty file', '', 1, ['agents:', ...lines]],
    ['a file without agents', 'language: en\n', 3, ['agents:', ...lines]],
    ['after another', 'agents:\n  zoe:\n    command: x\n', 4, lines],
    ['with a gap like its neighbours', 'agents:\n  a:\n    command: x\n\n  b:\n    command: x\n', 8, lines],
    ['in front of what follows', 'agents:\n  zoe:\n    command: x\nlanguage: en\n', 4, lines],
    ['where lines repeat', 'agents:\n  zoe:\n    command: cat\n    args: [acp]\n', 5, lines],
    [
      'in braces',
      'agents: {zoe: {command: x}}\n',
      1,
      ['agents: {zoe: {command: x}, bob: {command: cat, args: [acp]}}'],
    ],
    ['with CR LF and a byte-order mark', '\uFEFFagents:\r\n  zoe: {command: x}\r\n', 3, lines],
    ['without a final line end', 'agents:\n  zoe: {command: x}', 3, lines],
  ])('%s', (_, text, line, expected) => {
    expect(draft(text, bob, setting)).toEqual({ ok: true, value: { line, lines: expected, warnings: [] } });
    const added = addAgent(text, bob, setting);
    const written = added.ok ? added.value.replace('\uFEFF', '').split(/\r?\n/) : [];
    expect(written.slice(line - 1, line - 1 + expected.length)).toEqual(expected);
  });

  test('warnings of the agent, and of nothing else', () => {
    const text = 'agents:\n  zoe: {command: "${OLD}"}\n';
    const drafted = draft(text, { name: 'bob', fields: { command: '${NEW}' } }, setting);
    expect(drafted.ok && drafted.value.warnings).toEqual(['the environment variable NEW is not set']);
  });

  test('the keys of a runtime stand in the order of the documentation, what says nothing left out', () => {
    const lifecycle = { stop: 's', remove: '', create: 'c' };
    const fields = { command: 'x', runtime: { lifecycle, workspacePath: '/app', name: 'n', cli: '', type: 'sbx' } };
    const drafted = draft('', { name: 'bob', fields }, setting);
    expect(drafted.ok && drafted.value.lines).toEqual([
      'agents:',
      '  bob:',
      '    command: x',
      '    runtime:',
      '      type: sbx',
      '      name: n',
      '      workspacePath: /app',
      '      lifecycle: {create: c, stop: s}',
    ]);
  });

  test('nothing, where nothing can be added; the reason is that of the adding', () => {
    for (const text of ['agents: 3\n', 'agents:\n  bob: {command: x}\n']) {
      expect(draft(text, bob, setting)).toEqual(addAgent(text, bob, setting));
      expect(draft(text, bob, setting).ok).toBe(false);
    }
  });

  test('reads back as it is meant', () => {
    const drafted = draft('', bob, setting);
    const text = drafted.ok ? `${drafted.value.lines.join('\n')}\n` : '';
    expect(parseConfig(text, setting).config?.agents).toMatchObject([{ name: 'bob', command: 'cat', args: ['acp'] }]);
  });
});

// Which paths belong to a workspace, and the paths of an agent that runs in a container.
import { describe, expect, test } from 'vitest';
import { insideWorkspace, toAgentPath, toHostPath } from '../../../src/core/workspace.ts';

describe('a workspace', () => {
  test.each([
    ['/w/app', '/w/app/a.txt', true],
    ['/w/app', '/w/app', true],
    ['/w/app', '/w/app-old/a.txt', false],
    ['/w/app', '/w/ap', false],
    ['/', '/etc/hosts', true],
  ])('%s: %s', (workspace, path, inside) => {
    expect(insideWorkspace(workspace, path).ok).toBe(inside);
  });
});

describe('container paths', () => {
  const map = { host: '/home/me/src/app', agent: '/app' };

  test.each([
    ['/app/src/a.ts', '/home/me/src/app/src/a.ts'],
    ['/app', '/home/me/src/app'],
    ['/app/./x/../y', '/home/me/src/app/y'],
  ])('%s is %s here', (there, here) => {
    expect(toHostPath(map, there)).toEqual({ ok: true, value: here });
  });

  test('and back', () => {
    expect(toAgentPath(map, '/home/me/src/app/src/a.ts')).toEqual({ ok: true, value: '/app/src/a.ts' });
    expect(toAgentPath(map, '/home/me/src/app')).toEqual({ ok: true, value: '/app' });
  });

  test.each(['/app-old/a', '/app/../etc/hosts', '/etc/hosts', 'src/a.ts', '/app/\0'])('%j is refused', (path) => {
    expect(toHostPath(map, path).ok).toBe(false);
  });

  test.each(['/home/me/src/app-two/a', '/home/me/src/app/../other'])('%s is not told to the agent', (path) => {
    expect(toAgentPath(map, path).ok).toBe(false);
  });

  test('a workspace at the root of the container', () => {
    expect(toHostPath({ host: '/w', agent: '/' }, '/a/b')).toEqual({ ok: true, value: '/w/a/b' });
    expect(toAgentPath({ host: '/w', agent: '/' }, '/w/a/b')).toEqual({ ok: true, value: '/a/b' });
  });

  test('the same path on both sides', () => {
    expect(toHostPath({ host: '/w/a', agent: '/w/a' }, '/w/a/x')).toEqual({ ok: true, value: '/w/a/x' });
  });
});

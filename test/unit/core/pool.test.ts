// The states of an agent and the ways between them: every row of the tables of SPEC section 4.
import { describe, expect, test } from 'vitest';
import { errorText, step, type PoolEvent } from '../../../src/core/pool.ts';
import { definition, failure, info, minute, Play } from './pool-play.ts';

describe('states', () => {
  test('stopped: no process; the first state of every agent', () => {
    const play = new Play(['bob', 'alice']);
    expect([play.state('bob'), play.state('alice')]).toEqual(['stopped', 'stopped']);
    expect(play.agent('bob')?.process).toBeUndefined();
  });

  test('starting: the process is launched, the handshake under way', () => {
    const play = new Play(['bob']).start('bob');
    expect(play.asked).toEqual(['launch bob', 'report bob starting']);
    expect(play.effects[0]).toMatchObject({ definition: definition('bob') });
  });

  test('ready: running, unused', () => {
    const play = new Play(['bob']).start('bob').started('bob');
    expect(play.asked).toEqual(['scheduleTick', 'report bob ready', 'reply start bob: ok']);
    expect(play.agent('bob')?.info).toEqual(info);
  });

  test('busy: running and used by at least one conversation', () => {
    const play = new Play(['bob']).ready('bob').use('bob');
    expect(play.asked).toEqual(['report bob busy']);
  });

  test('error: holds the reason and, for a failed start, the last lines of standard error', () => {
    const play = new Play(['bob']).start('bob').startFailed('bob', ['first', 'please log in']);
    expect(play.summary('bob')).toMatchObject({
      state: 'error',
      error: 'the program node was not found\nfirst\nplease log in',
    });
    expect(play.effects).toContainEqual({
      type: 'report',
      agent: 'bob',
      state: 'error',
      error: { failure, lines: ['first', 'please log in'] },
    });
  });

  test('a reason that quotes the last lines itself is not followed by them', () => {
    const quoting = {
      code: 'unavailable',
      text: 'agent.startExited',
      values: { code: 1, output: ': log in' },
    } as const;
    expect(errorText('en', { failure: quoting, lines: ['log in'] })).toBe(
      'ended before it was ready, exit code 1: log in',
    );
  });

  test('outdated: running, and its definition changed; a restart applies it', () => {
    const play = new Play(['bob']).ready('bob').configure([definition('bob', { args: ['--new'] })]);
    expect(play.asked).toEqual(['report bob ready']);
    expect(play.summary('bob')?.outdated).toBe(true);
    play.restart('bob').gone('bob');
    expect(play.effects).toContainEqual(
      expect.objectContaining({ type: 'launch', definition: definition('bob', { args: ['--new'] }) }),
    );
    expect(play.started('bob').summary('bob')).toMatchObject({ state: 'ready', outdated: false });
  });
});

describe('transitions', () => {
  test.each(['stopped', 'error'] as const)('%s, start asked: starting', (state) => {
    const play = new Play(['bob']);
    if (state === 'error') play.start('bob').startFailed('bob').gone('bob');
    expect(play.state('bob')).toBe(state);
    expect(play.start('bob').summary('bob')).toMatchObject({ state: 'starting', error: '' });
    expect(play.done).toEqual(['launch bob']);
  });

  test('starting, handshake succeeds: ready', () => {
    expect(new Play(['bob']).start('bob').started('bob').state('bob')).toBe('ready');
  });

  test('starting, handshake fails (also by its time limit or another protocol): error, and its group is stopped', () => {
    const play = new Play(['bob']).start('bob').startFailed('bob');
    expect(play.asked).toEqual(['stop bob', 'report bob error', 'reply start bob: the program node was not found']);
    expect(play.gone('bob').asked).toEqual([]);
    expect(play.state('bob')).toBe('error');
  });

  test('starting, process ends (exit 0 too): error, with the reason of the handshake', () => {
    const play = new Play(['bob']).start('bob').exited('bob', 0);
    expect(play.done).toEqual(['stop bob']);
    expect(play.startFailed('bob').done).toEqual(['reply start bob: the program node was not found']);
    expect(play.state('bob')).toBe('error');
  });

  test('starting, process ends and nobody says why: error with its exit, never starting for ever', () => {
    const play = new Play(['bob']).start('bob').use('bob').exited('bob', 0).gone('bob');
    expect(play.summary('bob')).toMatchObject({ state: 'error', error: 'the agent ended, exit code 0' });
    expect(play.done).toEqual([
      'failTurns bob: c1: the agent ended, exit code 0',
      'reply start bob: the agent ended, exit code 0',
    ]);
  });

  test('ready, used: busy', () => {
    expect(new Play(['bob']).ready('bob').use('bob').state('bob')).toBe('busy');
  });

  test('busy, last user done: ready', () => {
    const play = new Play(['bob']).busy('bob', 'c1').use('bob', 'c2').release('bob', 'c1');
    expect(play.state('bob')).toBe('busy');
    expect(play.release('bob', 'c2').asked).toEqual(['report bob ready']);
  });

  test.each(['ready', 'busy'] as const)('%s, stop asked: stopped; the caller hears when the group is gone', (state) => {
    const play = new Play(['bob']).ready('bob');
    if (state === 'busy') play.use('bob', 'c1').use('bob', 'c2');
    play.stop('bob');
    expect(play.asked).toEqual([
      ...(state === 'busy' ? ['cancelTurns bob: c1 c2'] : []),
      'stop bob',
      'stopTick',
      'report bob stopped',
    ]);
    expect(play.gone('bob').asked).toEqual(['reply stop bob: ok']);
  });

  test.each(['ready', 'busy'] as const)('%s, Neovim leaves: stopped', (state) => {
    const play = new Play(['bob']).ready('bob');
    if (state === 'busy') play.use('bob');
    play.feed({ type: 'stopAllRequested' });
    expect(play.state('bob')).toBe('stopped');
    expect(play.done).toContain('stop bob');
  });

  test.each(['ready', 'busy'] as const)('%s, removed from the configuration: stopped', (state) => {
    const play = new Play(['bob']).ready('bob');
    if (state === 'busy') play.use('bob');
    play.configure([]);
    expect(play.asked).toEqual([
      ...(state === 'busy' ? ['cancelTurns bob: c1'] : []),
      'stop bob',
      'stopTick',
      'report bob stopped',
    ]);
    expect(play.summary('bob')).toBeUndefined();
  });

  test('ready, unused for stopIdleAgentsAfter, looked at every 30 s: stopped', () => {
    const play = new Play(['bob']).ready('bob');
    play.now = 15 * minute - 1;
    expect(play.tick().asked).toEqual(['scheduleTick']);
    play.now = 15 * minute;
    expect(play.tick().asked).toEqual(['stop bob', 'report bob stopped']);
  });

  test('ready, another agent must start and this is the idle one used least recently: stopped', () => {
    const play = new Play(['a', 'b', 'c', 'd'], { maxRunningAgents: 3, stopIdleAgentsAfterMs: 0 });
    play.ready('a', 'b', 'c');
    for (const name of ['b', 'a', 'c']) {
      play.now += minute;
      play.use(name).release(name);
    }
    play.start('d');
    expect(play.asked).toEqual(['stop b', 'report b stopped', 'report d starting']);
    expect(play.gone('b').done).toEqual(['launch d']);
  });

  test.each(['ready', 'busy'] as const)('%s, the process ends by itself: error, never restarted by itself', (state) => {
    const play = new Play(['bob']).ready('bob');
    if (state === 'busy') play.use('bob', 'c1').use('bob', 'c2');
    play.exited('bob', 3);
    expect(play.asked).toEqual([
      ...(state === 'busy' ? ['failTurns bob: c1 c2: the agent ended, exit code 3'] : []),
      'stop bob',
      'stopTick',
      'report bob error',
    ]);
    expect(play.summary('bob')).toMatchObject({ state: 'error', error: 'the agent ended, exit code 3' });
    expect(play.gone('bob').asked).toEqual([]);
  });

  test.each(['ready', 'busy'] as const)(
    '%s, it cannot be spoken with any more: error, and it starts when its group is gone',
    (state) => {
      const play = new Play(['bob']).ready('bob');
      if (state === 'busy') play.use('bob');
      play.broke('bob');
      expect(play.asked).toEqual([
        ...(state === 'busy' ? ['failTurns bob: c1: the program node was not found'] : []),
        'stop bob',
        'stopTick',
        'report bob error',
      ]);
      expect(play.exited('bob').asked).toEqual([]);
      expect(play.start('bob').done).toEqual([]);
      expect(play.gone('bob').done).toEqual(['launch bob']);
    },
  );

  test('the signal that ended it is named', () => {
    const play = new Play(['bob']).ready('bob').exited('bob', -1, 'SIGKILL');
    expect(play.summary('bob')?.error).toBe('the agent was ended by SIGKILL');
  });

  test('starting, stop asked: stopped as soon as the start ends, and it is not an error', () => {
    const play = new Play(['bob']).start('bob').stop('bob');
    expect(play.asked).toEqual(['stop bob', 'reply start bob: the agent was stopped']);
    expect(play.state('bob')).toBe('starting');
    expect(play.startFailed('bob').asked).toEqual(['report bob stopped']);
    expect(play.gone('bob').asked).toEqual(['reply stop bob: ok']);
    expect(play.summary('bob')).toMatchObject({ state: 'stopped', error: '' });
  });

  test('starting, stop asked, the handshake succeeds all the same: stopped', () => {
    const play = new Play(['bob']).start('bob').stop('bob').started('bob');
    expect(play.asked).toEqual(['report bob stopped']);
    expect(play.gone('bob').asked).toEqual(['reply stop bob: ok']);
  });

  test('starting, stop asked, the group is gone before anything else is heard: stopped', () => {
    const play = new Play(['bob']).start('bob').stop('bob').gone('bob');
    expect(play.asked).toEqual(['report bob stopped', 'reply stop bob: ok']);
  });
});

describe('news that does not fit leaves the pool as it was', () => {
  const settled: readonly [string, Play][] = [
    ['stopped', new Play(['bob'])],
    ['ready', new Play(['bob']).ready('bob')],
    ['error', new Play(['bob']).ready('bob').exited('bob').gone('bob')],
    ['stopped, its group going', new Play(['bob']).ready('bob').stop('bob')],
  ];
  const late: readonly PoolEvent[] = [
    { type: 'started', agent: 'bob', run: 99, info },
    { type: 'startFailed', agent: 'bob', run: 99, failure, lines: [] },
    { type: 'exited', agent: 'bob', run: 99, exit: { code: 0, signal: '' } },
    { type: 'broke', agent: 'bob', run: 99, failure },
    { type: 'stopped', agent: 'bob', run: 99 },
    { type: 'released', agent: 'bob', conversation: 'nobody' },
    { type: 'used', agent: 'nobody', conversation: 'c1' },
    { type: 'started', agent: 'nobody', run: 1, info },
  ];
  test.each(settled.flatMap(([name, play]) => late.map((event) => [name, event.type, play, event] as const)))(
    '%s: %s',
    (_, __, { pool, now }, event) => {
      const next = step(pool, event, now);
      expect(next.pool).toBe(pool);
      expect(next.effects).toEqual([]);
    },
  );

  test('a stopped agent cannot be used, a tick nobody asked for does nothing', () => {
    const { pool } = new Play(['bob']);
    expect(step(pool, { type: 'used', agent: 'bob', conversation: 'c1' }, 0).pool).toBe(pool);
    expect(step(pool, { type: 'ticked' }, 0).pool).toBe(pool);
  });

  test('an exit after the stop was asked changes nothing more', () => {
    const play = new Play(['bob']).ready('bob').stop('bob');
    expect(
      step(play.pool, { type: 'exited', agent: 'bob', run: play.run('bob'), exit: { code: 0, signal: '' } }, 0).pool,
    ).toBe(play.pool);
  });
});

describe('callers', () => {
  test('who asks for a start under way waits with the others; one that runs is answered at once', () => {
    const play = new Play(['bob']).start('bob', 'one').start('bob', 'two');
    expect(play.done).toEqual([]);
    expect(play.started('bob').done).toEqual(['reply one: ok', 'reply two: ok']);
    expect(play.start('bob', 'three').done).toEqual(['reply three: ok']);
  });

  test('who stops what does not run is answered at once; who stops twice is answered twice', () => {
    const play = new Play(['bob']).stop('bob');
    expect(play.done).toEqual(['reply stop bob: ok']);
    play.ready('bob').stop('bob', 'one').stop('bob', 'two');
    expect(play.done).toEqual([]);
    expect(play.gone('bob').done).toEqual(['reply one: ok', 'reply two: ok']);
  });

  test('nobody by that name', () => {
    const play = new Play(['bob']);
    for (const event of ['start', 'stop', 'restart'] as const) {
      expect(play[event]('eve').done).toEqual([`reply ${event} eve: no agent named eve is configured`]);
    }
  });

  test('a start that names a conversation is its use from the first moment', () => {
    const play = new Play(['bob']).feed({ type: 'startRequested', agent: 'bob', waiter: '', conversation: 'c1' });
    expect(play.state('bob')).toBe('starting');
    expect(play.started('bob').asked).toEqual(['scheduleTick', 'report bob busy']);
    expect(play.release('bob').state('bob')).toBe('ready');
  });

  test('a start that fails leaves no user behind', () => {
    const play = new Play(['bob']).feed({ type: 'startRequested', agent: 'bob', waiter: '', conversation: 'c1' });
    expect(play.startFailed('bob').done).toEqual(['failTurns bob: c1: the program node was not found', 'stop bob']);
    expect(play.gone('bob').ready('bob').state('bob')).toBe('ready');
  });
});

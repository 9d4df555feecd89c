// How many agents run, who makes room for whom, restarts, the idle check, and a configuration that changes meanwhile.
import { describe, expect, test } from 'vitest';
import { wouldStopAnother } from '../../../src/core/pool.ts';
import { wordFailure } from '../../../src/core/texts/index.ts';
import { definition, minute, Play } from './pool-play.ts';

const two = { maxRunningAgents: 2, stopIdleAgentsAfterMs: 0 };

describe('the limit of running agents', () => {
  test('with all busy a start is refused in these words, and the state stays as it was', () => {
    const play = new Play(['a', 'b', 'c'], two).busy('a').busy('b');
    const before = play.pool;
    play.start('c');
    expect(play.asked).toEqual(['reply start c: too many agents running: 2 agent(s) busy (a, b), the limit is 2']);
    expect(play.pool).toBe(before);
  });

  test('the refusal in French', () => {
    const [refusal] = new Play(['a', 'b', 'c'], two).busy('a').busy('b').start('c').effects;
    const failure = refusal?.type === 'reply' && !refusal.result.ok ? refusal.result.error : undefined;
    expect(failure && wordFailure('fr', failure)).toBe(
      'trop d’agents en marche\u00a0: 2 agent(s) occupé(s) (a, b), la limite est 2',
    );
  });

  test('after a refusal an error stays an error, and no conversation is left as its user', () => {
    const play = new Play(['a', 'b'], { ...two, maxRunningAgents: 1 }).start('b').startFailed('b').gone('b').busy('a');
    play.feed({ type: 'startRequested', agent: 'b', waiter: '', conversation: 'c1' });
    expect(play.agent('b')).toMatchObject({ state: 'error', users: [] });
  });

  test('an agent that starts is not idle', () => {
    const play = new Play(['a', 'b'], { ...two, maxRunningAgents: 1 }).start('a').start('b');
    expect(play.done).toEqual(['reply start b: too many agents running: 1 agent(s) busy (a), the limit is 1']);
  });

  test('room is made once: until the old group is gone it counts as running', () => {
    const play = new Play(['a', 'b', 'c', 'd'], two).ready('a', 'b').start('c');
    expect(play.done).toEqual(['stop a']);
    expect([play.state('a'), play.state('c')]).toEqual(['stopped', 'starting']);
    expect(play.start('d').done).toEqual(['stop b']);
    expect(play.gone('b').done).toEqual(['launch c']);
    expect(play.gone('a').done).toEqual(['launch d']);
  });

  test('one that is going makes room for one start only', () => {
    const play = new Play(['a', 'b', 'c', 'd'], two).ready('a').busy('b').start('c').start('d');
    expect(play.done).toEqual(['reply start d: too many agents running: 2 agent(s) busy (b, c), the limit is 2']);
  });

  test('an agent being stopped leaves its place to the next without any eviction', () => {
    const play = new Play(['a', 'b', 'c'], two).ready('a', 'b').stop('a').start('c');
    expect(play.done).toEqual([]);
    expect(play.gone('a').done).toEqual(['launch c', 'reply stop a: ok']);
  });

  test('an agent that died keeps its place until nothing of it is left', () => {
    const play = new Play(['a', 'b'], { ...two, maxRunningAgents: 1 }).ready('a').exited('a').start('b');
    expect(play.done).toEqual([]);
    expect(play.gone('a').done).toEqual(['launch b']);
  });

  test('a start that waits for room can be stopped, or its agent used', () => {
    const play = new Play(['a', 'b'], { ...two, maxRunningAgents: 1 }).ready('a').start('b').use('b');
    expect(play.stop('b').done).toEqual([
      'cancelTurns b: c1',
      'reply start b: the agent was stopped',
      'reply stop b: ok',
    ]);
    expect(play.state('b')).toBe('stopped');
    expect(play.gone('a').done).toEqual([]);
  });

  test('a lower limit stops nobody, but the next start makes enough room', () => {
    const play = new Play(['a', 'b', 'c', 'd'], { ...two, maxRunningAgents: 3 }).ready('a', 'b', 'c');
    play.configure(
      play.pool.agents.map((agent) => agent.definition),
      { ...two, maxRunningAgents: 1 },
    );
    expect(play.done).toEqual([]);
    expect(play.start('d').done).toEqual(['stop a', 'stop b', 'stop c']);
    expect([play.gone('a').done, play.gone('b').done, play.gone('c').done]).toEqual([[], [], ['launch d']]);
  });

  test('a higher limit lets a waiting start begin', () => {
    const play = new Play(['a', 'b'], { ...two, maxRunningAgents: 1 }).ready('a').start('b');
    play.configure([definition('a'), definition('b')], two);
    expect(play.done).toEqual(['launch b']);
  });

  test('whether a start would stop another agent can be asked before', () => {
    const play = new Play(['a', 'b', 'c'], two).ready('a');
    expect(wouldStopAnother(play.pool, 'b')).toBe(false);
    play.ready('b');
    expect([wouldStopAnother(play.pool, 'b'), wouldStopAnother(play.pool, 'c')]).toEqual([false, true]);
  });
});

describe('restart', () => {
  test('a busy agent: its turns end, and a new process comes when the old group is gone', () => {
    const play = new Play(['bob']).busy('bob').restart('bob');
    expect(play.asked).toEqual(['cancelTurns bob: c1', 'stop bob', 'stopTick', 'report bob starting']);
    const old = play.run('bob');
    expect(play.gone('bob').done).toEqual(['launch bob']);
    expect(play.run('bob')).toBe(old + 1);
    expect(play.started('bob').done).toEqual(['reply restart bob: ok']);
  });

  test('needs no room of another agent', () => {
    const play = new Play(['a', 'b'], two).busy('a').ready('b').restart('b');
    expect(play.done).toEqual(['stop b']);
  });

  test('an agent that is starting: news of the old start is not that of the new one', () => {
    const play = new Play(['bob']).start('bob').restart('bob');
    const old = play.run('bob');
    expect(play.startFailed('bob').asked).toEqual([]);
    expect(play.state('bob')).toBe('starting');
    play.gone('bob').started('bob', old);
    expect(play.state('bob')).toBe('starting');
    expect(play.started('bob').done).toEqual(['reply restart bob: ok']);
  });

  test('an agent that does not run is started', () => {
    expect(new Play(['bob']).restart('bob').done).toEqual(['launch bob']);
  });

  test('a start asked while the old group goes waits for it', () => {
    const play = new Play(['bob']).ready('bob').stop('bob').start('bob');
    expect(play.done).toEqual([]);
    expect(play.gone('bob').done).toEqual(['launch bob', 'reply stop bob: ok']);
  });

  test('a start asked after a stop that was asked while starting', () => {
    const play = new Play(['bob']).start('bob', 'one').stop('bob').start('bob', 'two').startFailed('bob').gone('bob');
    expect(play.done).toEqual(['launch bob', 'reply stop bob: ok']);
    expect(play.started('bob').done).toEqual(['reply two: ok']);
  });
});

describe('the idle check', () => {
  test('one timer, only while an agent runs', () => {
    const play = new Play(['a', 'b']).start('a');
    expect(play.asked).not.toContain('scheduleTick');
    expect(play.started('a').asked).toContain('scheduleTick');
    expect(play.ready('b').asked).not.toContain('scheduleTick');
    expect(play.tick().asked).toEqual(['scheduleTick']);
    expect(play.stop('a').asked).not.toContain('stopTick');
    expect(play.stop('b').asked).toContain('stopTick');
  });

  const looks = (play: Play): readonly number[] =>
    play.effects.flatMap((effect) => (effect.type === 'scheduleTick' ? [effect.afterMs / 1000] : []));
  const after = (seconds: number) => ({ ...two, stopIdleAgentsAfterMs: seconds * 1000 });

  test.each([
    [900, 900],
    [901, 930],
    [45, 60],
    [2, 30],
    [86_400 * 365, 3600],
  ])('a limit of %i s is first looked at after %i s, when an agent could be idle', (limit, seconds) => {
    const play = new Play(['a', 'b'], after(limit)).start('a').started('a');
    expect(looks(play)).toEqual([seconds]);
  });

  test('it comes again every 30 s where it found somebody at work or used since', () => {
    const play = new Play(['a', 'b'], after(60)).busy('a').ready('b');
    play.now += 60_000;
    expect(looks(play.tick())).toEqual([60]);
    expect(play.done).toEqual(['stop b']);
    play.now += 35_000;
    play.release('a');
    play.now += 25_000;
    expect(looks(play.tick())).toEqual([60]);
    play.now += 60_000;
    expect(play.tick().done).toEqual(['stop a']);
  });

  test('another limit is looked at by its own time', () => {
    const play = new Play(['a'], after(900)).ready('a').configure([definition('a')], after(30));
    expect(play.asked).toEqual(['stopTick', 'scheduleTick']);
    expect(looks(play)).toEqual([30]);
  });

  test('none when agents are never stopped', () => {
    const play = new Play(['a'], two).start('a').started('a');
    expect(play.asked).not.toContain('scheduleTick');
    play.configure([definition('a')], { ...two, stopIdleAgentsAfterMs: minute });
    expect(play.asked).toEqual(['scheduleTick']);
    expect(play.configure([definition('a')], two).asked).toEqual(['stopTick']);
  });

  test('an agent at work is never idle, and time counts from its last use', () => {
    const play = new Play(['a', 'b']).ready('a', 'b').use('a');
    play.now = 60 * minute;
    expect(play.tick().done).toEqual(['stop b']);
    play.release('a');
    play.now += 15 * minute - 1;
    expect(play.tick().done).toEqual([]);
    play.now += 1;
    expect(play.tick().done).toEqual(['stop a']);
  });

  test('the same conversation counts once', () => {
    const play = new Play(['a']).ready('a').use('a').use('a').release('a');
    expect(play.state('a')).toBe('ready');
  });
});

describe('a changed configuration', () => {
  test('agents come, in the order of the file', () => {
    const play = new Play(['a', 'b']).configure(['c', 'b', 'a'].map((name) => definition(name)));
    expect(play.asked).toEqual(['report c stopped']);
    expect(play.pool.agents.map((agent) => agent.definition.name)).toEqual(['c', 'b', 'a']);
  });

  test('what is only shown changes at once and makes nothing outdated', () => {
    const play = new Play(['a']).ready('a').configure([definition('a', { title: 'Anna', icon: 'A' })]);
    expect(play.asked).toEqual(['report a ready']);
    expect(play.summary('a')).toMatchObject({ title: 'Anna', icon: 'A', outdated: false });
  });

  test('changed back, it is no longer outdated', () => {
    const play = new Play(['a']).ready('a').configure([definition('a', { command: 'x' })]);
    expect(play.configure([definition('a')]).summary('a')?.outdated).toBe(false);
  });

  test('an agent that does not run is never outdated', () => {
    const play = new Play(['a']).configure([definition('a', { command: 'x' })]);
    expect(play.summary('a')?.outdated).toBe(false);
    expect(play.asked).toEqual([]);
  });

  test('a start that waits launches what the file says by then', () => {
    const play = new Play(['a', 'b'], { ...two, maxRunningAgents: 1 }).ready('a').start('b');
    play.configure([definition('a'), definition('b', { command: 'new' })]).gone('a');
    expect(play.effects[0]).toMatchObject({ type: 'launch', definition: { command: 'new' } });
  });

  test('a removed agent counts as running until its group is gone, then it is forgotten', () => {
    const play = new Play(['a', 'b'], { ...two, maxRunningAgents: 1 }).ready('a').configure([definition('b')]);
    expect(play.start('b').done).toEqual([]);
    expect(play.start('a').done).toEqual(['reply start a: no agent named a is configured']);
    expect(play.gone('a').done).toEqual(['launch b']);
    expect(play.pool.agents).toHaveLength(1);
  });

  test('removed while starting: the caller hears of it, nothing is left running', () => {
    const play = new Play(['a']).start('a').configure([]);
    expect(play.done).toEqual(['stop a', 'reply start a: the agent was stopped']);
    expect(play.startFailed('a').gone('a').pool.agents).toEqual([]);
  });

  test('back again before its group is gone: stopped, and it can start after that', () => {
    const play = new Play(['a'])
      .ready('a')
      .configure([])
      .configure([definition('a')]);
    expect(play.asked).toEqual(['report a stopped']);
    expect(play.start('a').done).toEqual([]);
    expect(play.gone('a').done).toEqual(['launch a']);
  });

  test('removed agents that do not run are simply gone', () => {
    const play = new Play(['a', 'b']).configure([definition('b')]);
    expect(play.asked).toEqual(['report a stopped']);
    expect(play.pool.agents).toHaveLength(1);
  });

  test('what its sandbox can do is shown', () => {
    const runtime = {
      ...definition('a').runtime,
      type: 'sbx' as const,
      lifecycle: { create: '', stop: 's', remove: '' },
    };
    const play = new Play([]).configure([definition('a', { runtime })]);
    expect(play.summary('a')).toMatchObject({ runtime: 'sbx', canStopSandbox: true, canRemoveSandbox: false });
    const own = { ...runtime, type: 'local' as const, lifecycle: { create: '', stop: '', remove: 'r' } };
    expect(play.configure([definition('a', { runtime: own })]).summary('a')).toMatchObject({
      runtime: 'local',
      canStopSandbox: false,
      canRemoveSandbox: true,
    });
  });
});

test('leaving stops everything, waiting starts too', () => {
  const play = new Play(['a', 'b', 'c', 'd'], two).busy('a').ready('b').start('c').feed({ type: 'stopAllRequested' });
  expect(play.done).toEqual(['cancelTurns a: c1', 'stop a', 'reply start c: the agent was stopped']);
  expect(play.gone('a').gone('b').done).toEqual([]);
  expect(play.pool.agents.every((agent) => agent.state === 'stopped' && !agent.process)).toBe(true);
});

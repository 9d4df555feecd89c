// Whose a change on disk is: of the agent that answers and named the file, of one that wrote late, or nobody's (SPEC 9).
import { beforeEach, expect, test } from 'vitest';
import { AtWork } from '../../../src/app/at-work.ts';

const turnOf = (agent: string, messageId = `of ${agent}`) => ({ messageId, channel: 'c', agent });

let now = 0;
let atWork = new AtWork(() => now);
const whose = (file: string) => atWork.whose(file)?.turn.agent;
const nearest = (file: string) => atWork.nearest(file)?.turn.agent;

beforeEach(() => {
  now = 1_000_000;
  atWork = new AtWork(() => now);
});

test('of those that answer, the one whose tool call named the file, else the one that began last', () => {
  atWork.began(turnOf('ann'), '/w');
  atWork.began(turnOf('bob'), '/w');
  atWork.began(turnOf('sed'), '/other');
  expect(whose('/w/a')).toBe('bob');
  atWork.heardOf('ann')?.named.add('/w/a');
  expect([whose('/w/a'), whose('/w/b'), whose('/w-old/a')]).toEqual(['ann', 'bob', undefined]);
});

test('an agent that answers comes before one that has answered', () => {
  atWork.began(turnOf('ann'), '/w');
  atWork.began(turnOf('bob'), '/w');
  atWork.heardOf('bob')?.wrote.add('/w/a');
  atWork.ended(turnOf('bob'));
  expect(whose('/w/a')).toBe('ann');
});

test('after the answer, whatever file it is for a while, and for long the files it had to do with', () => {
  atWork.began(turnOf('bob'), '/w');
  atWork.heardOf('bob')?.wrote.add('/w/wrote');
  atWork.heardOf('bob')?.named.add('/w/named');
  now += 3_600_000;
  atWork.ended(turnOf('bob'));
  now += 5_000;
  expect(whose('/w/any')).toBe('bob');
  now += 3_600_000;
  expect([whose('/w/any'), whose('/w/wrote'), whose('/w/named')]).toEqual([undefined, 'bob', 'bob']);
  expect([nearest('/w/any'), nearest('/elsewhere')]).toEqual(['bob', undefined]);
  atWork.heardOf('bob');
  expect(whose('/w/any')).toBe('bob');
});

test('until its process is gone; an answer that is still open ends first', () => {
  atWork.began(turnOf('ann'), '/w');
  atWork.began(turnOf('bob'), '/w');
  atWork.ended(turnOf('ann'));
  atWork.gone('ann');
  atWork.gone('bob');
  expect(atWork.folders()).toEqual(['/w']);
  expect(whose('/w/a')).toBe('bob');
  atWork.ended(turnOf('bob'));
  expect([atWork.folders(), nearest('/w/a')]).toEqual([[], undefined]);
});

test('the end of an older turn says nothing of the one that is open', () => {
  atWork.began(turnOf('bob', 'first'), '/w');
  atWork.began(turnOf('bob', 'second'), '/w');
  atWork.ended(turnOf('bob', 'first'));
  now += 3_600_000;
  expect(whose('/w/a')).toBe('bob');
});

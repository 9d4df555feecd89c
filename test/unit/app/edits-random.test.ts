// A person, two agents by the protocol and one straight on disk, all in one file, in any order: no text of the person is lost.
// SIDEKICKS_SEED repeats a run.
import { expect, test } from 'vitest';
import { AgentFiles } from '../../../src/app/agent-files.ts';
import { Changes } from '../../../src/app/changes.ts';
import { DiskFollow } from '../../../src/app/disk-follow.ts';
import { FileTexts } from '../../../src/app/file-texts.ts';
import { Saver } from '../../../src/app/saver.ts';
import { RandomEdits, wordsIn } from '../../random-edits.ts';
import { FILE, OneFile } from './one-file.ts';

const steps = 10_000;
/** A file of its own for so many steps, so that the undo of it can be searched. */
const stepsOfFile = 50;

const edits = new RandomEdits();
const { seed } = edits;
const random = (most: number): number => edits.random(most);
const edited = (text: string, who: string): string => edits.edited(text, who);

function world() {
  const file = new OneFile('one\ntwo\nthree\nfour\nfive\nsix\n');
  const { editor, files: disk } = file;
  const unexpected = (failure: unknown) => {
    throw new Error(JSON.stringify(failure));
  };
  const texts: FileTexts = new FileTexts(editor, disk, (path) => follow.wrote(path));
  let id = 0;
  const tell = () => undefined;
  const changes = new Changes({
    texts,
    nextId: () => String(++id),
    tell,
    word: (key) => key,
    wordFailure: ({ text }) => text,
  });
  const saver = new Saver({ editor, when: () => 'never', failed: unexpected });
  const agents = new AgentFiles({ editor, disk, texts, changes, saver, edits: () => ({ unopened: 'disk' }) });
  const follow: DiskFollow = new DiskFollow({
    clock: { now: () => 0, after: () => () => undefined },
    editor,
    disk,
    texts,
    changes,
    watchFolder: () => () => undefined,
    known: () => undefined,
    failed: unexpected,
  });
  return { file, agents, follow, changes };
}

const turnOf = (agent: string) => ({ messageId: `turn of ${agent}`, channel: 'c', agent });

test(`no text of the person is lost in ${steps} steps (seed ${seed})`, { timeout: 120_000 }, async () => {
  process.stderr.write(`SIDEKICKS_SEED=${seed}\n`);
  let merged = 0;
  let refused = 0;
  for (let done = 0; done < steps; done += stepsOfFile) {
    const { file, agents, follow, changes } = world();
    for (const agent of ['ann', 'bob', 'sed']) await follow.turnBegan(turnOf(agent), '/w');
    const known = new Map<string, string>();
    const typed = new Set<string>();
    const takenByHand = new Set<string>();
    /** By an agent that knew of it; where that met the person's text it may come to pass only later. */
    const removed = new Set<string>();
    const type = () => {
      const before = new Set(wordsIn(file.buffer));
      file.set(edited(file.buffer, 'me'), true);
      for (const one of wordsIn(file.buffer)) if (!before.has(one)) typed.add(one);
      for (const one of before) if (!file.buffer.includes(one)) takenByHand.add(one);
    };
    for (let step = 0; step < stepsOfFile; step++) {
      const agent = random(2) === 0 ? 'ann' : 'bob';
      const choice = random(10);
      file.meanwhile = () => {
        file.meanwhile = () => undefined;
        if (random(3) === 0) type();
      };
      const before = new Set(wordsIn(file.buffer));
      if (choice < 3) type();
      else if (choice === 3) file.save();
      else if (choice < 6) {
        const read = await agents.read(agent, '/w', { path: FILE });
        if (read.ok) known.set(agent, read.value);
      } else if (choice < 8 && known.has(agent)) {
        const base = known.get(agent) ?? '';
        const wanted = edited(base, agent);
        const wrote = await agents.write(turnOf(agent), '/w', FILE, wanted);
        if (wrote.ok) known.set(agent, wanted);
        if (wrote.ok) merged++;
        else refused++;
        for (const one of wordsIn(base)) if (!wanted.includes(one)) removed.add(one);
      } else if (choice >= 8) {
        const base = file.disk;
        file.writeDisk(edited(base, 'sed'));
        for (const one of wordsIn(base)) if (!file.disk.includes(one)) removed.add(one);
        await follow.bufferRead(FILE, file.version);
      }
      if (choice >= 4) {
        // What the agent did not know of, it cannot have taken away.
        const lost = [...before].filter(
          (one) => !file.buffer.includes(one) && !removed.has(one) && !takenByHand.has(one),
        );
        expect(lost, `step ${done + step}, seed ${seed}`).toEqual([]);
      }
      const { conflicts } = await changes.list(undefined);
      const kept = conflicts
        .map(({ id }) => changes.conflicts.get(id))
        .flatMap((one) => (one.ok ? [one.value.mine] : []));
      const everywhere = [file.buffer, file.disk, ...file.undo, ...kept].join('\n');
      expect([...typed].filter((one) => !everywhere.includes(one))).toEqual([]);
    }
    for (const agent of ['ann', 'bob', 'sed']) await follow.turnEnded(turnOf(agent));
  }
  expect(merged).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(100);
});

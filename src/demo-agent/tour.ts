// Owns: the guided tour, the demo agent's answer to everything that is no command. Must not: speak the protocol itself.
import type { PlanEntry } from '@agentclientprotocol/sdk';
import { codeBlock } from './examples.ts';
import { chooseFile, shortName } from './prompt.ts';
import type { Asked } from './prompt.ts';
import { editFile, newFileName, newFilePath, readFile } from './tools.ts';
import type { Turn } from './turn.ts';

export async function guide(turn: Turn, asked: Asked): Promise<void> {
  const { session, texts } = turn;
  const path = await turn.heed(chooseFile(asked, session.cwd));
  const steps = planSteps(turn, path);
  await turn.think(
    path === undefined ? texts.thoughts.tourWithoutFile : texts.thoughts.tour(shortName(path, session.cwd)),
  );
  await turn.plan(progress(steps, 0));
  const target = await readStep(turn, asked, path);
  // What could not be read is not edited either; the plan says so.
  const left = target === undefined ? steps.slice(0, 2) : steps;
  await turn.plan(progress(left, 1));
  await explain(turn);
  if (session.settings.mode === 'plan') return turn.say(texts.tour.onlyPlanning);
  await turn.plan(progress(left, 2));
  if (target !== undefined) {
    await editStep(turn, target);
    await turn.plan(progress(left, 3));
  }
  await turn.say(texts.tour.farewell);
}

function planSteps(turn: Turn, path: string | undefined): readonly string[] {
  const { planned } = turn.texts;
  if (path === undefined) return [planned.look, planned.explain, planned.create(newFileName)];
  const name = shortName(path, turn.session.cwd);
  return [planned.read(name), planned.explain, planned.edit(name)];
}

/** The plan when `done` of its steps are behind us. */
function progress(steps: readonly string[], done: number): PlanEntry[] {
  return steps.map((content, index) => ({
    content,
    priority: index === 2 ? 'high' : 'medium',
    status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
  }));
}

/** Reads the file and gives the one to edit; undefined where reading failed. */
async function readStep(turn: Turn, asked: Asked, path: string | undefined): Promise<string | undefined> {
  const { texts, session } = turn;
  await turn.say(texts.tour.welcome);
  if (asked.pictures.length > 0) {
    const names = asked.pictures.map(({ mimeType, bytes }) => texts.picture(mimeType, bytes));
    await turn.say(texts.tour.images(names.join(', ')));
  }
  if (path === undefined) return newFilePath(turn);
  const name = shortName(path, session.cwd);
  const result = await readFile(turn, path);
  if (!result.ok) {
    await turn.say(texts.tour.cannotRead(name, result.reason));
    return undefined;
  }
  await turn.say(texts.tour.read(name, sizeOf(turn, result.text), turn.readsUnsavedText));
  return path;
}

export function sizeOf(turn: Turn, text: string): string {
  const lines = text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
  return turn.texts.size(lines, Buffer.byteLength(text));
}

async function explain(turn: Turn): Promise<void> {
  const { tour } = turn.texts;
  const { verbosity } = turn.session.settings;
  await turn.say(tour.code + codeBlock('lua'));
  if (verbosity === 'brief') return;
  await turn.say(codeBlock('python') + codeBlock('typescript'));
  await turn.say(tour.list.first + codeBlock('sh', 3) + tour.list.second);
  if (verbosity === 'detailed') await turn.say(tour.more);
}

async function editStep(turn: Turn, path: string): Promise<void> {
  const { tour } = turn.texts;
  const name = shortName(path, turn.session.cwd);
  await turn.say(path === newFilePath(turn) ? tour.beforeCreate(name) : tour.beforeEdit(name));
  await proposeEdit(turn, path);
}

/** Proposes the edit of a file and says how it went. */
export async function proposeEdit(turn: Turn, path: string): Promise<void> {
  const { tour } = turn.texts;
  const name = shortName(path, turn.session.cwd);
  if (turn.session.settings.mode === 'auto') await turn.say(tour.withoutAsking);
  const outcome = await editFile(turn, path);
  switch (outcome.type) {
    case 'written':
      return turn.say(tour.done(name, outcome.line));
    case 'rejected':
      return turn.say(tour.rejected(name));
    case 'noGoodPlace':
      return turn.say(tour.noGoodPlace(name));
    case 'failed':
      return turn.say(tour.cannotWrite(name, outcome.reason));
  }
}

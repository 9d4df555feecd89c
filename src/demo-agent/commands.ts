// Owns: the slash commands of the demo agent: their list and what each does. Must not: hold the tour or sentences.
import { RequestError } from '@agentclientprotocol/sdk';
import type { AvailableCommand, ClientCapabilities } from '@agentclientprotocol/sdk';
import { askBack, canAsk } from './ask.ts';
import { codeBlock, exampleLanguages, knownLanguage } from './examples.ts';
import { commandFile, shortName } from './prompt.ts';
import type { Asked } from './prompt.ts';
import type { Texts } from './texts/texts.ts';
import { readFile } from './tools.ts';
import { guide, proposeEdit, sizeOf } from './tour.ts';
import { toolText } from './turn.ts';
import type { Turn } from './turn.ts';

type Name = keyof Texts['commands'];
type Command = (turn: Turn, argument: string, asked: Asked) => Promise<void>;

const defaultSeconds = 5;
const maxSeconds = 600;
const defaultLines = 500;
const maxLines = 20_000;
/** So that a long answer takes seconds, not minutes, at any pace. */
const longChunks = 200;

const commands: Readonly<Record<Name, Command>> = {
  help,
  code,
  plan,
  edit,
  read,
  slow,
  long,
  error: (turn, argument) => Promise.reject(new RequestError(-32603, argument || turn.texts.error.message)),
  ask: askBack,
};

function isName(name: string): name is Name {
  return Object.hasOwn(commands, name);
}

function names(can: ClientCapabilities): Name[] {
  return Object.keys(commands).filter((name): name is Name => isName(name) && (name !== 'ask' || canAsk(can)));
}

export function availableCommands(texts: Texts, can: ClientCapabilities): AvailableCommand[] {
  return names(can).map((name) => {
    const command = texts.commands[name];
    return {
      name,
      description: command.description,
      ...('hint' in command && { input: { hint: command.hint } }),
    };
  });
}

/** Answers a prompt: its command, or the tour. */
export async function answer(turn: Turn, asked: Asked): Promise<void> {
  const { command } = asked;
  if (command === undefined) return guide(turn, asked);
  if (isName(command.name)) return commands[command.name](turn, command.argument, asked);
  await turn.say(turn.texts.unknownCommand(command.name));
  return help(turn);
}

async function help(turn: Turn): Promise<void> {
  const { texts } = turn;
  const lines = availableCommands(texts, turn.can).map(({ name, description, input }) => {
    const usage = input ? `/${name} [${input.hint}]` : `/${name}`;
    return `- \`${usage}\`: ${description}\n`;
  });
  await turn.say(texts.help.title + lines.join('') + texts.help.rest);
}

async function code(turn: Turn, argument: string): Promise<void> {
  const { texts } = turn;
  const known = argument === '' ? undefined : knownLanguage(argument);
  if (argument !== '' && known === undefined) {
    return turn.say(texts.code.unknown(argument, exampleLanguages().join(', ')));
  }
  for (const language of known === undefined ? exampleLanguages() : [known]) {
    await turn.say(texts.code.one(language) + codeBlock(language));
  }
}

async function plan(turn: Turn, argument: string): Promise<void> {
  const { intro, defaultGoal, entries } = turn.texts.plan;
  await turn.say(intro(argument || defaultGoal));
  await turn.plan([
    { content: entries.understand, priority: 'high', status: 'pending' },
    { content: entries.test, priority: 'high', status: 'pending' },
    { content: entries.change, priority: 'medium', status: 'pending' },
    { content: entries.review, priority: 'low', status: 'pending' },
  ]);
}

async function edit(turn: Turn, _argument: string, asked: Asked): Promise<void> {
  const path = await turn.heed(commandFile(asked, turn.session.cwd));
  if (turn.session.settings.mode === 'plan') return turn.say(turn.texts.tour.onlyPlanning);
  return path === undefined ? turn.say(turn.texts.noFile) : proposeEdit(turn, path);
}

async function read(turn: Turn, _argument: string, asked: Asked): Promise<void> {
  const { texts, session } = turn;
  const path = await turn.heed(commandFile(asked, session.cwd));
  if (path === undefined) return turn.say(texts.noFile);
  const name = shortName(path, session.cwd);
  const result = await readFile(turn, path);
  if (!result.ok) return turn.say(texts.tour.cannotRead(name, result.reason));
  return turn.say(texts.tour.read(name, sizeOf(turn, result.text), turn.readsUnsavedText));
}

async function slow(turn: Turn, argument: string): Promise<void> {
  const { slow: say, tools } = turn.texts;
  const seconds = numberIn(argument, defaultSeconds, maxSeconds);
  await turn.say(say.start(seconds));
  const toolCallId = await turn.openTool({ title: tools.wait(seconds), kind: 'execute', status: 'in_progress' });
  for (let passed = 0; passed < seconds; passed += 1) {
    await turn.pause(Math.min(1, seconds - passed) * 1000);
    await turn.updateTool({ toolCallId, content: [toolText(tools.waited(Math.min(passed + 1, seconds)))] });
  }
  await turn.endTool(toolCallId, 'completed');
  await turn.say(say.end);
}

async function long(turn: Turn, argument: string): Promise<void> {
  const { long: say, tools } = turn.texts;
  const count = Math.floor(numberIn(argument, defaultLines, maxLines));
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  await turn.say(say.intro(count));
  const toolCallId = await turn.openTool({ title: tools.count(count), kind: 'execute', status: 'in_progress' });
  await turn.endTool(toolCallId, 'completed', toolText(numbers.join('\n')));
  const perChunk = Math.ceil(count / longChunks);
  for (let from = 0; from < count; from += perChunk) {
    const lines = numbers.slice(from, from + perChunk).map(say.line);
    await turn.sayAtOnce(lines.join('\n\n') + '\n\n');
  }
}

function numberIn(argument: string, otherwise: number, most: number): number {
  const number = Number(argument.replace(',', '.'));
  return argument === '' || !Number.isFinite(number) || number < 0 ? otherwise : Math.min(number, most);
}

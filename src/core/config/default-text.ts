// Writes the text of a first configuration file: the demo agent, the agents found, and the rest as comments. Writes no file.
import { word, type Language, type TextKey } from '../texts/index.ts';
import { dockerAgent, knownAgents, type FoundAgent } from './known-agents.ts';
import { yamlText } from './yaml-text.ts';

export interface FirstConfig {
  readonly language: Language;
  /** How the demo agent is started; `${NAME}` in it is replaced when the file is read. */
  readonly demoAgent: { readonly command: string; readonly args: readonly string[] };
  readonly found: readonly FoundAgent[];
  /** URL of the JSON Schema, for the completion and hover of editors; "" for none. */
  readonly schemaUrl?: string;
}

export function defaultConfigText({ language, demoAgent, found, schemaUrl = '' }: FirstConfig): string {
  const say = (key: TextKey): string => word(language, key);
  const demo: FoundAgent = { name: 'demo', title: say('config.first.demoTitle'), ...demoAgent };
  return [
    ...(schemaUrl ? [`# yaml-language-server: $schema=${schemaUrl}`] : []),
    `# ${say('config.first.head')}`,
    `# ${say('config.first.help')}`,
    '',
    `language: ${language}`,
    '',
    ...limitLines(say),
    '',
    'agents:',
    `  # ${say('config.first.demo')}`,
    ...agentLines(demo, `description: ${yamlText(say('config.first.demoDescription'))}`),
    ...foundLines(say, found),
    '',
    `  # ${say('config.first.more')}`,
    ...examples(found)
      .flatMap((example) => agentLines(example))
      .map(commented),
    '',
    `# ${say('config.first.channels')}`,
    ...channelLines(say).map((line) => `# ${line}`),
    '',
  ].join('\n');
}

const limitLines = (say: (key: TextKey) => string): readonly string[] => [
  'limits:',
  `  maxRunningAgents: 4 # ${say('config.key.maxRunningAgents')}`,
  `  stopIdleAgentsAfter: 15m # ${say('config.key.stopIdleAgentsAfter')}`,
];

function agentLines({ name, title, command, args }: FoundAgent, ...more: readonly string[]): readonly string[] {
  return [
    `  ${name}:`,
    ...(title === name ? [] : [`    title: ${yamlText(title)}`]),
    ...more.map((line) => `    ${line}`),
    `    command: ${yamlText(command)}`,
    ...(args.length > 0 ? [`    args: [${args.map(yamlText).join(', ')}]`] : []),
  ];
}

const foundLines = (say: (key: TextKey) => string, found: readonly FoundAgent[]): readonly string[] =>
  found.length === 0 ? [] : ['', `  # ${say('config.first.found')}`, ...found.flatMap((agent) => agentLines(agent))];

/** The docker agent, and the best known ones that are not here. */
function examples(found: readonly FoundAgent[]): readonly FoundAgent[] {
  const absent = knownAgents.slice(0, 4).filter((known) => !found.some((agent) => agent.name === known.name));
  return [dockerAgent, ...absent.map(({ programs, ...rest }) => ({ ...rest, command: programs[0] ?? rest.name }))];
}

/** Commented so that taking away `# ` leaves a line that fits its neighbours. */
const commented = (line: string): string => `  # ${line.slice(2)}`;

const channelLines = (say: (key: TextKey) => string): readonly string[] => [
  'channels:',
  '  review:',
  `    description: ${yamlText(say('config.first.channelDescription'))}`,
  '    members: [demo]',
];

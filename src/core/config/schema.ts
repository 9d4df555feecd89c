// The JSON Schema of the configuration (SPEC section 3), as data. What no schema can say (names that differ in case …) is in resolve.ts.
// `$comment` names the text that says what a value must be, `description` the text an editor shows for a key.
import { roles } from '../transcript/roles.ts';
import { word, type Language, type TextKey } from '../texts/index.ts';
import { agentNamePattern } from './names.ts';

export interface Schema {
  readonly $schema?: string;
  readonly type?: string | readonly string[];
  readonly description?: TextKey;
  readonly $comment?: TextKey;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

/** What is written without quotes is taken as it looks: `1.10`, `012` and `no` are texts where a text is wanted. */
const written = ['string', 'number', 'boolean'];
const notEmpty = '\\S';

const text = (description: TextKey): Schema => ({
  type: [...written, 'null'],
  description,
  $comment: 'config.expected.text',
});
const oneOf = (description: TextKey, values: readonly string[]): Schema => ({
  type: 'string',
  enum: values,
  description,
  $comment: 'config.expected.oneOf',
  ...(values[0] !== undefined && { default: values[0] }),
});
const keys = (properties: Readonly<Record<string, Schema>>, description?: TextKey): Schema => ({
  type: ['object', 'null'],
  properties,
  additionalProperties: false,
  $comment: 'config.expected.keys',
  ...(description && { description }),
});
const item: Schema = { type: written, $comment: 'config.expected.text' };
const texts = (description: TextKey): Schema => ({
  type: ['array', 'null'],
  items: item,
  description,
  $comment: 'config.expected.texts',
});

/** What can be coloured: the roles of the transcript, then those only Sidekicks' windows have. */
const themeRoles = [
  ...roles,
  'strike',
  'warning',
  'fold',
  'activity',
  'usage',
  'permission',
  'permission.border',
  ...['stopped', 'starting', 'ready', 'busy', 'error'].map((state) => `agent.${state}`),
];
const group: Schema = {
  type: ['string', 'null'],
  pattern: '^[A-Za-z0-9_.@-]+$',
  $comment: 'config.expected.highlight',
};

const server: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: item,
    type: item,
    command: item,
    url: item,
    args: { type: 'array', items: item, $comment: 'config.expected.texts' },
    env: { type: 'array', items: { type: 'object', properties: { name: item, value: item } } },
    headers: { type: 'array', items: { type: 'object', properties: { name: item, value: item } } },
  },
  $comment: 'config.expected.server',
};

const runtime = keys(
  {
    type: oneOf('config.key.runtimeType', ['local', 'container', 'sbx']),
    name: text('config.key.runtimeName'),
    cli: oneOf('config.key.runtimeCli', ['docker', 'podman', 'nerdctl']),
    workspacePath: text('config.key.workspacePath'),
    launch: oneOf('config.key.launch', ['inside', 'host']),
    lifecycle: keys(
      {
        create: text('config.key.lifecycleCreate'),
        stop: text('config.key.lifecycleStop'),
        remove: text('config.key.lifecycleRemove'),
      },
      'config.key.lifecycle',
    ),
  },
  'config.key.runtime',
);

export const agentSchema: Schema = {
  type: 'object',
  required: ['command'],
  additionalProperties: false,
  $comment: 'config.expected.keys',
  properties: {
    title: text('config.key.title'),
    icon: text('config.key.icon'),
    description: text('config.key.description'),
    command: { type: written, pattern: notEmpty, description: 'config.key.command', $comment: 'config.expected.text' },
    args: texts('config.key.args'),
    env: {
      type: ['object', 'null'],
      propertyNames: { type: 'string', pattern: '^[^=\\s]+$', $comment: 'config.envName' },
      additionalProperties: { type: [...written, 'null'], $comment: 'config.expected.text' },
      description: 'config.key.env',
      $comment: 'config.expected.env',
    },
    workspace: text('config.key.workspace'),
    startTimeout: {
      type: ['string', 'null'],
      pattern: '^[1-9][0-9]{0,6}[smh]$',
      default: '30s',
      description: 'config.key.startTimeout',
      $comment: 'config.expected.duration',
    },
    mcpServers: {
      type: ['array', 'null'],
      items: server,
      description: 'config.key.mcpServers',
      $comment: 'config.expected.servers',
    },
    defaults: keys(
      { mode: text('config.key.defaultMode'), model: text('config.key.defaultModel') },
      'config.key.defaults',
    ),
    runtime,
  },
};

export const schema: Schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  ...keys({
    language: oneOf('config.key.language', ['en', 'fr']),
    theme: keys(Object.fromEntries(themeRoles.map((role) => [role, group])), 'config.key.theme'),
    limits: keys(
      {
        maxRunningAgents: {
          type: ['integer', 'null'],
          minimum: 1,
          default: 4,
          description: 'config.key.maxRunningAgents',
          $comment: 'config.expected.whole',
        },
        stopIdleAgentsAfter: {
          type: ['string', 'integer', 'null'],
          minimum: 0,
          maximum: 0,
          pattern: '^(0|[1-9][0-9]{0,6}[smh])$',
          default: '15m',
          description: 'config.key.stopIdleAgentsAfter',
          $comment: 'config.expected.durationOrNever',
        },
      },
      'config.key.limits',
    ),
    agents: {
      type: ['object', 'null'],
      propertyNames: { type: 'string', pattern: agentNamePattern, $comment: 'config.agentName' },
      additionalProperties: agentSchema,
      description: 'config.key.agents',
      $comment: 'config.expected.agents',
    },
    channels: {
      type: ['object', 'null'],
      propertyNames: { type: 'string', pattern: '^(?=.*\\S)[^\\p{Cc}]{1,64}$', $comment: 'config.channelName' },
      additionalProperties: keys({
        description: text('config.key.channelDescription'),
        members: texts('config.key.members'),
      }),
      description: 'config.key.channels',
      $comment: 'config.expected.channels',
    },
    edits: keys(
      {
        save: oneOf('config.key.editsSave', ['never', 'turn', 'always']),
        unopened: oneOf('config.key.editsUnopened', ['disk', 'buffer']),
      },
      'config.key.edits',
    ),
  }),
};

/** The schema as editors get it: `$comment` left out, `description` in the person's language. */
export function configSchema(language: Language): Readonly<Record<string, unknown>> {
  return wordSchema(language, schema);
}

function wordSchema(language: Language, value: Schema): Readonly<Record<string, unknown>> {
  const { description, properties, items, additionalProperties, propertyNames, ...rest } = value;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => key !== '$comment')),
    ...(description && { description: word(language, description) }),
    ...(properties && { properties: wordEach(language, properties) }),
    ...(items && { items: wordSchema(language, items) }),
    ...(propertyNames && { propertyNames: wordSchema(language, propertyNames) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'boolean' ? additionalProperties : wordSchema(language, additionalProperties),
    }),
  };
}

const wordEach = (language: Language, properties: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, wordSchema(language, value)]));

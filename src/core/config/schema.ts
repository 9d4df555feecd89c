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
  /** What editors check as well: the parser says it in words of its own, after the schema. */
  readonly forEditors?: Readonly<Record<string, unknown>>;
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
});
/** The first is what holds without the key. */
const oneOfFirst = (description: TextKey, values: readonly string[]): Schema => ({
  ...oneOf(description, values),
  default: values[0],
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

/** 500 h at most, in any unit. */
const shortEnough =
  '([1-9][0-9]?|[1-4][0-9]{2}|500)h|([1-9][0-9]{0,3}|[12][0-9]{4}|30000)m|([1-9][0-9]{0,5}|1[0-7][0-9]{5}|1800000)s';

/** What can be coloured: the roles of the transcript, then those only Sidekicks' windows have. */
const themeRoles: readonly ThemeRole[] = [
  ...roles,
  'strike',
  'warning',
  'changed',
  'added.line',
  'removed.line',
  'found',
  'member',
  'fold',
  'activity',
  'usage',
  'permission',
  'permission.border',
  'agent.stopped',
  'agent.starting',
  'agent.ready',
  'agent.busy',
  'agent.error',
];
type ThemeRole = TextKey extends infer Key ? (Key extends `config.role.${infer Role}` ? Role : never) : never;

const group = (role: ThemeRole): Schema => ({
  description: `config.role.${role}`,
  type: ['string', 'null'],
  pattern: '^[A-Za-z0-9_.@-]+$',
  $comment: 'config.expected.highlight',
});

const envName: Schema = { type: 'string', pattern: '^[^=\\s]+$', $comment: 'config.envName' };
const headerName: Schema = { type: 'string', pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", $comment: 'config.headerName' };

/** A mapping from names to texts, or the list of names and values that ACP has. */
const named = (description: TextKey, name: Schema): Schema => ({
  type: ['object', 'array', 'null'],
  propertyNames: name,
  additionalProperties: { type: [...written, 'null'], $comment: 'config.expected.text' },
  items: {
    type: 'object',
    required: ['name', 'value'],
    properties: {
      name: { ...name, description: 'config.key.pairName' },
      value: { ...item, description: 'config.key.pairValue' },
    },
    additionalProperties: false,
    $comment: 'config.expected.named',
  },
  description,
  $comment: 'config.expected.named',
});

/** Which keys belong to which type is checked in servers.ts. */
const server: Schema = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { ...item, pattern: notEmpty, description: 'config.key.serverName' },
    type: {
      type: 'string',
      enum: ['stdio', 'http', 'sse'],
      description: 'config.key.serverType',
      $comment: 'config.expected.oneOf',
    },
    command: { ...item, description: 'config.key.serverCommand' },
    args: texts('config.key.serverArgs'),
    env: named('config.key.serverEnv', envName),
    url: { ...item, description: 'config.key.serverUrl' },
    headers: named('config.key.serverHeaders', headerName),
    _meta: { type: 'object', $comment: 'config.expected.meta', description: 'config.key.serverMeta' },
  },
  description: 'config.key.server',
  $comment: 'config.expected.server',
};

/** One that is not local has a name. */
const namedUnlessLocal = {
  if: { properties: { type: { enum: ['container', 'sbx'] } }, required: ['type'] },
  then: { properties: { name: { type: written, minLength: 1 } }, required: ['name'] },
};

const runtimeKeys = keys(
  {
    type: oneOfFirst('config.key.runtimeType', ['local', 'container', 'sbx']),
    name: {
      ...text('config.key.runtimeName'),
      forEditors: { type: ['string', 'number', 'boolean', 'null'], pattern: '^([A-Za-z0-9][A-Za-z0-9_.+-]*)?$' },
    },
    cli: oneOfFirst('config.key.runtimeCli', ['docker', 'podman', 'nerdctl']),
    workspacePath: {
      ...text('config.key.workspacePath'),
      forEditors: { type: ['string', 'null'], pattern: '^(/|$)' },
    },
    launch: oneOfFirst('config.key.launch', ['inside', 'host']),
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
const runtime: Schema = { ...runtimeKeys, forEditors: namedUnlessLocal };

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
      propertyNames: envName,
      additionalProperties: { type: [...written, 'null'], $comment: 'config.expected.text' },
      description: 'config.key.env',
      $comment: 'config.expected.env',
    },
    workspace: text('config.key.workspace'),
    startTimeout: {
      type: ['string', 'null'],
      pattern: '^[1-9][0-9]{0,6}[smh]$',
      forEditors: { pattern: `^(${shortEnough})$` },
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
    theme: keys(Object.fromEntries(themeRoles.map((role) => [role, group(role)])), 'config.key.theme'),
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
          forEditors: { pattern: `^(0|${shortEnough})$` },
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
        save: oneOfFirst('config.key.editsSave', ['never', 'turn', 'always']),
        unopened: oneOfFirst('config.key.editsUnopened', ['disk', 'buffer']),
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
  const { description, properties, items, additionalProperties, propertyNames, forEditors, ...rest } = value;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => key !== '$comment')),
    ...forEditors,
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

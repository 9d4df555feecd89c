// The roles a stretch of a drawn row can have; Lua links each to a highlight group of the same name. No colour is named here.

/** `x.y_z` becomes the group `SidekicksXYZ`: each word after a dot or an underscore begins with a capital. */
export const roles = [
  // headers
  'speaker',
  'user',
  'time',
  'queued',
  // the agents of a channel after the first, told apart
  'speaker.2',
  'speaker.3',
  'speaker.4',
  'speaker.5',
  // prose
  'heading',
  'strong',
  'emphasis',
  'inlineCode',
  'link',
  'listMarker',
  'quote',
  'mention',
  'command',
  // code
  'fence',
  // thoughts, tools, plans
  'thought',
  'tool',
  'toolKind',
  'status.pending',
  'status.in_progress',
  'status.completed',
  'status.failed',
  'added',
  'removed',
  'plan.pending',
  'plan.in_progress',
  'plan.completed',
  // what Sidekicks itself says
  'notice',
  'error',
  'permission.title',
  'permission.option',
] as const;

export type Role = (typeof roles)[number];

const speakerRoles: readonly Role[] = ['speaker', 'speaker.2', 'speaker.3', 'speaker.4', 'speaker.5'];

/** The role of an agent's name in a channel, by its place in the configuration. */
export const speakerRole = (index: number): Role => speakerRoles[Math.max(index, 0) % speakerRoles.length] ?? 'speaker';

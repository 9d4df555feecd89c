// The roles a stretch of a drawn row can have; Lua links each to a highlight group of the same name. No colour is named here.

/** `x.y_z` becomes the group `SidekicksXYZ`: each word after a dot or an underscore begins with a capital. */
export const roles = [
  // headers
  'speaker',
  'user',
  'time',
  'queued',
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

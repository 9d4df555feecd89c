// Folds the updates of a session into the parts of an agent's message (SPEC section 7). Pure; knows no turn and no queue.
import type { Part, Tool } from '../contract/shapes.ts';
import type { SessionUpdate, ToolPatch } from '../ports.ts';

/** What changed, as the event `message:delta` tells it: text added to a part, or a part replaced. */
export interface PartChange {
  readonly index: number;
  readonly kind: Part['kind'];
  readonly text?: string;
  readonly part?: Part;
}

export interface Folded {
  readonly parts: readonly Part[];
  readonly changes: readonly PartChange[];
}

const toolKinds: ReadonlySet<string> = new Set<Tool['kind']>([
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'other',
]);
const toolStatuses: ReadonlySet<string> = new Set<Tool['status']>(['pending', 'in_progress', 'completed', 'failed']);

const isKind = (kind: string): kind is Tool['kind'] => toolKinds.has(kind);
const isStatus = (status: string): status is Tool['status'] => toolStatuses.has(status);

const unchanged = (parts: readonly Part[]): Folded => ({ parts, changes: [] });

/** Updates that are no part of a message (commands, usage, …) leave the parts as they were. */
export function foldUpdate(parts: readonly Part[], update: SessionUpdate): Folded {
  switch (update.type) {
    case 'text':
    case 'thought':
      return update.text === '' ? unchanged(parts) : addText(parts, update.type, update.text);
    case 'tool':
      return foldTool(parts, update.id, update.patch);
    case 'plan':
      return foldPlan(parts, { kind: 'plan', entries: [...update.entries] });
    case 'userText':
    case 'commands':
    case 'options':
    case 'usage':
    case 'notice':
    case 'compaction':
      return unchanged(parts);
  }
}

function addText(parts: readonly Part[], kind: 'text' | 'thought', text: string): Folded {
  const index = parts.length - 1;
  const last = parts[index];
  if (last?.kind !== kind) {
    return { parts: [...parts, { kind, text }], changes: [{ index: index + 1, kind, text }] };
  }
  return { parts: parts.with(index, { kind, text: last.text + text }), changes: [{ index, kind, text }] };
}

/** A plan replaces the plan before it (ACP.md 3.4): one plan a message. */
function foldPlan(parts: readonly Part[], plan: Part): Folded {
  const found = parts.findLastIndex((part) => part.kind === 'plan');
  const index = found < 0 ? parts.length : found;
  return place(parts, index, plan);
}

/** Everything keyed by a tool call's id is an upsert (ACP.md 1): also an update nobody announced. */
export function foldTool(parts: readonly Part[], id: string, patch: ToolPatch): Folded {
  const found = parts.findLastIndex((part) => part.kind === 'tool' && part.tool.id === id);
  const before = parts[found];
  const tool = patchTool(before?.kind === 'tool' ? before.tool : newTool(id), patch);
  return place(parts, found < 0 ? parts.length : found, { kind: 'tool', tool });
}

function place(parts: readonly Part[], index: number, part: Part): Folded {
  const next = index === parts.length ? [...parts, part] : parts.with(index, part);
  return { parts: next, changes: [{ index, kind: part.kind, part }] };
}

export function findTool(parts: readonly Part[], id: string): Tool | undefined {
  const part = parts.findLast((candidate) => candidate.kind === 'tool' && candidate.tool.id === id);
  return part?.kind === 'tool' ? part.tool : undefined;
}

const newTool = (id: string): Tool => ({
  id,
  title: '',
  kind: 'other',
  status: 'pending',
  input: '',
  output: '',
  locations: [],
  diffs: [],
});

function patchTool(tool: Tool, patch: ToolPatch): Tool {
  return {
    ...tool,
    title: patch.title ?? tool.title,
    kind: patch.kind !== undefined && isKind(patch.kind) ? patch.kind : tool.kind,
    status: patch.status !== undefined && isStatus(patch.status) ? patch.status : tool.status,
    input: patch.input ?? tool.input,
    output: (patch.output ?? tool.output) + (patch.outputDelta ?? ''),
    locations: patch.locations ? [...patch.locations] : tool.locations,
    diffs: patch.diffs && patch.diffs.length > 0 ? [...patch.diffs] : tool.diffs,
  };
}

/** Ends the tool calls a turn left open (DESIGN invariant 3); `status` says how each of them ended. */
export function endOpenTools(parts: readonly Part[], status: (tool: Tool) => 'completed' | 'failed'): Folded {
  const changes: PartChange[] = [];
  const ended = parts.map((part, index): Part => {
    if (part.kind !== 'tool' || part.tool.status === 'completed' || part.tool.status === 'failed') return part;
    const closed: Part = { kind: 'tool', tool: { ...part.tool, status: status(part.tool) } };
    changes.push({ index, kind: 'tool', part: closed });
    return closed;
  });
  return { parts: ended, changes };
}

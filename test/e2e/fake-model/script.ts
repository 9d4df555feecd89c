// Owns what the fake model says next: finds the script in the prompt and the step to play. Knows no wire format.
//
// A prompt holds its answer:  FAKE[ {step}, {step}, … ]FAKE
//   {"op":"text","text":"…"}                           say this, in small pieces
//   {"op":"think","text":"…"}                          think this before what follows
//   {"op":"write","path":"/abs","content":"…"}         use the agent's tool for writing a file
//   {"op":"edit","path":"/abs","old":"…","new":"…"}    … for editing one
//   {"op":"read","path":"/abs"}                        … for reading one
//   {"op":"bash","command":"…"}                        … for running a command
//   {"op":"tool","name":"X","args":{}}                 use any tool by its name
//   {"op":"hang","ms":60000}                           stay silent that long (to try a cancel)
//   {"op":"error","status":500}                        answer with an HTTP error
// A tool step ends a reply; the agent comes back with its result. The step to play follows from the number of results
// since the prompt, so the server keeps no state. A prompt without a script gets DEFAULT_ANSWER.
import { asObject, asObjects, asText, isObject, type JsonObject } from './json.ts';
import type { ModelRequest, Reply, Turn } from './model.ts';
import { isToolStep, toolReply, type ToolStep } from './tools.ts';

export type Step =
  | ToolStep
  | { readonly op: 'text' | 'think'; readonly text: string }
  | { readonly op: 'hang'; readonly ms: number }
  | { readonly op: 'error'; readonly status: number };

export const DEFAULT_ANSWER = 'Hello from the fake model.';

/** The text to put in a prompt so that the fake model answers with these steps. */
export function scriptText(steps: readonly Step[]): string {
  return `FAKE${JSON.stringify(steps)}FAKE`;
}

export function decide(request: ModelRequest): Reply[] {
  const { steps, results, problem } = findScript(request.turns);
  if (problem) return [text(problem)];
  if (request.jsonSchema) return [text(JSON.stringify(smallestValue(request.jsonSchema)))];
  if (!steps) return [text(DEFAULT_ANSWER)];
  // Agents ask for a title of the conversation in a side request that offers no tools.
  if (request.tools.length === 0) return [text('Fake title')];
  return play(stepsAfter(steps, results), request);
}

interface Script {
  readonly steps?: Step[];
  readonly results: number;
  readonly problem?: string;
}

/** The script of the last prompt and how many of its tools have been used since. */
function findScript(turns: readonly Turn[]): Script {
  let script: Script = { results: 0 };
  for (const turn of turns) {
    if (turn.role === 'user' && turn.text) script = scriptOf(turn, script);
    script = { ...script, results: script.results + turn.toolResults };
  }
  return script;
}

function scriptOf(turn: Turn, before: Script): Script {
  const source = [...turn.text.matchAll(/FAKE(\[[\s\S]*?\])FAKE/g)].at(-1)?.[1];
  if (source !== undefined) return parseScript(source);
  return turn.toolResults > 0 || turn.auxiliary ? before : { results: 0 };
}

function parseScript(source: string): Script {
  try {
    const list: unknown = JSON.parse(source);
    return { steps: asObjects(list).map(readStep), results: 0 };
  } catch (error) {
    return { results: 0, problem: `This script cannot be read: ${String(error)}` };
  }
}

function readStep(raw: JsonObject): Step {
  const number = (key: string, otherwise: number): number => {
    const value = raw[key];
    return typeof value === 'number' ? value : otherwise;
  };
  switch (raw['op']) {
    case 'text':
    case 'think':
      return { op: raw['op'], text: asText(raw['text']) };
    case 'write':
      return { op: 'write', path: asText(raw['path']), content: asText(raw['content']) };
    case 'edit':
      return { op: 'edit', path: asText(raw['path']), old: asText(raw['old']), new: asText(raw['new']) };
    case 'read':
      return { op: 'read', path: asText(raw['path']) };
    case 'bash':
      return { op: 'bash', command: asText(raw['command']) };
    case 'tool':
      return { op: 'tool', name: asText(raw['name']), args: asObject(raw['args']) };
    case 'hang':
      return { op: 'hang', ms: number('ms', 60_000) };
    case 'error':
      return { op: 'error', status: number('status', 500) };
    default:
      throw new Error(`there is no step ${JSON.stringify(raw['op'])}`);
  }
}

/** Leaves out the tools that were used already, and what was said before each of them. */
function stepsAfter(steps: readonly Step[], results: number): readonly Step[] {
  let used = 0;
  const next = steps.findIndex((step) => {
    if (used >= results) return true;
    if (isToolStep(step)) used += 1;
    return false;
  });
  return next < 0 ? [] : steps.slice(next);
}

function play(steps: readonly Step[], request: ModelRequest): Reply[] {
  const replies: Reply[] = [];
  for (const step of steps) {
    if (step.op === 'error') return [{ kind: 'error', status: step.status }];
    if (isToolStep(step)) return [...replies, toolReply(step, request.tools)];
    replies.push(step.op === 'hang' ? { kind: 'hang', ms: step.ms } : { kind: step.op, text: step.text });
  }
  return replies.some((reply) => reply.kind === 'text') ? replies : [...replies, text('All steps done.')];
}

function text(value: string): Reply {
  return { kind: 'text', text: value };
}

/** The smallest value that fits a JSON schema; Gemini asks for such values in side requests. */
function smallestValue(schema: unknown): unknown {
  if (!isObject(schema)) return 'x';
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const properties = asObject(schema['properties']);
  switch ((asText(schema['type']) || (schema['properties'] ? 'object' : 'string')).toLowerCase()) {
    case 'object':
      return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, smallestValue(value)]));
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'number':
    case 'integer':
      return 0;
    default:
      return 'x';
  }
}

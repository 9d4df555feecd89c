// An agent's question as views show it: its fields with what they accept in words, its place among the tool calls, its answer. Pure.
import type { QuestionField, Tool } from '../contract/shapes.ts';
import { word, type Language, type TextKey } from '../texts/index.ts';
import type { Content, Value } from './content.ts';
import type { Field } from './fields.ts';
import { rowOf } from './read.ts';

/** A question stands in the answer as a tool call of this id: it waits, and ends, at its place. */
export const questionTool = (id: string): string => `question-${id}`;

export const isQuestion = ({ id }: Tool): boolean => id.startsWith('question-');

export function fieldShown(language: Language, field: Field): QuestionField {
  const { kind, name, title, description, required } = field;
  const lines = kind === 'text' && field.format === undefined && field.pattern === undefined;
  const shown = { kind, name, title, description, required, lines, hint: hintOf(language, field) };
  const choices = choicesOf(language, field);
  return { ...shown, choices, ...(field.preset !== undefined && { preset: presetOf(field.preset) }) };
}

const presetOf = (preset: Value): string | boolean | string[] =>
  typeof preset === 'object' ? [...preset] : typeof preset === 'number' ? String(preset) : preset;

function choicesOf(language: Language, field: Field): QuestionField['choices'] {
  if (field.kind === 'one' || field.kind === 'many') return [...field.choices];
  if (field.kind !== 'boolean') return [];
  return [true, false].map((value) => ({
    value,
    title: word(language, value ? 'question.yes' : 'question.no'),
    description: '',
  }));
}

/** What the field accepts. */
function hintOf(language: Language, field: Field): string {
  const say = (key: TextKey, values?: Record<string, string | number>) => word(language, key, values);
  const hints: string[] = [];
  if (field.kind === 'text' && field.format) hints.push(say(`question.format.${field.format}`));
  if (field.kind === 'integer') hints.push(say('question.integer'));
  if (field.kind === 'number') hints.push(say('question.number'));
  if (field.kind !== 'boolean' && field.kind !== 'one') {
    const unit = { text: 'length', number: 'value', integer: 'value', many: 'count' } as const;
    const { least, most } = field;
    if (least !== undefined) hints.push(say(`question.least.${unit[field.kind]}`, { least }));
    if (most !== undefined) hints.push(say(`question.most.${unit[field.kind]}`, { most }));
  }
  if (field.kind === 'text' && field.pattern !== undefined)
    hints.push(say('question.pattern', { what: field.pattern }));
  return hints.join(' · ');
}

/** One line a field, choices by their titles. */
export const answerShown = (fields: readonly Field[], content: Content): string =>
  fields
    .flatMap((field) => {
      const value = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
      return value === undefined ? [] : [`${label(field.title)} ${valueShown(field, value)}`];
    })
    .join('\n');

/** A title that ends as a sentence does gets no colon. */
const label = (title: string): string => (/[?!:.]$/.test(title) ? title : `${title}:`);

function valueShown(field: Field, value: Value): string {
  const titleOf = (one: string): string =>
    'choices' in field ? (field.choices.find((choice) => choice.value === one)?.title ?? one) : one;
  if (typeof value === 'object') return value.map(titleOf).join(', ');
  // A sign, because what is kept in the history is read in either language.
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  return typeof value === 'string' ? rowOf(titleOf(value)) : String(value);
}

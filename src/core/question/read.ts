// Reads values of unknown shape for the forms of agents, and makes their words safe to show. Never throws.
import { head } from '../markdown/bytes.ts';
import { visible } from '../markdown/lines.ts';

const mostShown = 2000;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Lines without control characters, cut where nobody reads on. */
export const linesOf = (text: string): string => {
  const shown = visible(head(text, mostShown)).trimEnd();
  return text.length > mostShown ? `${shown}…` : shown;
};

/** The same on one row. */
export const rowOf = (text: string): string => linesOf(text).replace(/\s*\n\s*/g, ' ↵ ');

// The whole of a tool call as rows, for a buffer of its own: nothing is cut but rows no window can show.
import type { Tool } from '../contract/shapes.ts';
import { changesOf } from './diff.ts';
import { say, type Context, type TranscriptOptions } from './drawn.ts';
import { asOnScreen } from './output.ts';
import { oneRow, plainRows } from './plain.ts';
import { rowLimits } from './sizes.ts';

export interface WholeTool {
  readonly title: string;
  readonly rows: readonly string[];
}

export function wholeTool(options: TranscriptOptions, tool: Tool): WholeTool {
  const context: Context = { options, permissions: [] };
  const rows = (text: string): readonly string[] => plainRows(text, rowLimits.code, options.language);
  const kind = say(context, `tool.${tool.kind}`);
  const places = tool.locations.map(({ path, line }) =>
    oneRow(line === undefined ? path : `${path}:${line}`, rowLimits.output),
  );
  const sections = [
    [...rows(tool.title), say(context, 'tool.status', { status: say(context, `tool.status.${tool.status}`) })],
    titled(say(context, 'tool.locations'), places),
    titled(say(context, 'tool.input'), rows(readable(tool.input))),
    ...tool.diffs.map((diff) =>
      titled(
        `${say(context, 'tool.changes')} · ${oneRow(diff.path)}`,
        changesOf(context, diff).map((line) => line.sign + line.text),
      ),
    ),
    titled(say(context, 'tool.output'), rows(asOnScreen(tool.output))),
  ].filter((section) => section.length > 0);
  return {
    title: tool.title === '' ? kind : `${kind} · ${oneRow(tool.title)}`,
    rows: sections.flatMap((section, index) => (index === 0 ? section : ['', ...section])),
  };
}

const titled = (title: string, rows: readonly string[]): readonly string[] => (rows.length > 0 ? [title, ...rows] : []);

/** JSON on several lines; what is no JSON stays as it is. */
function readable(input: string): string {
  if (input === '' || input === '{}') return '';
  try {
    return JSON.stringify(JSON.parse(input), undefined, 2);
  } catch {
    return input;
  }
}

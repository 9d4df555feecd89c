// Reads the text of a configuration file: the configuration, or where it is wrong (SPEC section 3). Reads no file.
import type { Config } from '../config.ts';
import type { Problem } from '../contract/shapes.ts';
import type { Language } from '../texts/index.ts';
import { checkTree } from './check.ts';
import { wordFindings, type Finding } from './findings.ts';
import { languageOf, resolveConfig, type Setting } from './resolve.ts';
import { readTree } from './yaml-tree.ts';

export type { Setting };

export interface ConfigRead {
  /** Undefined when there are problems: a broken file never takes the place of the last good one. */
  readonly config: Config | undefined;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** 1 MB. */
export const maxConfigBytes = 1_048_576;
const sizeLimit = '1 MB';

export function parseConfig(text: string, setting: Setting): ConfigRead {
  // Columns do not count a byte-order mark, and the YAML in front of which it stands does not begin with it.
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const refused = refuseText(source);
  if (refused) return give(setting.language, source, [refused], undefined);
  const { tree, findings } = readTree(source);
  if (!tree) return give(setting.language, source, findings, undefined);
  const resolved = resolveConfig(source, tree, setting);
  return give(
    languageOf(tree) ?? setting.language,
    source,
    [...checkTree(tree), ...resolved.findings],
    resolved.config,
  );
}

/** What is no text to begin with. */
function refuseText(source: string): Finding | undefined {
  if (source.length > maxConfigBytes || new TextEncoder().encode(source).length > maxConfigBytes) {
    return { at: 0, text: 'config.tooLarge', values: { limit: sizeLimit } };
  }
  const control = /(?![\t\n\r\u0085])\p{Cc}|\r(?!\n)/u.exec(source);
  if (!control) return undefined;
  const code = `U+${control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return { at: control.index, text: 'config.control', values: { code } };
}

function give(
  language: Language,
  source: string,
  findings: readonly Finding[],
  config: Config | undefined,
): ConfigRead {
  const problems = findings.filter((finding) => !finding.warning);
  const warnings = findings.filter((finding) => finding.warning);
  return {
    config: problems.length > 0 ? undefined : config,
    problems: wordFindings(language, source, problems),
    warnings: wordFindings(language, source, warnings),
  };
}

// Makes a configuration of what stands in its text, or says where it is wrong (SPEC section 3). Reads plain YAML by itself; the
// library for all of YAML is parse.ts's, as loading it takes longer than reading most files.
import type { Config } from '../config.ts';
import type { Problem } from '../contract/shapes.ts';
import type { Language } from '../texts/index.ts';
import { checkTree } from './check.ts';
import { wordFindings, type Finding } from './findings.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { languageOf, resolveConfig, type Setting } from './resolve.ts';
import type { TreeRead } from './yaml-tree.ts';

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

/** Undefined: the library must read it. */
export function parsePlainConfig(text: string, setting: Setting): ConfigRead | undefined {
  const source = withoutMark(text);
  const refused = refuseText(source);
  if (refused) return give(shownLanguage(setting), source, [refused], undefined);
  const tree = readPlainYaml(source);
  return tree && judgeTree(source, { tree, findings: [] }, setting);
}

/** Columns do not count a byte-order mark, and the YAML in front of which it stands does not begin with it. */
export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

export function judgeTree(source: string, { tree, findings }: TreeRead, setting: Setting): ConfigRead {
  if (!tree) return give(shownLanguage(setting), source, findings, undefined);
  const resolved = resolveConfig(source, tree, setting);
  const found = [...checkTree(tree), ...resolved.findings];
  const isBroken = found.some(({ warning }) => !warning);
  const unnamed = isBroken ? shownLanguage(setting) : setting.language;
  return give(languageOf(tree) ?? unnamed, source, found, resolved.config);
}

/** Of the problems of a broken file: the language in force stays. */
const shownLanguage = ({ language, shown = language }: Setting): Language => shown;

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

// Says what the YAML library found wrong in words of our own, in place of its English ones. Decides nothing else.
import type { YAMLError } from 'yaml';
import type { Finding, Said } from './findings.ts';

/** No one indents further; a file of blanks is not searched to its end. */
const maxIndent = 1000;

/** One for each line: what follows the first is mostly its consequence. */
export function syntaxFindings(text: string, errors: readonly YAMLError[]): readonly Finding[] {
  const sorted = [...errors].sort((a, b) => a.pos[0] - b.pos[0]);
  return sorted
    .filter((error, index) => text.slice(sorted[index - 1]?.pos[0] ?? 0, error.pos[0]).includes('\n') || index === 0)
    .map((error) => ({ ...explain(text, error), at: afterBlanks(text, error.pos[0]) }));
}

/** A wrong indentation is reported where its line begins; what is indented is what a person looks for. */
function afterBlanks(text: string, at: number): number {
  const first = text.slice(at, at + maxIndent).search(/[^ ]/);
  return first > 0 ? at + first : at;
}

function explain(text: string, error: YAMLError): Said {
  if (isVariable(text, error.pos[0])) return { text: 'config.yaml.variable' };
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return { text: 'config.yaml.tab' };
    case 'BAD_INDENT':
      return unclosed(error) ?? { text: 'config.yaml.indent' };
    case 'MISSING_CHAR':
      return unclosed(error) ?? { text: isKeyAlone(error) ? 'config.yaml.colon' : 'config.yaml.syntax' };
    case 'MULTILINE_IMPLICIT_KEY':
    case 'BLOCK_AS_IMPLICIT_KEY':
      return { text: 'config.yaml.colon' };
    case 'BAD_SCALAR_START':
      return { text: 'config.yaml.quote', values: { character: text.charAt(error.pos[0]) } };
    case 'BAD_DQ_ESCAPE':
      return { text: 'config.yaml.escape', values: { escape: text.slice(error.pos[0], error.pos[0] + 2) } };
    case 'MULTIPLE_DOCS':
      return { text: 'config.yaml.documents' };
    case 'RESOURCE_EXHAUSTION':
      return { text: 'config.yaml.depth' };
    case 'TAG_RESOLVE_FAILED':
    case 'BAD_COLLECTION_TYPE':
      return { text: 'config.yaml.tag', values: { tag: text.slice(error.pos[0], error.pos[1]) } };
    default:
      return { text: 'config.yaml.syntax' };
  }
}

/** `${NAME}` in a flow collection: its brace opens a mapping. */
const isVariable = (text: string, at: number): boolean => text.slice(at - 1, at + 1) === '${';

/** The library has one code for many things; only its words tell that a closing sign is missing, and which. */
function unclosed(error: YAMLError): Said | undefined {
  const character = /end with an? (\S)$|^Missing closing (\S)/.exec(error.message)?.slice(1).find(Boolean);
  return character === undefined ? undefined : { text: 'config.yaml.unclosed', values: { character } };
}

const isKeyAlone = (error: YAMLError): boolean => error.message.startsWith('Implicit map keys');

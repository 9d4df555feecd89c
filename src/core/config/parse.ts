// Reads the text of a configuration file, in whatever YAML it is written (SPEC section 3). Reads no file.
import { judgeTree, parsePlainConfig, withoutMark, type ConfigRead, type Setting } from './judge.ts';
import { readAnyYaml } from './yaml-tree.ts';

export type { ConfigRead, Setting };

export function parseConfig(text: string, setting: Setting): ConfigRead {
  const plain = parsePlainConfig(text, setting);
  if (plain) return plain;
  const source = withoutMark(text);
  return judgeTree(source, readAnyYaml(source), setting);
}

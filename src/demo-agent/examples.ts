// Owns: the code that the demo agent shows, in each language. Must not: hold prose.

const samples = new Map<string, string>([
  [
    'lua',
    `local function greet(name)
  return ('Hello, %s!'):format(name)
end

print(greet('Neovim'))`,
  ],
  [
    'python',
    `from pathlib import Path


def count_lines(path: Path) -> int:
    """Lines of one file, blank ones included."""
    with path.open(encoding="utf-8") as lines:
        return sum(1 for _ in lines)`,
  ],
  [
    'typescript',
    `interface Sidekick {
  readonly name: string;
  readonly busy: boolean;
}

export const idle = (all: readonly Sidekick[]): string[] =>
  all.filter((one) => !one.busy).map((one) => one.name);`,
  ],
  [
    'sh',
    `git diff --stat
for file in *.md; do
  wc -l "$file"
done`,
  ],
  [
    'go',
    `package main

import "fmt"

func main() {
	fmt.Println("Hello, Neovim!")
}`,
  ],
  [
    'rust',
    `fn main() {
    let names = ["ann", "bob"];
    for name in names {
        println!("Hello, {name}!");
    }
}`,
  ],
  ['json', `{\n  "agents": ["ann", "bob"],\n  "busy": false\n}`],
]);

const aliases = new Map([
  ['py', 'python'],
  ['ts', 'typescript'],
  ['bash', 'sh'],
  ['shell', 'sh'],
  ['golang', 'go'],
  ['rs', 'rust'],
]);

export function exampleLanguages(): string[] {
  return [...samples.keys()];
}

/** The name under which a language is shown, or undefined if there is no example in it. */
export function knownLanguage(asked: string): string | undefined {
  const name = asked.toLowerCase();
  const language = aliases.get(name) ?? name;
  return samples.has(language) ? language : undefined;
}

/** A fenced block, each line indented by `indent` blanks, with the empty line that ends it. */
export function codeBlock(language: string, indent = 0): string {
  const lines = ['```' + language, ...(samples.get(language) ?? '').split('\n'), '```'];
  const margin = ' '.repeat(indent);
  return lines.map((line) => (line === '' ? '' : margin + line)).join('\n') + '\n\n';
}

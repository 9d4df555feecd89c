// Owns: the proof that the demo agent's greeting never breaks a file. Must not: start a process.
import { describe, expect, test } from 'vitest';
import { shownDiff, withGreeting } from '../../../src/demo-agent/edits.ts';
import { en } from '../../../src/demo-agent/texts/en.ts';
import { fr } from '../../../src/demo-agent/texts/fr.ts';

const hello = (visit: number) => `Hello from Sidekicks: visit ${visit}`;
const edited = (path: string, text: string) => withGreeting(path, text, en.greeting)?.text;

describe('the greeting is a comment of its file type, at a place where one can stand', () => {
  test.each([
    ['a.lua', 'return 1\n', `-- ${hello(1)}\nreturn 1\n`],
    ['a.ts', 'let a;\n', `// ${hello(1)}\nlet a;\n`],
    ['a.css', 'a {}\n', `/* ${hello(1)} */\na {}\n`],
    ['a.el', '(a)\n', `;; ${hello(1)}\n(a)\n`],
    ['a.tex', '\\a\n', `% ${hello(1)}\n\\a\n`],
    ['a.vim', 'let a = 1\n', `" ${hello(1)}\nlet a = 1\n`],
    ['Makefile', 'a:\n\tb\n', `# ${hello(1)}\na:\n\tb\n`],
    ['a.sh', '#!/bin/sh\nls\n', `#!/bin/sh\n# ${hello(1)}\nls\n`],
    [
      'a.py',
      '#!/usr/bin/python\n# -*- coding: latin-1 -*-\nx\n',
      `#!/usr/bin/python\n# -*- coding: latin-1 -*-\n# ${hello(1)}\nx\n`,
    ],
    ['Dockerfile', '# syntax=docker/dockerfile:1\nFROM a\n', `# syntax=docker/dockerfile:1\n# ${hello(1)}\nFROM a\n`],
    ['a.css', '@charset "utf-8";\na {}\n', `@charset "utf-8";\n/* ${hello(1)} */\na {}\n`],
    ['README.md', '# A\n', `<!-- ${hello(1)} -->\n# A\n`],
    ['a.md', '---\ntitle: a\n---\n# A\n', `---\ntitle: a\n---\n<!-- ${hello(1)} -->\n# A\n`],
    ['a.xml', '<?xml version="1.0"?>\n<a/>\n', `<?xml version="1.0"?>\n<!-- ${hello(1)} -->\n<a/>\n`],
    [
      'a.html',
      '<!DOCTYPE html\n  PUBLIC "x">\n<html>\n',
      `<!DOCTYPE html\n  PUBLIC "x">\n<!-- ${hello(1)} -->\n<html>\n`,
    ],
    ['a.xml', '<?xml version="1.0"?>', `<?xml version="1.0"?>\n<!-- ${hello(1)} -->\n`],
    ['notes.txt', '*tag* help\nend\n', `*tag* help\nend\n# ${hello(1)}\n`],
    ['notes.txt', 'no end', `no end\n# ${hello(1)}\n`],
    ['empty.py', '', `# ${hello(1)}\n`],
  ])('%s %j', (path, before, after) => {
    expect(edited(path, before)).toBe(after);
  });

  test.each([
    ['a.json', '{}\n'],
    ['picture.png', ''],
    ['a.vim', 'vim9script\nvar a = 1\n'],
    ['a.html', '<!doctype html><script>\nlet a;\n</script>\n'],
    ['no-extension', 'x\n'],
  ])('%s is left alone', (path, text) => {
    expect(edited(path, text)).toBeUndefined();
  });

  test('keeps line ends, a byte-order mark and a missing last line end', () => {
    expect(edited('a.ts', 'a\r\nb\r\n')).toBe(`// ${hello(1)}\r\na\r\nb\r\n`);
    expect(edited('a.txt', 'a\r\nb')).toBe(`a\r\nb\r\n# ${hello(1)}\r\n`);
    expect(edited('a.ts', '\uFEFFa')).toBe(`\uFEFF// ${hello(1)}\na`);
  });
});

describe('a second visit', () => {
  test('changes the line that is there, wherever it went, and only that', () => {
    const text = `a\r\n  keep\r\n// ${hello(9)}\r\nb`;
    const edit = withGreeting('a.ts', text, en.greeting);
    expect(edit).toEqual({ text: `a\r\n  keep\r\n// ${hello(10)}\r\nb`, line: 3 });
  });

  test('counts on when the language changed', () => {
    expect(withGreeting('a.md', `<!-- ${hello(1)} -->\n`, fr.greeting)?.text).toBe(
      '<!-- Bonjour de Sidekicks : visite 2 -->\n',
    );
    expect(withGreeting('a.py', '# Bonjour de Sidekicks : visite 2', en.greeting)?.text).toBe(`# ${hello(3)}`);
  });
});

test('a large file is shown by the part that changes', () => {
  const before = Array.from({ length: 9000 }, (_, index) => `line ${index}`).join('\n');
  const edit = withGreeting('a.lua', before, en.greeting);
  expect(edit && shownDiff(before, edit)).toEqual({
    oldText: 'line 0\nline 1\nline 2',
    newText: `-- ${hello(1)}\nline 0\nline 1\nline 2`,
  });
});

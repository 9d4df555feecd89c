// Owns the answers a terminal owes: Neovim asks it at the start, and where none comes it waits and warns (E1568 in 0.12).

/** Black, so that 'background' is dark in every test. The end (BEL) that a real terminal writes is left off. */
const BACKGROUND = '\x1b]11;rgb:0000/0000/0000';

const ANSWERS: readonly (readonly [question: string, answer: string])[] = [
  ['\x1b]11;?', BACKGROUND],
  ['\x1b[c', '\x1b[?62;22c'], // device attributes: a VT220 with colours
  ['\x1b[5n', '\x1b[0n'], // device status: all well; Neovim takes it for the end of the answers
];

/** The answers to all questions in this text, as Neovim's `termresponse` takes them. */
export function terminalAnswers(written: string): string[] {
  return ANSWERS.flatMap(([question, answer]) => (written.includes(question) ? [answer] : []));
}

/** The same answers as the bytes that a terminal would type. */
export function typedAnswers(written: string): string[] {
  return terminalAnswers(written).map((answer) => (answer.startsWith('\x1b]') ? `${answer}\x07` : answer));
}

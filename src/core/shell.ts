// Writes words for a command line that `sh -c` reads, so that whatever a file names stays one word and means nothing else. Runs nothing.

/** What cannot stand in a command of one line, however it is quoted. */
export const isOddWord = (text: string): boolean => /\p{Cc}/u.test(text);

export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

export const commandLine = (...words: readonly string[]): string => words.map(shellWord).join(' ');

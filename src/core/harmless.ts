// Makes lines an agent prints safe to show: no escape sequence, no control character reaches a terminal (SPEC section 19).
/* eslint-disable no-control-regex -- these are the characters it is about */

const sequences =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Tab and line feed stay; what a carriage return would have written over is left out, as a terminal shows it. */
export function harmless(text: string): string {
  return text
    .split('\n')
    .map((line) => overwritten(line.replace(sequences, '')).replace(controls, '\ufffd'))
    .join('\n');
}

function overwritten(line: string): string {
  const shown = line.replace(/\r+$/, '');
  return shown.slice(shown.lastIndexOf('\r') + 1);
}

// Owns: what the scripted agent does instead of speaking ACP when it is run for a sign-in: asks for a code in the terminal.
// Must not: be part of a conversation.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Writes what it saw to the file; the code `wrong` ends it with status 1, and then nothing is written. */
export function runSignIn(file) {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  lines.question('Code of the sign-in: ', (code) => {
    lines.close();
    if (code === 'wrong') process.exit(1);
    const { argv, env } = process;
    writeFileSync(file, JSON.stringify({ code, args: argv.slice(2), env, cwd: process.cwd(), pid: process.pid }));
    process.stdout.write('Signed in.\n');
  });
}

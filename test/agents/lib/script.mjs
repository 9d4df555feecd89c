// Owns: finding the script in a prompt. Must not: run it.
import { readFileSync } from 'node:fs';

/**
 * The steps of the last text block that holds `SCRIPT[…]SCRIPT` or `SCRIPT@/path/of/steps.json@`; else those of
 * --script; else one text. What it is told of the past of a conversation holds no script for this turn.
 */
export function findScript(prompt, options) {
  const texts = (Array.isArray(prompt) ? prompt : []).filter(
    (block) => typeof block?.text === 'string' && !past.test(block.text),
  );
  for (const { text } of texts.reverse()) {
    const steps = scriptIn(text);
    if (steps !== undefined) return steps;
  }
  return options.script ?? [{ op: 'text', text: options.reply ?? `Hello from ${options.name}.` }];
}

const past = /^(Said in this conversation|Dit dans cette conversation)/;

function scriptIn(text) {
  const start = text.indexOf('SCRIPT[');
  const end = text.lastIndexOf(']SCRIPT');
  if (start >= 0 && end > start) return parsed(text.slice(start + 'SCRIPT'.length, end + 1));
  const file = /SCRIPT@(.+?)@/.exec(text)?.[1];
  return file === undefined ? undefined : parsed(readFileSync(file, 'utf8'));
}

/** A script that is no JSON is a fault of the test: it is told in the answer, where the test will see it. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    return [{ op: 'error', code: -32602, message: `the script is not JSON: ${error.message}` }];
  }
}

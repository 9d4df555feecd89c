// Owns: finding the script in a prompt. Must not: run it.
import { readFileSync } from 'node:fs';

/**
 * The steps of the last text block that holds `SCRIPT[…]SCRIPT` or `SCRIPT@/path/of/steps.json@`; else those of
 * --script; else one text. Only the last block counts: those before it may be the past of a channel.
 */
export function findScript(prompt, options) {
  const texts = (Array.isArray(prompt) ? prompt : []).filter((block) => typeof block?.text === 'string');
  for (const { text } of texts.reverse()) {
    const steps = scriptIn(text);
    if (steps !== undefined) return steps;
  }
  return options.script ?? [{ op: 'text', text: options.reply ?? `Hello from ${options.name}.` }];
}

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

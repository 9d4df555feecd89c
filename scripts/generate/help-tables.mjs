// Fills the tables of methods and events in the help, between their markers; the rest of the page is written by hand.
import { events } from '../../src/core/contract/events.ts';
import { methods } from '../../src/core/contract/methods.ts';
import { frenchSummaries } from '../../src/core/contract/french-summaries.ts';

/** @typedef {{summary: string, internal?: true}} Entry */

/** @typedef {'en' | 'fr'} Language */

const gives = { en: '; gives', fr: '\u00a0; donne' };
const holds = { en: ';', fr: '\u00a0;' };

/** @param {Language} language @param {string} name @param {string} english A summary nobody has put into French yet stays English. */
const summaryOf = (language, name, english) => (language === 'fr' && frenchSummaries[name]) || english;

/** @param {string} page @param {Language} language */
export function helpTables(page, language) {
  const publicMethods = Object.entries(methods).filter(([, method]) => !('internal' in method));
  const publicEvents = Object.entries(events).filter(([, event]) => !('internal' in event));
  const filled = fill(
    page,
    'methods',
    publicMethods.map(([name, method]) => methodEntry(language, name, method)),
  );
  return fill(
    filled,
    'events',
    publicEvents.map(([name, event]) => eventEntry(language, name, event)),
  );
}

/** @param {string} page @param {string} table @param {string[]} entries */
function fill(page, table, entries) {
  const begin = `sidekicks-generated-${table} begin`;
  const end = `sidekicks-generated-${table} end`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < 0) return page;
  const lineAfter = page.indexOf('\n', from) + 1;
  const lineOfEnd = page.lastIndexOf('\n', to) + 1;
  return `${page.slice(0, lineAfter)}${entries.join('\n')}\n${page.slice(lineOfEnd)}`;
}

/** @param {Language} language @param {string} name @param {Entry & {params: {properties: object}, result: {properties: object}}} method */
function methodEntry(language, name, method) {
  const given = Object.keys(method.params.properties).join(', ');
  const result = Object.keys(method.result.properties).join(', ');
  return `${tagLine(`${name}(${given})`, `sidekicks-${name}`)}\n${wrap(`${summaryOf(language, name, method.summary)}${result ? `${gives[language]} {${result}}` : ''}`)}`;
}

/** @param {Language} language @param {string} name @param {Entry & {payload: {properties: object}}} event */
function eventEntry(language, name, event) {
  const payload = Object.keys(event.payload.properties).join(', ');
  return `${tagLine(name, `sidekicks-event-${name.replace(':', '-')}`)}\n${wrap(`${summaryOf(language, name, event.summary)}${holds[language]} {${payload}}`)}`;
}

const width = 78;

/** @param {string} left @param {string} tag */
function tagLine(left, tag) {
  const star = `*${tag}*`;
  if (left.length + star.length + 1 > width) return `${star.padStart(width)}\n${left}`;
  return left + star.padStart(width - left.length);
}

/** @param {string} text */
function wrap(text) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1] ?? '';
    if (last.length + word.length + 9 > width) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.map((line) => `        ${line}`).join('\n');
}

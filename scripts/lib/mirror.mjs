// Finds the Debian mirror that this machine's own apt uses; it only reads.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ uri: string, keyring: string | undefined }} Mirror */
/** @typedef {{ types: string[], uris: string[], suites: string[], keyring: string | undefined, enabled: boolean }} Source */

const defaultKeyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
const suites = /^(bullseye|bookworm|trixie|forky|duke|sid|oldoldstable|oldstable|stable|testing|unstable)$/;

/** @param {string | undefined} text */
const words = (text) => (text ?? '').split(/\s+/).filter((word) => word !== '');

/** A key written into the sources file itself is no path. @param {string | undefined} text */
const keyringPath = (text) => words(text).find((word) => word.startsWith('/'));

/** One line of the old form. @param {string} line @returns {Source} */
const parseLine = (line) => {
  const [, type, options, rest] = /^\s*(deb)\s+(?:\[([^\]]*)\]\s+)?([^#]*)/.exec(line) ?? [];
  const [uri, suite] = words(rest);
  const signed = words(options).find((option) => option.startsWith('signed-by='));
  return {
    types: type ? [type] : [],
    uris: uri ? [uri] : [],
    suites: suite ? [suite] : [],
    keyring: keyringPath(signed?.slice('signed-by='.length)),
    enabled: true,
  };
};

/** One paragraph of the new form. @param {string} paragraph @returns {Source} */
const parseParagraph = (paragraph) => {
  const lines = paragraph.split('\n').filter((line) => !line.startsWith('#'));
  /** @type {Map<string, string>} */
  const fields = new Map();
  let name = '';
  for (const line of lines) {
    const [, key, value] = /^([\w-]+):(.*)/.exec(line) ?? [];
    name = key?.toLowerCase() ?? name;
    fields.set(name, `${fields.get(name) ?? ''} ${value ?? line}`);
  }
  return {
    types: words(fields.get('types')),
    uris: words(fields.get('uris')),
    suites: words(fields.get('suites')),
    keyring: keyringPath(fields.get('signed-by')),
    enabled: fields.get('enabled')?.trim() !== 'no',
  };
};

/** @param {string} path @returns {Source[]} */
const parseFile = (path) => {
  const text = readFileSync(path, 'utf8');
  return path.endsWith('.sources') ? text.split(/\n\s*\n/).map(parseParagraph) : text.split('\n').map(parseLine);
};

/** @param {string} etc */
const filesIn = (etc) => {
  const parts = join(etc, 'sources.list.d');
  const names = existsSync(parts) ? readdirSync(parts).filter((name) => /\.(list|sources)$/.test(name)) : [];
  return [join(etc, 'sources.list'), ...names.sort().map((name) => join(parts, name))].filter((path) =>
    existsSync(path),
  );
};

/** @param {string} [etc] @returns {Mirror | undefined} */
export const findMirror = (etc = '/etc/apt') => {
  const source = filesIn(etc)
    .flatMap(parseFile)
    .find(
      ({ enabled, types, suites: has }) => enabled && types.includes('deb') && has.some((suite) => suites.test(suite)),
    );
  const uri = process.env['SIDEKICKS_DEBIAN_MIRROR'] ?? source?.uris[0];
  if (uri === undefined) return undefined;
  return { uri, keyring: source?.keyring ?? (existsSync(defaultKeyring) ? defaultKeyring : undefined) };
};

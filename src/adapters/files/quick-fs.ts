// The calls of the file system that a first answer needs, as promises. Loading `node:fs/promises` for them would take longer
// than all of them together. It adds nothing to what they do.
import { access as accessBack, readFile as readFileBack, stat as statBack } from 'node:fs';
import { promisify } from 'node:util';

export const access = promisify(accessBack);
export const readFile = promisify(readFileBack);
export const stat = promisify(statBack);

// Owns: the start of `npm run bench`. Must not: measure or print anything itself.
import { main } from './main.ts';

process.exitCode = await main(process.argv.slice(2));

/**
 * Holds what is ours to the import directions of directions.mjs; prints each breach and exits with 1.
 * `node scripts/check-directions.mjs [FOLDER]` checks another tree of the same shape (its own test does).
 */
import { resolve } from 'node:path';
import { RULES } from './directions.mjs';
import { checkImports } from './imports.mjs';
import { ROOT } from './setup.mjs';

const { files, breaches } = checkImports(resolve(process.argv[2] ?? ROOT), RULES);
for (const breach of breaches) console.error(breach);
console.log(`Import directions: ${files} files, ${breaches.length} breaches.`);
process.exit(breaches.length > 0 ? 1 : 0);

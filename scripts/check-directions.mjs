/**
 * Holds what is ours to the import directions of directions.mjs; prints each breach and exits with 1.
 * `node scripts/check-directions.mjs [FOLDER]` checks another tree of the same shape (its own test does).
 */
import { resolve } from 'node:path';
import { RULES } from './directions.mjs';
import { breachesOf, cyclesOf, importsOf } from './imports.mjs';
import { ROOT } from './setup.mjs';

const imports = importsOf(resolve(process.argv[2] ?? ROOT), ['src', 'workers', 'web/src', 'test', 'bench', 'scripts']);
const breaches = [
  ...breachesOf(imports, RULES).map(({ rule, from, to }) => `${from} → ${to}\n    against: ${rule}`),
  ...cyclesOf(imports).map((files) => `${files.join(' → ')}\n    against: no cycles between files`),
];
for (const breach of breaches) console.error(breach);
console.log(`Import directions: ${imports.size} files, ${breaches.length} breaches.`);
process.exit(breaches.length > 0 ? 1 : 0);

/**
 * Holds src/ and workers/ to the import directions of directions.mjs; prints each breach and exits with 1.
 * `node scripts/check-directions.mjs [FOLDER]` checks another tree of the same shape (its own test does).
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { ruleSet } from './directions.mjs';
import { ROOT } from './setup.mjs';

const folder = resolve(process.argv[2] ?? ROOT);
const { output } = await cruise(
  ['src', 'workers'].filter((name) => existsSync(join(folder, name))),
  {
    baseDir: folder,
    ruleSet: ruleSet(),
    validate: true,
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'node_modules' },
  },
  { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
);

/** A file without a room would be reported once for each of its imports. */
const reported = new Map(output.summary.violations.map((breach) => [keyOf(breach), breach]));
const breaches = [...reported.values()];
for (const { rule, from, to, cycle } of breaches) {
  const path = cycle ? cycle.map((step) => step.name).join(' → ') : to;
  console.error(`${from} → ${path}\n    against: ${rule.name}`);
}
console.log(`Import directions: ${output.summary.totalCruised} files, ${breaches.length} breaches.`);

function keyOf({ rule, from, to }) {
  return `${rule.name} ${from} ${rule.name.startsWith('every file') ? '' : to}`;
}

process.exit(breaches.length > 0 ? 1 : 0);

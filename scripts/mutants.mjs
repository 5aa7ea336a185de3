/**
 * `npm run mutants [-- FOLDER|FILE …] [--at-once N]`: changes the code of a folder in one place at a time (Stryker) and
 * runs the suites that should notice. Ends with 1 when a mutant survives that test/mutants/survivors/ does not
 * explain, or when fewer than `LEAST` of 100 of those that change what the program does are noticed.
 * Stryker is installed into a clone of the last commit alone: it brings 130 packages that nothing else needs. What it
 * has found of a folder stays below `.cache`, also of one file after the other, so that the next run tries only what has
 * changed since.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { cloneInto, folderOfClone, run } from './clone.mjs';
import { folderOf, nameOf, SUITES, strykerOptions } from './mutant-suites.mjs';
import { ROOT } from './setup.mjs';
import { lookAt, reviewedSurvivors } from './surviving-mutants.mjs';

/** The last that runs on Node 20. */
const STRYKER = '@stryker-mutator/core@9';
const LEAST = 85;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'at-once': { type: 'string' } } });
const atOnce = values['at-once'] === undefined ? undefined : Number(values['at-once']);
/** By folder, what of it is wanted. */
const wanted = new Map();
for (const path of positionals.length > 0 ? positionals : Object.keys(SUITES)) {
  const folder = folderOf(path);
  if (folder === undefined) {
    console.error(`No suites are named for ${path}; there are those of ${Object.keys(SUITES).join(', ')}.`);
    process.exit(2);
  }
  wanted.set(folder, [...(wanted.get(folder) ?? []), path]);
}

const clone = folderOfClone('mutants');
cloneInto(clone);
run('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', STRYKER], {
  cwd: clone,
});
const reviewed = reviewedSurvivors();
let held = true;
for (const [folder, paths] of wanted) held = mutate(folder, paths) && held;
process.exit(held ? 0 : 1);

/** @returns whether what survives is explained, and enough is noticed. */
function mutate(folder, paths) {
  const name = nameOf(folder);
  const known = join(ROOT, '.cache', 'mutants', `${name}.json`);
  const found = join(clone, `${name}.json`);
  if (existsSync(known)) copyFileSync(known, found);
  const options = strykerOptions(folder, paths, { root: clone, incrementalFile: found, atOnce });
  writeFileSync(join(clone, 'stryker.json'), JSON.stringify(options));
  // The same draws for every mutant: what notices one today notices it tomorrow.
  const env = { ...process.env, TEST_POSTGRES_URL: '', TEST_REDIS_URL: '', RANDOM_SEED: '1', RANDOM_TIMES: '1' };
  run(join(clone, 'node_modules', '.bin', 'stryker'), ['run', 'stryker.json'], { cwd: clone, env });
  mkdirSync(dirname(known), { recursive: true });
  copyFileSync(found, known);
  const { files } = JSON.parse(readFileSync(found, 'utf8'));
  const asked = Object.entries(files).filter(([file]) => paths.some((path) => path === file || path === folder));
  const { noticed, mattering, unexplained } = lookAt({ files: Object.fromEntries(asked) }, reviewed);
  for (const { file, line, code, mutant } of unexplained)
    console.log(`survived: ${file}:${line}: ${code}\n  as ${mutant}`);
  const score = (100 * noticed) / Math.max(1, mattering);
  console.log(
    `${paths.join(', ')}: ${noticed} of ${mattering} mutants noticed (${score.toFixed(1)} %, wanted ${LEAST} %), ${unexplained.length} survived without a reason.`,
  );
  return score >= LEAST && unexplained.length === 0;
}

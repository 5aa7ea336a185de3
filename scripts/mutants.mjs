/**
 * `npm run mutants [-- FOLDER …]`: changes the code of a folder in one place at a time (Stryker) and runs the suites that
 * should notice. Ends with 1 when a mutant survives that test/mutants/survivors.json does not explain, or when fewer than
 * `LEAST` of 100 of those that change what the program does are noticed.
 * Stryker is installed into a clone of the last commit alone: it brings 130 packages that nothing else needs. What it
 * has found stays in mutants.json below `.cache`, so that the next run tries only what has changed since.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cloneInto, folderOfClone, run } from './clone.mjs';
import { ROOT } from './setup.mjs';
import { lookAt } from './surviving-mutants.mjs';

/** The last that runs on Node 20. */
const STRYKER = ['@stryker-mutator/core@9', '@stryker-mutator/vitest-runner@9'];
/** Which suites should notice it, by folder: those of its rules, which start no service for it. */
const SUITES = {
  'src/auth': [
    'test/auth/{authenticate,caller,identity-provider,passwords,sign-in-limits,sign-in-rules,tokens}.test.ts',
  ],
  'src/tsv': ['test/tsv/**/*.test.ts'],
};
const LEAST = 85;

const wanted = process.argv.slice(2);
const folders = wanted.length > 0 ? wanted : Object.keys(SUITES);
for (const folder of folders) {
  if (folder in SUITES) continue;
  console.error(`No suites are named for ${folder}; there are those of ${Object.keys(SUITES).join(', ')}.`);
  process.exit(2);
}

const clone = folderOfClone('mutants');
cloneInto(clone);
run('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...STRYKER], {
  cwd: clone,
});
const reviewed = JSON.parse(readFileSync(join(ROOT, 'test', 'mutants', 'survivors.json'), 'utf8'));
let held = true;
for (const folder of folders) held = mutate(folder) && held;
process.exit(held ? 0 : 1);

/** @returns whether what survives is explained, and enough is noticed. */
function mutate(folder) {
  const name = folder.replaceAll('/', '-');
  const known = join(ROOT, '.cache', 'mutants', `${name}.json`);
  const found = join(clone, `${name}.json`);
  if (existsSync(known)) copyFileSync(known, found);
  writeFileSync(join(clone, 'vitest.mutants.ts'), vitestConfig(SUITES[folder]));
  writeFileSync(join(clone, 'stryker.json'), JSON.stringify(strykerOptions(folder, found)));
  const env = { ...process.env, TEST_POSTGRES_URL: '', TEST_REDIS_URL: '' };
  run(join(clone, 'node_modules', '.bin', 'stryker'), ['run', 'stryker.json'], { cwd: clone, env });
  mkdirSync(dirname(known), { recursive: true });
  copyFileSync(found, known);
  const { noticed, mattering, unexplained } = lookAt(JSON.parse(readFileSync(found, 'utf8')), reviewed);
  for (const { file, line, code, mutant } of unexplained)
    console.log(`survived: ${file}:${line}: ${code}\n  as ${mutant}`);
  const score = (100 * noticed) / Math.max(1, mattering);
  console.log(
    `${folder}: ${noticed} of ${mattering} mutants noticed (${score.toFixed(1)} %, wanted ${LEAST} %), ${unexplained.length} survived without a reason.`,
  );
  return score >= LEAST && unexplained.length === 0;
}

/** The quick suites' own settings, with these suites alone. */
function vitestConfig(include) {
  return `import { defineConfig } from 'vitest/config';
import whole from './vitest.config.js';
const quick = whole.test.projects.find(({ test }) => test.name === 'quick').test;
export default defineConfig({ test: { ...quick, isolate: true, include: ${JSON.stringify(include)} } });
`;
}

function strykerOptions(folder, incrementalFile) {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutants.ts' },
    mutate: [`${folder}/**/*.ts`],
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    incremental: true,
    incrementalFile,
    reporters: ['progress-append-only'],
    timeoutMS: 10_000,
    tempDirName: '.mutants',
    disableTypeChecks: false,
    // Its reader of tsconfig.json needs a library that TypeScript 7 no longer has.
    tsconfigFile: 'none.json',
    ignorePatterns: ['docs', 'web', 'bench'],
  };
}

/** Which suites should notice a mutant of a folder, and the settings by which Stryker tries them. */

/** By folder: those of its rules, which start no service for it. */
export const SUITES = {
  'src/auth': [
    'test/auth/{authenticate,caller,identity-provider,passwords,sign-in-limits,sign-in-rules,tokens}.test.ts',
  ],
  'src/registry': [
    'test/registry/**/*.test.ts',
    'test/contract/store.test.ts',
    'test/tsv/{rule-cells,rule-characteristics,rule-release-dates,shared-columns}.test.ts',
  ],
  'src/tsv': ['test/tsv/**/*.test.ts'],
};

/** @returns the folder of SUITES that holds it, or undefined. */
export function folderOf(path) {
  return Object.keys(SUITES).find((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** The quick suites' own settings, with those of this folder alone: the tests of its own rules first, which end a mutant soonest. */
export function vitestConfig(folder) {
  const own = `/${folder.replace(/^src/, 'test')}/`;
  return `import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import whole from './vitest.config.js';
const quick = whole.test.projects.find(({ test }) => test.name === 'quick').test;
const later = ({ moduleId }) => (moduleId.includes(${JSON.stringify(own)}) ? 0 : 1);
class OwnFirst extends BaseSequencer {
  async sort(files) {
    return (await super.sort(files)).sort((a, b) => later(a) - later(b));
  }
}
export default defineConfig({
  test: { ...quick, isolate: true, include: ${JSON.stringify(SUITES[folder])}, sequence: { sequencer: OwnFirst } },
});
`;
}

/** @param mutate folder, files or globs; what the incremental file says of others stays in it */
export function strykerOptions(mutate, incrementalFile, atOnce) {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutants.ts' },
    mutate: mutate.map((path) => (path in SUITES ? `${path}/**/*.ts` : path)),
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    incremental: true,
    incrementalFile,
    ...(atOnce === undefined ? {} : { concurrency: atOnce }),
    reporters: ['progress-append-only'],
    timeoutMS: 10_000,
    tempDirName: '.mutants',
    disableTypeChecks: false,
    // Its reader of tsconfig.json needs a library that TypeScript 7 no longer has.
    tsconfigFile: 'none.json',
    ignorePatterns: ['docs', 'web', 'bench'],
  };
}

/** Which suites should notice a mutant of a folder, and the settings by which Stryker tries them. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** By folder: suites of its rules, files or whole folders, which start no service for it. */
export const SUITES = {
  'src/auth': [
    'test/auth/authenticate.test.ts',
    'test/auth/caller.test.ts',
    'test/auth/identity-provider.test.ts',
    'test/auth/passwords.test.ts',
    'test/auth/sign-in-limits.test.ts',
    'test/auth/sign-in-rules.test.ts',
    'test/auth/tokens.test.ts',
  ],
  'src/registry': ['test/registry', 'test/contract/store.test.ts'],
  'src/tsv': ['test/tsv'],
};

/** @returns the folder of SUITES that holds it, or undefined. */
export function folderOf(path) {
  return Object.keys(SUITES).find((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** Files of the suites of a folder, in the order in which they are named. */
function suiteFiles(folder, root) {
  return SUITES[folder].flatMap((path) => {
    if (statSync(join(root, path)).isFile()) return [path];
    const names = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).sort();
    return names.filter((name) => name.endsWith('.test.ts')).map((name) => join(path, name));
  });
}

/** @param paths the folder or files of it; what the incremental file says of others stays in it */
export function strykerOptions(folder, paths, { root, incrementalFile, atOnce }) {
  return {
    testRunner: 'in-one-process',
    plugins: ['./scripts/mutant-runner.mjs'],
    inOneProcess: { suites: suiteFiles(folder, root) },
    mutate: paths.map((path) => (path === folder ? `${path}/**/*.ts` : path)),
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    incremental: true,
    incrementalFile,
    ...(atOnce === undefined ? {} : { concurrency: atOnce }),
    reporters: ['progress-append-only'],
    timeoutMS: 5_000,
    tempDirName: '.mutants',
    disableTypeChecks: false,
    // Its reader of tsconfig.json needs a library that TypeScript 7 no longer has.
    tsconfigFile: 'none.json',
    ignorePatterns: ['docs', 'web', 'bench'],
    warnings: { unknownOptions: false },
  };
}

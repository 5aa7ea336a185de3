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
  // Without those that draw sheets at random or make large ones: each of them reaches most mutants and takes seconds.
  'src/tsv': [
    'test/tsv/date-form.test.ts',
    'test/tsv/meant-header.test.ts',
    'test/tsv/name-table.test.ts',
    'test/tsv/profile-choice.test.ts',
    'test/tsv/profile-release.test.ts',
    'test/tsv/propose.test.ts',
    'test/tsv/result.test.ts',
    'test/tsv/rule-batches.test.ts',
    'test/tsv/rule-cells.test.ts',
    'test/tsv/rule-characteristics.test.ts',
    'test/tsv/rule-cleared-cells.test.ts',
    'test/tsv/rule-contacts.test.ts',
    'test/tsv/rule-delimiters.test.ts',
    'test/tsv/rule-encoding.test.ts',
    'test/tsv/rule-headers.test.ts',
    'test/tsv/rule-identifiers.test.ts',
    'test/tsv/rule-keys.test.ts',
    'test/tsv/rule-line-ends.test.ts',
    'test/tsv/rule-name-column.test.ts',
    'test/tsv/rule-names.test.ts',
    'test/tsv/rule-not-stored.test.ts',
    'test/tsv/rule-profiles.test.ts',
    'test/tsv/rule-quotes.test.ts',
    'test/tsv/rule-ragged-rows.test.ts',
    'test/tsv/rule-relationships.test.ts',
    'test/tsv/rule-release-dates.test.ts',
    'test/tsv/rule-skipped-rows.test.ts',
    'test/tsv/rule-units-row.test.ts',
    'test/tsv/rule-wrong-kinds.test.ts',
    'test/tsv/samples-as-sheets.test.ts',
    'test/tsv/separated-values.test.ts',
    'test/tsv/shared-columns.test.ts',
    'test/tsv/sheet-columns.test.ts',
    'test/tsv/sheet-formats.test.ts',
    'test/tsv/reported-of-files.test.ts',
    'test/tsv/reported-of-headers.test.ts',
    'test/tsv/reported-of-rows.test.ts',
    'test/tsv/readers-agree.test.ts',
    'test/exports/sheet-lines.test.ts',
    'test/quality/warnings.test.ts',
    'test/quality/sense.test.ts',
  ],
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

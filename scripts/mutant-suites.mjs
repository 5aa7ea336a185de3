/** Which suites should notice a mutant of a folder, and the settings by which Stryker tries them. */
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Of the folders of src/tsv: one that reads or prints a sheet is reached by the suites of all. */
const SHEETS = [
  'test/tsv',
  // Draw sheets at random, make large ones or read real ones: each of them reaches most mutants and takes seconds.
  '!test/tsv/rows/drawn-batches.test.ts',
  '!test/tsv/drawn-results.test.ts',
  '!test/tsv/bytes/drawn-separated-values.test.ts',
  '!test/tsv/fixtures.test.ts',
  '!test/tsv/large-sheets.test.ts',
  'test/exports/sheet-lines.test.ts',
  'test/quality',
  '!test/quality/seeds.test.ts',
];

/** Of the folders of src/http that hold no routes. */
const HTTP = [
  'test/http/hold-answer.test.ts',
  'test/http/operation-names.test.ts',
  'test/http/negotiation.test.ts',
  'test/http/problems.test.ts',
  'test/http/left-early.test.ts',
  'test/http/other-origins.test.ts',
  'test/http/refused-before.test.ts',
  'test/http/session-cookie.test.ts',
  'test/http/reading.test.ts',
  'test/http/compatibility.test.ts',
  'test/http/json-bodies.test.ts',
  'test/http/interface-details.test.ts',
  'test/http/samples/kept-exports.test.ts',
  'test/http/samples/samples-v2.test.ts',
  'test/http/uploads/upload-refusals.test.ts',
  'test/http/uploads/resumable-files.test.ts',
  'test/http/odd-addresses.test.ts',
  'test/http/uploads/upload-options.test.ts',
  'test/http/methods.test.ts',
  'test/http/uploads/unread-bodies.test.ts',
];

/** Of warnings about a sheet as a whole. */
const SHEET_WARNINGS = ['test/submissions/sheet-warnings.test.ts', 'test/submissions/shape-warnings.test.ts'];

/** Files whose rule has suites of its own, which ask the code and start no service. */
const OF_ONE_FILE = {
  'src/http/blocks.ts': ['test/http/rules/json-body.test.ts'],
  'src/http/conditional.ts': ['test/http/rules/conditional.test.ts'],
  'src/http/downloads.ts': ['test/http/rules/downloads.test.ts', 'test/http/downloads.test.ts'],
  'src/http/hal.ts': ['test/http/rules/links.test.ts'],
  'src/http/hold-answer.ts': ['test/http/hold-answer.test.ts'],
  'src/http/json-body.ts': ['test/http/rules/json-body.test.ts'],
  'src/http/measure.ts': ['test/http/rules/measure.test.ts'],
  'src/http/methods.ts': ['test/http/rules/methods.test.ts'],
  'src/http/operation-match.ts': ['test/http/rules/operation-match.test.ts'],
  'src/http/pipelined.ts': ['test/http/pipelined.test.ts'],
  'src/http/problem.ts': ['test/http/rules/problem.test.ts'],
  'src/http/query.ts': ['test/http/rules/query.test.ts'],
  'src/http/read-sample.ts': ['test/http/rules/read-sample.test.ts', 'test/http/rules/asked-samples.test.ts'],
  'src/http/readiness.ts': ['test/http/readiness.test.ts'],
  'src/http/request-log.ts': ['test/http/rules/measure.test.ts'],
  'src/http/respond.ts': ['test/http/rules/answers.test.ts'],
  'src/http/routes/result-formats.ts': ['test/http/rules/asked-samples.test.ts'],
  'src/http/routes/sample-list.ts': ['test/http/rules/sample-list.test.ts', 'test/http/rules/asked-samples.test.ts'],
  'src/http/routes/submission-list.ts': ['test/http/rules/submission-list.test.ts'],
  'src/http/routes/changes.ts': ['test/http/rules/changes.test.ts'],
  'src/http/routes/lineage.ts': ['test/http/rules/lineage.test.ts'],
  'src/http/routes/profiles.ts': ['test/http/rules/profiles.test.ts'],
  'src/http/routes/samples.ts': ['test/http/rules/samples.test.ts'],
  'src/http/routes/samples-by-key.ts': ['test/http/rules/samples-by-key.test.ts'],
  'src/http/routes/structured-data.ts': ['test/http/rules/structured-data.test.ts'],
  'src/http/routes/tokens.ts': ['test/http/rules/tokens.test.ts'],
  'src/http/routes/webhooks.ts': ['test/http/rules/webhooks.test.ts'],
  'src/http/submission-address.ts': ['test/http/rules/addresses.test.ts'],
  'src/http/submission-document.ts': ['test/http/rules/submission-document.test.ts'],
  'src/http/tidy-address.ts': ['test/http/rules/addresses.test.ts'],
  'src/http/tiny-chunks.ts': ['test/http/rules/tiny-chunks.test.ts'],
  'src/http/uploads/file-names.ts': ['test/http/rules/file-names.test.ts'],
  'src/http/uploads/upload-options.ts': ['test/http/uploads/upload-options.test.ts'],
  'src/submissions/preview.ts': [
    'test/submissions/previews.test.ts',
    'test/submissions/ledger-lines.test.ts',
    'test/submissions/processing-rules.test.ts',
  ],
  'src/submissions/processing/attempts.ts': ['test/submissions/attempts.test.ts'],
  'src/submissions/processing/end-early.ts': ['test/submissions/processing-rules.test.ts'],
  'src/submissions/processing/finish-batch.ts': ['test/submissions/processing-rules.test.ts'],
  'src/submissions/processing/problems.ts': ['test/submissions/problems.test.ts'],
  'src/submissions/processing/registered-meanwhile.ts': ['test/submissions/processing-rules.test.ts'],
  'src/submissions/processing/staleness.ts': ['test/submissions/processing-rules.test.ts'],
  'src/submissions/processing/undo.ts': ['test/submissions/processing-rules.test.ts'],
  'src/submissions/reading/beside-cells.ts': ['test/submissions/upload-rules.test.ts'],
  'src/submissions/reading/blanks-below.ts': SHEET_WARNINGS,
  'src/submissions/reading/line-index.ts': [
    'test/submissions/upload-rules.test.ts',
    'test/submissions/ledger-lines.test.ts',
  ],
  'src/submissions/reading/receipt-search.ts': ['test/submissions/upload-rules.test.ts'],
  'src/submissions/reading/sheet-warnings.ts': SHEET_WARNINGS,
  'src/submissions/reading/units-astray.ts': SHEET_WARNINGS,
  'src/submissions/results/changed-values.ts': ['test/submissions/changed-values.test.ts'],
  'src/submissions/results/ledger-reader.ts': ['test/submissions/ledger-lines.test.ts'],
  'src/submissions/results/archive-names.ts': ['test/submissions/archive-names.test.ts'],
  'src/submissions/results/outcomes.ts': [
    'test/submissions/ledger-lines.test.ts',
    'test/submissions/numbered-forms.test.ts',
    'test/submissions/results.test.ts',
  ],
  'src/submissions/results/results-archive.ts': ['test/submissions/archives.test.ts'],
  'src/submissions/results/sample-sheets.ts': ['test/submissions/archives.test.ts'],
  'src/submissions/results/zip-stream.ts': ['test/submissions/archives.test.ts'],
  'src/submissions/reading/stored-source.ts': ['test/submissions/stored-text.test.ts'],
  'src/submissions/results/lost-values.ts': ['test/submissions/changed-values.test.ts'],
  'src/submissions/written.ts': ['test/submissions/ledger-lines.test.ts'],
  'src/submissions/submission-search.ts': ['test/submissions/submission-search.test.ts'],
  'src/submissions/results/receipt.ts': ['test/submissions/receipts.test.ts'],
  'src/submissions/uploads/ceiling.ts': ['test/submissions/ceilings.test.ts'],
  'src/submissions/uploads/known-before.ts': ['test/submissions/upload-rules.test.ts'],
  'src/submissions/uploads/plan-by-profile.ts': ['test/submissions/upload-rules.test.ts'],
  'src/submissions/uploads/read-as.ts': ['test/submissions/upload-rules.test.ts'],
  'src/submissions/uploads/row-identifiers.ts': ['test/submissions/upload-rules.test.ts'],
  'src/submissions/uploads/sheet-columns.ts': ['test/submissions/upload-rules.test.ts'],
  'src/submissions/uploads/threshold.ts': ['test/submissions/upload-rules.test.ts'],
  'src/submissions/uploads/workbook-table.ts': ['test/submissions/stored-text.test.ts'],
  'src/submissions/uploads/upload-head.ts': ['test/submissions/upload-rules.test.ts'],
  'src/store/postings/slots.ts': ['test/store/postings/slots.test.ts', 'test/store/postings.test.ts'],
};

/** Of what both stores share. */
const STORE = [
  'test/store/issue-groups.test.ts',
  'test/store/ledger-runs.test.ts',
  'test/store/replay.test.ts',
  'test/store/index-turns.test.ts',
  'test/store/store-files.test.ts',
  'test/store/shared-rules.test.ts',
  'test/store/lines-alike.test.ts',
  'test/store/few-spans.test.ts',
  'test/store/sample-blocks.test.ts',
  'test/store/what-happens.test.ts',
  'test/store/stated-sources.test.ts',
  'test/store/change-log.test.ts',
  'test/submissions/keys-and-names.test.ts',
  'test/contract/store.test.ts',
  'test/store/checksums.test.ts',
  'test/store/block-damage.test.ts',
];

/** Of sheets, from their upload to their results. */
const SUBMISSIONS = [
  'test/submissions',
  'test/store/few-spans.test.ts',
  'test/store/what-happens.test.ts',
  'test/workbooks/result-workbook.test.ts',
];

/**
 * By folder: suites of its rules, files or whole folders, which start no service for it; what begins with `!` is left out.
 * A folder that ends with `/*.ts` is its own files, without those of the folders in it, and without those that have suites of their own.
 */
export const SUITES = {
  ...OF_ONE_FILE,
  'src/auth': [
    'test/auth/authenticate.test.ts',
    'test/auth/caller.test.ts',
    'test/auth/identity-provider.test.ts',
    'test/auth/passwords.test.ts',
    'test/auth/sign-in-limits.test.ts',
    'test/auth/sign-in-rules.test.ts',
    'test/auth/tokens.test.ts',
  ],
  'src/http/*.ts': HTTP,
  'src/http/live': HTTP,
  'src/http/schemas': HTTP,
  'src/http/uploads': HTTP,
  'src/registry': ['test/registry', 'test/contract/store.test.ts'],
  'src/store/*.ts': STORE,
  'src/store/columns': ['test/store/facet-columns.test.ts', 'test/contract/store.test.ts'],
  'src/store/postings': [
    'test/store/postings.test.ts',
    'test/store/given-names.test.ts',
    'test/contract/store.test.ts',
  ],
  'src/store/rows': STORE,
  'src/submissions/*.ts': SUBMISSIONS,
  'src/submissions/processing': SUBMISSIONS,
  'src/submissions/reading': SUBMISSIONS,
  'src/submissions/results': SUBMISSIONS,
  'src/submissions/standing': SUBMISSIONS,
  'src/submissions/uploads': SUBMISSIONS,
  'src/submissions/batch-edit': ['test/submissions/batch-edit.test.ts'],
  'src/submissions/isa-json': ['test/submissions/isa-json.test.ts', 'test/formats/isa-scan.test.ts'],
  'src/submissions/json-file': [
    'test/submissions/json-items.test.ts',
    'test/submissions/json-files.test.ts',
    'test/submissions/batch-edit.test.ts',
    'test/submissions/results.test.ts',
  ],
  'src/tsv/*.ts': SHEETS,
  'src/tsv/bytes': SHEETS,
  'src/tsv/forms': SHEETS,
  'src/tsv/header': SHEETS,
  'src/tsv/print': SHEETS,
  'src/tsv/propose': SHEETS,
  'src/tsv/quality': SHEETS,
  'src/tsv/rows': SHEETS,
};

const OWN_FILES = '/*.ts';

/** @returns the entry of SUITES that holds it, a folder or the file itself, or undefined. */
export function folderOf(path) {
  const holds = (folder) =>
    folder.endsWith(OWN_FILES)
      ? path.endsWith('.ts') && `${dirname(path)}${OWN_FILES}` === folder
      : path === folder || path.startsWith(`${folder}/`);
  return Object.keys(SUITES).find((folder) => path === folder || holds(folder));
}

const isFile = (path) => path.endsWith('.ts') && !path.endsWith(OWN_FILES);

/** What files about it are called. */
export const nameOf = (folder) => folder.replace(OWN_FILES, '').replaceAll('/', '-');

/** What Stryker is to change. */
function filesOf(path) {
  if (isFile(path)) return [path];
  const others = Object.keys(OF_ONE_FILE).map((file) => `!${file}`);
  return [path.endsWith(OWN_FILES) ? path : `${path}/**/*.ts`, ...others];
}

/** Files of the suites of a folder, in the order in which they are named. */
export function suiteFiles(folder, root) {
  const isLeftOut = (path) => path.startsWith('!');
  const without = new Set(SUITES[folder].filter(isLeftOut).map((path) => path.slice(1)));
  const named = SUITES[folder].filter((path) => !isLeftOut(path));
  const files = named.flatMap((path) =>
    statSync(join(root, path)).isFile() ? [path] : filesIn(path, root, '.test.ts'),
  );
  return files.filter((file) => !without.has(file));
}

/** The modules that are changed, of a folder or a file of it. */
function moduleFiles(path, root) {
  if (isFile(path)) return [path];
  return path.endsWith(OWN_FILES) ? filesIn(dirname(path), root, '.ts', false) : filesIn(path, root, '.ts');
}

function filesIn(folder, root, ending, recursive = true) {
  const names = readdirSync(join(root, folder), { recursive, encoding: 'utf8' }).sort();
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}

/** @param paths the folder or files of it; what the incremental file says of others stays in it */
export function strykerOptions(folder, paths, { root, incrementalFile, atOnce }) {
  return {
    testRunner: 'in-one-process',
    plugins: ['./scripts/mutant-runner.mjs'],
    inOneProcess: {
      suites: suiteFiles(folder, root),
      modules: paths.flatMap((path) => moduleFiles(path, root)),
    },
    mutate: paths.flatMap(filesOf),
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    incremental: true,
    incrementalFile,
    ...(atOnce === undefined ? {} : { concurrency: atOnce }),
    reporters: ['progress-append-only'],
    // What goes round too often ends before; on a busy machine the tests of a mutant that nothing notices take many seconds.
    timeoutMS: 30_000,
    tempDirName: '.mutants',
    disableTypeChecks: false,
    // Its reader of tsconfig.json needs a library that TypeScript 7 no longer has.
    tsconfigFile: 'none.json',
    ignorePatterns: ['docs', 'web', 'bench'],
    warnings: { unknownOptions: false },
  };
}

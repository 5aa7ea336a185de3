/** Which pages of docs/ the help has, by who reads them, in their order. A page that is not listed is left out (a test says which). */
export interface HelpGroup {
  title: string;
  /** Names of files in docs/ without their ending. */
  pages: readonly string[];
}

export const HELP_GROUPS: readonly HelpGroup[] = [
  {
    title: 'Registering samples',
    pages: [
      'guide',
      'tsv-dialect',
      'repairing-sheets',
      'sheet-formats',
      'import-profiles',
      'own-keys',
      'standing-sheets',
      'batch-edits',
      'checklists',
      'submission-states',
    ],
  },
  {
    title: 'Sheets of other archives and programs',
    pages: [
      'sheets-ena',
      'sheets-ncbi',
      'sheets-geo',
      'sheets-mixs',
      'sheets-sampletab',
      'sheets-sdrf',
      'sheets-nextstrain',
      'sheets-qiime',
      'sheets-terra',
      'sheets-by-sample-id',
      'sheets-isa-tab',
    ],
  },
  {
    title: 'Programs',
    pages: [
      'api',
      'api-examples',
      'errors',
      'authorization',
      'json-files',
      'isa-json',
      'formats',
      'changes',
      'webhooks',
      'cli',
      'watch-folder',
    ],
  },
  {
    title: 'Running the service',
    pages: ['operations', 'configuration', 'metrics', 'limits', 'performance', 'threat-model'],
  },
  { title: 'Changing the code', pages: ['architecture', 'changing-it', 'simulation', 'page'] },
];

/** Folder in docs/ whose pages are listed apart. */
export const DECISIONS = 'decisions';

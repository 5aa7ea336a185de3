/** What clients do when they come between each other: requests that meet by design, where others meet by chance. Over 300 lines: one list. */
import type { StepKind } from './steps.js';

export interface Plot {
  what: string;
  /** Requests of each client; the number chooses among what it knows (plan.ts), absent: the same for all. */
  clients: (readonly [kind: StepKind, pick?: number])[][];
  /** Longest pause between requests, milliseconds. */
  pauses?: number;
  /** Numbers of processes that are slow from the beginning. */
  slow?: readonly number[];
  /** Numbers of processes to which answers of the disk are lost. */
  losing?: readonly number[];
}

const WORKERS = [2, 3, 4];
const INDEXER = [1];

/** Sheets that change their samples in a part, all or nothing, each first tried and then carried out. */
const IN_PART: Plot['clients'][number] = [
  ['upload', 2],
  ...[10, 25, 40, 55].flatMap((merge, at) => [['merge', merge] as const, ['commit', at] as const]),
];

export const PLOTS: readonly Plot[] = [
  {
    what: 'two write one sample as they have seen it',
    clients: [
      [['upload'], ['read', 0], ['replaceAtOnce', 0], ['replaceAtOnce', 0], ['replaceAtOnce', 0]],
      [['upload'], ['read', 0], ['replaceMatching', 0], ['read', 0], ['replaceAtOnce', 0]],
    ],
  },
  {
    what: 'one writes a sample while the other writes it anyway',
    clients: [
      [['upload'], ['read', 0], ['replaceMatching', 0], ['replaceMatching', 0], ['replaceMatching', 0]],
      [['upload'], ['replace', 0], ['replace', 0], ['replace', 0], ['replace', 0]],
    ],
  },
  {
    what: 'an upload is undone while its samples are written',
    clients: [
      [['upload'], ['undo', 0], ['status', 0]],
      [['upload'], ['read', 0], ['read', 0], ['read', 0], ['replace', 0], ['replace', 1]],
    ],
    pauses: 1500,
    slow: WORKERS,
  },
  {
    what: 'a dry run is committed after its samples were written',
    clients: [
      [['upload'], ['dryRun', 2], ['replace', 0], ['commit', 0], ['read', 0]],
      [['upload'], ['replace', 1], ['read', 0]],
    ],
  },
  {
    what: 'dry runs of one file, read in two ways, are carried out',
    clients: [
      [
        ['dryRun', 1],
        ['dryRun', 7],
        ['commit', 0],
        ['commit', 1],
      ],
      [
        ['dryRun', 7],
        ['upload', 1],
        ['commit', 0],
      ],
    ],
  },
  {
    what: 'a commit is asked for again when it was undone',
    clients: [
      [['dryRun'], ['commit', 0], ['undo', 0], ['commit', 0]],
      [['dryRun'], ['commit', 0]],
    ],
  },
  {
    what: 'a key comes again when what it was answered by was undone',
    clients: [
      [
        ['upload', 2],
        ['upload', 6],
        ['undo', 0],
        ['upload', 6],
      ],
      [['read', 0]],
    ],
  },
  {
    what: 'a file that names samples comes twice at once',
    clients: [
      [['upload'], ['updateTwice', 1], ['updateTwice', 2]],
      [['upload'], ['updateTwice', 0]],
    ],
  },
  {
    what: 'a sheet comes again and again, and each time other rows of it are refused',
    clients: [
      [['upload'], ['sendAgain', 0], ['sendAgain', 1], ['create'], ['create'], ['sendAgain', 1], ['sendAgain', 0]],
      [['upload'], ['sendAgain', 1], ['cancel', 1], ['sendAgain', 3], ['commit', 0], ['sendAgain', 2]],
    ],
    pauses: 1500,
  },
  {
    what: 'a sheet comes with keys and without, and each time other rows of it are refused',
    clients: [
      [['upload'], ['sendAgain', 0], ['sendAgain', 5], ['create'], ['sendAgain', 1], ['sendAgain', 2]],
      [['upload'], ['sendAgain', 5], ['sendAgain', 1], ['sendAgain', 8]],
    ],
    pauses: 1500,
  },
  {
    what: 'samples are changed in a part while they are written whole',
    clients: [
      [
        ['upload', 2],
        ['edit', 5],
        ['merge', 11],
        ['edit', 4],
        ['commit', 0],
        ['undo', 1],
      ],
      [
        ['upload', 2],
        ['replace', 0],
        ['merge', 5],
        ['updateTwice', 3],
        ['edit', 2],
        ['replaceAtOnce', 0],
      ],
    ],
    pauses: 120,
    slow: WORKERS,
  },
  {
    what: 'changes in a part meet, and are taken back',
    clients: [
      [
        ['upload', 2],
        ['merge', 3],
        ['undo', 1],
        ['edit', 3],
        ['merge', 1],
        ['commit', 0],
      ],
      [
        ['upload', 2],
        ['edit', 3],
        ['edit', 1],
        ['commit', 0],
        ['undo', 1],
        ['undo', 2],
      ],
    ],
    pauses: 1500,
  },
  {
    what: 'changes in a part that are all or nothing are carried out while their samples are written, by several at once',
    clients: [
      IN_PART,
      [['upload', 2], ['read', 0], ...Array.from({ length: 16 }, (_, at) => ['replaceAtOnce', at % 2] as const)],
    ],
    pauses: 25,
  },
  {
    what: 'changes in a part, most of them all or nothing, are carried out while their samples are written',
    clients: [
      [...IN_PART, ['edit', 6], ['edit', 9], ['edit', 12]],
      [['upload', 2], ['read', 0], ...Array.from({ length: 24 }, () => ['replace', 0] as const)],
      [['upload', 2], ['read', 0], ...Array.from({ length: 24 }, () => ['replace', 1] as const)],
    ],
    pauses: 25,
  },
  {
    what: 'curations come and go while samples are written',
    clients: [
      [
        ['upload', 2],
        ['curate', 0],
        ['replace', 0],
        ['findCurated', 0],
        ['uncurate', 0],
        ['read', 0],
        ['findCurated', 0],
        ['curate', 0],
        ['edit', 3],
        ['read', 0],
      ],
      [
        ['upload', 2],
        ['curate', 0],
        ['jsonFile', 1],
        ['decline', 0],
        ['read', 0],
        ['update', 3],
        ['findCurated', 0],
      ],
    ],
    pauses: 120,
  },
  {
    what: 'changes are followed while they are made',
    clients: [
      [
        ['upload', 2],
        ['follow', 1],
        ['create'],
        ['follow', 3],
        ['replace', 0],
        ['follow', 0],
        ['withdraw', 1],
        ['follow', 2],
        ['undo', 0],
        ['follow', 5],
      ],
      [
        ['jsonFile', 2],
        ['follow', 2],
        ['replace', 1],
        ['curate', 0],
        ['follow', 1],
        ['update', 3],
        ['merge', 2],
        ['follow', 5],
      ],
    ],
    pauses: 120,
  },
  {
    what: 'whole exports come one soon after the other',
    clients: [
      [
        ['wholeExport', 7],
        ['wholeExport', 2],
        ['wholeExport', 11],
      ],
      [
        ['wholeExport', 1],
        ['wholeExport', 13],
      ],
    ],
  },
  {
    what: 'samples are registered by their keys while an export is planned',
    clients: [
      [
        ['wholeExport', 1],
        ['wholeExport', 2],
      ],
      [
        ['putByKey', 3],
        ['putByKey', 0],
        ['putByKey', 1],
      ],
    ],
    pauses: 120,
    slow: WORKERS,
  },
  {
    what: 'samples are registered by their keys while an export that is all or nothing is read',
    clients: [
      [
        ['export', 40],
        ['status', 0],
      ],
      [
        ['putByKey', 0],
        ['putByKey', 1],
        ['putByKey', 2],
        ['putByKey', 3],
      ],
    ],
    pauses: 2500,
    slow: WORKERS,
  },
  {
    what: 'samples are registered by their keys between the plan and the commit of an export that is all or nothing',
    clients: [
      [
        ['export', 31],
        ['wholeExport', 50],
        ['status', 0],
      ],
      [
        ['putByKey', 0],
        ['putByKey', 1],
        ['putByKey', 2],
        ['putByKey', 3],
      ],
    ],
    pauses: 6000,
    slow: WORKERS,
  },
  {
    what: 'exports whose rows name each other are cancelled while they are written',
    clients: [
      [
        ['export', 4],
        ['status', 0],
        ['cancel', 0],
      ],
      [
        ['export', 16],
        ['status', 0],
        ['cancel', 0],
      ],
    ],
    pauses: 6000,
    slow: WORKERS,
  },
  {
    what: 'exports of one key space meet, some of them the whole of it',
    clients: [
      [
        ['export', 3],
        ['wholeExport', 2],
        ['commit', 0],
        ['export', 7],
        ['wholeExport', 3],
      ],
      [
        ['wholeExport', 7],
        ['putByKey', 1],
        ['export', 1],
        ['commit', 0],
        ['undo', 0],
        ['wholeExport', 4],
      ],
    ],
    pauses: 1500,
    slow: WORKERS,
  },
  {
    what: 'a sample changes between the plan and the commit of an export that lacks it, and many others',
    clients: [
      [
        ['export', 0],
        ['wholeExport', 63],
        ['putByKey', 3],
        ['commit', 0],
        ['wholeExport', 125],
      ],
      [['read', 0]],
    ],
    pauses: 1500,
  },
  {
    what: 'an export is taken back and comes again, and others have a bad row where there is a sample',
    clients: [
      [
        ['export', 0],
        ['wholeExport', 11],
        ['undo', 0],
        ['export', 4],
        ['wholeExport', 2],
      ],
      [
        ['export', 8],
        ['status', 0],
        ['wholeExport', 11],
      ],
    ],
    pauses: 1500,
  },
  {
    what: 'exports of one key space meet at once, and single samples of it',
    clients: [
      [
        ['export', 3],
        ['putByKey', 0],
        ['putByKey', 1],
        ['wholeExport', 1],
      ],
      [
        ['export', 11],
        ['putByKey', 1],
        ['export', 2],
        ['wholeExport', 7],
      ],
    ],
  },
  {
    what: 'children come before, behind and beside their parents',
    clients: [
      [
        ['children', 0],
        ['parents', 0],
        ['children', 1],
        ['parents', 1],
      ],
      [
        ['parents', 1],
        ['children', 2],
        ['parents', 0],
        ['children', 0],
      ],
    ],
  },
  {
    what: 'a file whose processing failed comes with other options, and then as it was',
    clients: [
      [
        ['upload', 2],
        ['upload', 10],
        ['upload', 2],
        ['retry', 0],
      ],
      [
        ['upload', 2],
        ['retry', 0],
      ],
    ],
    losing: WORKERS,
  },
  {
    what: 'a file whose processing failed comes with its columns read otherwise, and then as it was',
    clients: [
      [
        ['upload', 2],
        ['upload', 22],
        ['upload', 2],
        ['retry', 0],
      ],
      [
        ['upload', 22],
        ['retry', 0],
        ['upload', 2],
        ['retry', 1],
      ],
    ],
    losing: WORKERS,
  },
  {
    what: 'workers are slow',
    clients: [
      [
        ['upload', 1],
        ['status', 0],
      ],
      [['upload', 3]],
      [['upload', 1]],
    ],
    slow: WORKERS,
  },
  {
    what: 'what was replaced is searched for',
    clients: [
      [['upload'], ['replace', 0], ['findNote', 0], ['replace', 0], ['findNote', 0], ['findNote', 1]],
      [['create'], ['replace', 0], ['findNote', 1], ['replace', 0], ['findNote', 0], ['findNote', 1]],
    ],
  },
  {
    what: 'an administrator changes what waits for the index, and it is searched for',
    clients: [
      [
        ['create'],
        ['replace', 0],
        ['findNote', 0],
        ['replace', 4],
        ['findNote', 0],
        ['replace', 0],
        ['findNote', 0],
        ['replace', 4],
        ['findNote', 0],
        ['replace', 0],
        ['findNote', 0],
        ['replace', 4],
        ['findNote', 1],
      ],
      [['upload', 2], ['create'], ['create'], ['create'], ['create'], ['create'], ['create'], ['create'], ['create']],
    ],
    pauses: 300,
    slow: INDEXER,
  },
];

/**
 * Who may import what (docs/architecture.md), as data: room → what its files may import of ours, page, proofs, figures
 * and commands included. A room that is not listed, and everything that is not listed for a room, is forbidden.
 * `src/config.ts` stands for that one file.
 */
const LEAVES = ['src/observability'];
const ADAPTERS = ['src/store', 'src/queue', 'src/blobs'];
/** The only files that know every adapter. */
const WIRING = ['src/wiring'];
/** The one file of an adapter that whatever keeps an SQLite file of its own may import: which driver this Node has. */
const DRIVER = 'src/store/sqlite/driver.ts';
const CORE = ['src/registry', 'src/submissions', 'src/auth'];
/** What whoever writes files of its own shares: how names survive a power cut. */
const DURABLE = 'src/durable-names.ts';
/** What whoever starts processes, or finds what one has left, shares. */
const PROCESSES = 'src/processes.ts';
/** What callers of other services read of a refusal. */
const RETRY_AFTER = 'src/retry-after.ts';
/** Rooms beside the core: they have ports of their own, which the store keeps. */
const SIDE = ['src/profiles', 'src/webhooks', 'src/limits', 'src/audit', 'src/upkeep'];

/** What every view of the page may use. */
const PAGE = ['web/src/api', 'web/src/show', 'web/src/session', 'web/src/drafts'];
/** What the page reads and checks a sheet with before it is sent: the same files as the service. */
const SHEET = [
  'src/tsv',
  'src/registry/errors.ts',
  'src/registry/json-form.ts',
  'src/submissions/uploads/upload-options.ts',
];

export const ROOMS = {
  'src/registry': [],
  'src/tsv': ['src/registry'],
  'src/submissions': ['src/registry', 'src/tsv'],
  'src/exports': ['src/formats', 'src/registry', 'src/submissions', 'src/tsv', 'src/limits', PROCESSES],
  'src/auth': ['src/registry', 'src/limits'],
  'src/formats': ['src/registry', 'src/tsv'],
  'src/checklists': ['src/registry'],
  'src/workbooks': ['src/registry', 'src/tsv', 'src/limits', PROCESSES],
  'src/profiles': ['src/registry', 'src/tsv'],
  'src/webhooks': ['src/registry', 'src/submissions', RETRY_AFTER],
  'src/limits': ['src/registry'],
  'src/audit': [DURABLE, PROCESSES],
  'src/help': [],
  'src/upkeep': ['src/registry', 'src/submissions'],
  [DRIVER]: [],
  [DURABLE]: [],
  [PROCESSES]: [],
  [RETRY_AFTER]: [],
  'src/store': [...CORE, ...SIDE, ...LEAVES, DURABLE, PROCESSES],
  'src/queue': [...CORE, ...LEAVES],
  'src/blobs': [...CORE, ...LEAVES, DURABLE, PROCESSES],
  'src/version.ts': [],
  'src/http': [
    'src/formats',
    ...CORE,
    ...SIDE,
    'src/exports',
    'src/help',
    DURABLE,
    ...LEAVES,
    'src/config.ts',
    'src/version.ts',
  ],
  'src/client': [
    RETRY_AFTER,
    'src/submissions/uploads/upload-options.ts',
    'src/submissions/results/result-form.ts',
    'src/submissions/results/archive-names.ts',
    'src/formats/names.ts',
    'src/registry/issue-codes.ts',
    DURABLE,
  ],
  'src/cli': [
    'src/client',
    'src/formats/names.ts',
    'src/wiring/compose-operator.ts',
    'src/wiring/compose-mirror.ts',
    'src/wiring/compose-side.ts',
    'src/config.ts',
    'src/audit',
    'src/version.ts',
    DRIVER,
    DURABLE,
  ],
  'src/config.ts': [...CORE, 'src/secret-settings.ts'],
  'src/secret-settings.ts': [],
  'src/observability': ['src/submissions'],
  ...Object.fromEntries(WIRING.map((file) => [file, ['src']])),
  'src/server.ts': [...WIRING, 'src/config.ts', 'src/http', ...LEAVES],
  // A thread is a process of its own and wires itself.
  'workers/reading-thread.ts': ['src/blobs', 'src/checklists', 'src/submissions'],
  workers: [...WIRING, 'src/config.ts', ...CORE, ...LEAVES],
  // The page: its start knows every view; a view knows what all share, and those of sheets and submissions each other one way.
  'web/src': ['web/src'],
  'web/src/api': ['src/submissions/uploads/upload-options.ts', 'src/formats/names.ts'],
  'web/src/show': ['web/src/api', 'src/registry/json-pointer.ts'],
  'web/src/session': ['web/src/api', 'web/src/show'],
  'web/src/drafts': ['web/src/api', 'web/src/show', 'web/src/session'],
  'web/src/sheet': SHEET,
  'web/src/upload': [
    ...PAGE,
    ...SHEET,
    'web/src/sheet',
    'src/submissions/uploads/ceiling.ts',
    'src/registry/samples/row-key.ts',
  ],
  'web/src/submission': [
    ...PAGE,
    ...SHEET,
    'web/src/sheet',
    'web/src/upload',
    'src/submissions/results/result-form.ts',
  ],
  'web/src/submissions': [...PAGE, 'web/src/submission', 'src/submissions/results/result-form.ts'],
  'web/src/operations': [...PAGE, 'web/src/submission'],
  'web/src/samples': [
    ...PAGE,
    'src/formats/names.ts',
    'src/registry/search/filter-parts.ts',
    'src/registry/search/facets.ts',
  ],
  'web/src/checklists': PAGE,
  'web/src/account': PAGE,
  'web/src/shell': PAGE,
  // Proofs know what they prove; what they share knows no single proof. Figures and commands stand outside the service.
  test: ['src', 'workers', 'web', 'scripts'],
  'test/support': ['src', 'scripts', 'test/many-machines'],
  bench: ['src', 'test/support'],
  scripts: ['test/support', 'test/web'],
};

/** What an operator's command may do and a client's may not: touch the store. */
export const CLIENT_COMMANDS = {
  from: '^src/cli/(?!operator)',
  to: '^src/(?!cli/|client/|formats/names\\.ts$|store/sqlite/driver\\.ts$|durable-names\\.ts$|version\\.ts$)',
};

/** Each forbids imports from files of one pattern to files of another; without `to`, the files themselves. */
export const RULES = [
  ...Object.entries(ROOMS).map(([room, allowed]) => ({
    name: `${room} imports only ${allowed.length > 0 ? allowed.join(', ') : 'itself'}`,
    from: { path: within(room), pathNot: inner(room) },
    to: { path: '^(src|workers|test|bench|scripts|web)/', pathNot: [room, ...allowed].map(within) },
  })),
  {
    name: 'every file of ours is in a room that scripts/directions.mjs names',
    from: {
      path: '^(src|workers|web/src)/',
      pathNot: [
        '^web/src/[^/]+$',
        ...Object.keys(ROOMS)
          .filter((room) => room !== 'web/src')
          .map(within),
      ],
    },
  },
  {
    name: `only ${WIRING.join(', ')} import adapters`,
    from: { path: '^(src|workers)/', pathNot: [...WIRING, ...ADAPTERS, 'workers/reading-thread.ts'].map(within) },
    to: { path: ADAPTERS.map(within), pathNot: within(DRIVER) },
  },
  {
    name: 'commands of clients know the client alone',
    from: { path: CLIENT_COMMANDS.from },
    to: { path: CLIENT_COMMANDS.to },
  },
  { name: 'every import resolves', from: { path: '.' }, to: { path: '^\\?' } },
];

/** Files of a room that have a line of their own. */
function inner(room) {
  return Object.keys(ROOMS)
    .filter((other) => other.startsWith(`${room}/`))
    .map(within);
}

function within(place) {
  return `^${place.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}${/\.tsx?$/.test(place) ? '$' : '/'}`;
}

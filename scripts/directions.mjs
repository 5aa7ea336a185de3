/**
 * Who may import what (docs/architecture.md), as data: room → what its files may import of ours. A room that is not
 * listed, and everything that is not listed for a room, is forbidden. `src/config.ts` stands for that one file.
 */
const LEAVES = ['src/observability'];
const ADAPTERS = ['src/store', 'src/queue', 'src/blobs'];
/** The only files that know every adapter. */
const WIRING = ['src/wiring'];
/** The one file of an adapter that whatever keeps an SQLite file of its own may import: which driver this Node has. */
const DRIVER = 'src/store/sqlite/driver.ts';
const CORE = ['src/registry', 'src/submissions', 'src/auth'];
/** Rooms beside the core: they have ports of their own, which the store keeps. */
const SIDE = ['src/webhooks', 'src/limits', 'src/audit', 'src/upkeep'];

export const ROOMS = {
  'src/registry': [],
  'src/tsv': ['src/registry'],
  'src/submissions': ['src/registry', 'src/tsv'],
  'src/auth': ['src/registry', 'src/limits'],
  'src/checklists': ['src/registry'],
  'src/workbooks': ['src/registry', 'src/tsv'],
  'src/webhooks': ['src/registry', 'src/submissions'],
  'src/limits': ['src/registry'],
  'src/audit': [],
  'src/upkeep': ['src/registry', 'src/submissions'],
  [DRIVER]: [],
  'src/store': [...CORE, ...SIDE, ...LEAVES],
  'src/queue': [...CORE, ...LEAVES],
  'src/blobs': [...CORE, ...LEAVES],
  'src/http': [...CORE, ...SIDE, ...LEAVES, 'src/config.ts'],
  'src/client': ['src/submissions/upload-options.ts'],
  'src/cli': [
    'src/client',
    'src/wiring/compose-operator.ts',
    'src/wiring/compose-side.ts',
    'src/config.ts',
    'src/audit',
    DRIVER,
  ],
  'src/config.ts': CORE,
  'src/observability': ['src/submissions'],
  ...Object.fromEntries(WIRING.map((file) => [file, ['src']])),
  'src/server.ts': [...WIRING, 'src/config.ts', 'src/http', ...LEAVES],
  // A thread is a process of its own and wires itself.
  'workers/reading-thread.ts': ['src/blobs', 'src/checklists', 'src/submissions'],
  workers: [...WIRING, 'src/config.ts', ...CORE, ...LEAVES],
};

/** What an operator's command may do and a client's may not: touch the store. */
export const CLIENT_COMMANDS = { from: '^src/cli/(?!operator)', to: '^src/(?!cli/|client/|store/sqlite/driver\\.ts$)' };

/** The rules in dependency-cruiser's form. */
export function ruleSet() {
  const rooms = Object.entries(ROOMS).map(([room, allowed]) => ({
    name: `${room} imports only ${allowed.length > 0 ? allowed.join(', ') : 'itself'}`,
    severity: 'error',
    from: { path: within(room), pathNot: inner(room) },
    to: { path: '^(src|workers|test|bench|scripts|web)/', pathNot: [room, ...allowed].map(within) },
  }));
  return {
    forbidden: [
      ...rooms,
      {
        name: 'every file of src and workers is in a room that scripts/directions.mjs names',
        severity: 'error',
        from: { path: '^(src|workers)/', pathNot: Object.keys(ROOMS).map(within) },
        to: {},
      },
      {
        name: `only ${WIRING.join(', ')} import adapters`,
        severity: 'error',
        from: { path: '^(src|workers)/', pathNot: [...WIRING, ...ADAPTERS, 'workers/reading-thread.ts'].map(within) },
        to: { path: ADAPTERS.map(within), pathNot: within(DRIVER) },
      },
      {
        name: 'commands of clients know the client alone',
        severity: 'error',
        from: { path: CLIENT_COMMANDS.from },
        to: { path: CLIENT_COMMANDS.to },
      },
      { name: 'no cycles between files', severity: 'error', from: {}, to: { circular: true } },
      { name: 'every import resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ],
  };
}

/** Files of a room that have a line of their own. */
const inner = (room) =>
  Object.keys(ROOMS)
    .filter((other) => other.startsWith(`${room}/`))
    .map(within);

const within = (place) => `^${place.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}${/\.ts$/.test(place) ? '$' : '/'}`;

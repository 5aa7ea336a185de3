/**
 * What is asked of others when the metrics are read: of each at most once at a time and once in a few seconds, however
 * often they are read, and nobody is waited for longer than ASK_MS. What does not answer is NaN; all the rest is shown.
 */
import { Gauge, type Registry } from 'prom-client';
import { within } from './within.js';

/** What operators want to know of the queue, from the store. */
export interface QueueFigures {
  states: Record<string, number>;
  waiting: number;
  running: number;
  /** Age of the oldest waiting submission, milliseconds. */
  oldestWaiting?: number;
}

/** Times are milliseconds since 1970; `moved` 0: never. */
export interface IndexFigures {
  lag: number;
  since?: number;
  moved: number;
  nameOnly: number;
}

/** Processes of a program that this one starts, and replaces when they end. */
export interface WorkerFigures {
  program: string;
  wanted: number;
  running: number;
}

/** Bytes of the file system that holds a folder; `free`: for a process without special rights. */
export interface DiskFigures {
  folder: string;
  free: number;
  size: number;
}

export interface Figures {
  queue?: () => Promise<QueueFigures>;
  /** `oldest`: milliseconds since 1970. */
  webhooks?: () => Promise<{ waiting: number; oldest?: number }>;
  /** Changes that the search index has not taken in, when the oldest was written, when something was last taken in. */
  index?: () => Promise<IndexFigures>;
  /** Milliseconds since 1970; undefined: none was ever recorded. */
  lastBackup?: () => Promise<number | undefined>;
  disks?: () => Promise<DiskFigures[]>;
  workers?: () => WorkerFigures[];
  /** Each rejects while the part cannot be used. */
  parts?: Record<PartName, () => Promise<void>>;
}

const PARTS = {
  store: 'Whether the store answers: 1 or 0.',
  queue: 'Whether the queue answers: 1 or 0; without it uploads are accepted and workers look for themselves.',
  blobs: 'Whether the storage of uploaded files answers: 1 or 0.',
} as const;
export type PartName = keyof typeof PARTS;

const REMEMBER_MS = 5_000;
/** Prometheus gives a scrape ten seconds by default, and everything is asked at the same time. */
const ASK_MS = 2_000;

export function addGauges(registry: Registry, figures: Figures): void {
  const { queue, webhooks, index, lastBackup, disks, workers, parts } = figures;
  if (parts) for (const [name, check] of Object.entries(parts)) addPart(registry, name as PartName, check);
  if (queue) addQueue(registry, remember(queue));
  if (webhooks) addWebhooks(registry, remember(webhooks));
  if (index) addIndex(registry, remember(index));
  if (lastBackup) {
    const text = 'When the last backup was recorded, seconds since 1970; 0: never.';
    const remembered = remember(lastBackup);
    gauge(registry, 'last_backup_timestamp_seconds', text, async () => ((await remembered()) ?? 0) / 1000);
  }
  if (disks) addDisks(registry, remember(disks));
  if (workers) addWorkers(registry, async () => workers());
}

function addPart(registry: Registry, name: PartName, check: () => Promise<void>): void {
  const remembered = remember(check);
  gauge(registry, `${name}_up`, PARTS[name], () =>
    remembered().then(
      () => 1,
      () => 0,
    ),
  );
}

function addQueue(registry: Registry, ask: () => Promise<QueueFigures>): void {
  gauges(registry, 'submissions', 'Submissions in the store, by state.', 'state', ask, ({ states }) =>
    Object.entries(states),
  );
  gauge(registry, 'queue_waiting', 'Submissions that wait for a worker.', async () => (await ask()).waiting);
  gauge(registry, 'queue_running', 'Submissions that a worker is processing.', async () => (await ask()).running);
  gauge(
    registry,
    'queue_oldest_waiting_seconds',
    'Age of the oldest waiting submission; 0 when none waits.',
    async () => ((await ask()).oldestWaiting ?? 0) / 1000,
  );
}

function addWebhooks(registry: Registry, ask: () => Promise<{ waiting: number; oldest?: number }>): void {
  gauge(
    registry,
    'webhook_deliveries_waiting',
    'Events that a webhook has not taken yet.',
    async () => (await ask()).waiting,
  );
  gauge(registry, 'webhook_oldest_waiting_seconds', 'Age of the oldest of them; 0 when there is none.', async () =>
    secondsSince((await ask()).oldest),
  );
}

function addIndex(registry: Registry, ask: () => Promise<IndexFigures>): void {
  gauge(
    registry,
    'search_index_lag_changes',
    'Changes that the search index has not taken in.',
    async () => (await ask()).lag,
  );
  gauge(registry, 'search_index_lag_seconds', 'Age of the oldest of them; 0 when there is none.', async () =>
    secondsSince((await ask()).since),
  );
  gauge(
    registry,
    'search_index_standstill_seconds',
    'How long a search index that is behind has taken nothing in; 0 when it is not behind.',
    async () => {
      const { lag, since = 0, moved } = await ask();
      return lag === 0 ? 0 : secondsSince(Math.max(since, moved) || undefined);
    },
  );
  gauge(
    registry,
    'search_index_name_only_samples',
    'Samples that are found by name and accession alone, because their content could not be indexed.',
    async () => (await ask()).nameOnly,
  );
}

function addDisks(registry: Registry, ask: () => Promise<DiskFigures[]>): void {
  const of = (what: 'free' | 'size') => (disks: DiskFigures[]) =>
    disks.map((disk): [string, number] => [disk.folder, disk[what]]);
  gauges(registry, 'disk_free_bytes', 'Room on the disk of each folder in use.', 'folder', ask, of('free'));
  gauges(registry, 'disk_size_bytes', 'Size of the disk of each folder in use.', 'folder', ask, of('size'));
}

function addWorkers(registry: Registry, ask: () => Promise<WorkerFigures[]>): void {
  const of = (what: 'wanted' | 'running') => (programs: WorkerFigures[]) =>
    programs.map((one): [string, number] => [one.program, one[what]]);
  const text = 'Processes of a program that this service';
  gauges(registry, 'workers_wanted', `${text} keeps running.`, 'program', ask, of('wanted'));
  gauges(registry, 'workers_running', `${text} started and that live.`, 'program', ask, of('running'));
}

function gauge(registry: Registry, name: string, help: string, value: () => Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      // One thing that cannot be asked now must not hide all the others.
      this.set(await value().catch(() => Number.NaN));
    },
  });
}

/** One value for each value of a label; none at all while they cannot be asked. */
function gauges<T>(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  ask: () => Promise<T>,
  values: (answer: T) => [string, number][],
): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const found = await ask().then(values, () => []);
      this.reset();
      for (const [of, value] of found) this.set({ [label]: of }, Number(value));
    },
  });
}

/** One answer serves everybody who asks within some seconds; a failure is not remembered. */
function remember<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: T } | undefined;
  let asking: Promise<T> | undefined;
  return async () => {
    if (last && performance.now() - last.at <= REMEMBER_MS) return last.answer;
    asking ??= ask()
      .then((answer) => {
        last = { at: performance.now(), answer };
        return answer;
      })
      .finally(() => {
        asking = undefined;
      });
    return within(ASK_MS, asking);
  };
}

const secondsSince = (at: number | undefined): number => (at === undefined ? 0 : Math.max(0, Date.now() - at) / 1000);

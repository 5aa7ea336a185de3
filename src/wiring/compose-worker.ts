/** WIRING of an ingest worker process: the same ports as the service's, and a thread for reading large files. */
import { fileURLToPath } from 'node:url';
import { openBlobs } from '../blobs/open.js';
import { lazyChecklists } from '../checklists/open.js';
import { attemptRules, type Config } from '../config.js';
import { createLog, type Logger } from '../observability/log.js';
import { serveMetrics } from '../observability/serve-metrics.js';
import { openTraces, type Traces } from '../observability/tracing.js';
import { WorkCounts } from '../observability/work-counts.js';
import { type BellMessage, EmbeddedQueue } from '../queue/embedded.js';
import { openQueue } from '../queue/open.js';
import { openStore } from '../store/open.js';
import { IsaDocuments } from '../submissions/isa-json/open.js';
import { processSubmission } from '../submissions/processing/process-submission.js';
import type { ProcessingDependencies, ProcessingEvents } from '../submissions/processing/processing.js';
import { startWorker, workerName } from '../submissions/processing/work.js';
import { type ReadingThreadData, type ReadingThreads, readInThread } from '../submissions/reading/reading-thread.js';
import { WorkbookReader } from '../workbooks/reader.js';
import { type Engines, workerMetrics } from './compose-metrics.js';
import { type AloneMessage, runAlone } from './run-alone.js';
import { FILES_UNKNOWN, requireSiteFiles } from './site-files.js';
import { startThread } from './start-thread.js';
import { beat, type WorkerParts } from './worker-process.js';

const SMALL_AT_ONCE = 4;
const LOOK_EVERY_MS = 1000;
/** Of the store's pages. It appends and reads in order: with 8 MB no file was registered or updated sooner. */
const CACHE_KIB = 2000;

/** `host` is the process: its channel to the parent carries the bell, when there is one. */
export async function composeWorker(
  config: Config,
  host: NodeJS.Process,
  name: string = workerName(),
): Promise<WorkerParts> {
  const log = createLog(config.LOG_LEVEL, 'ingest').child({ worker: name });
  // By itself it works beside services: of a file that nobody has made it would wait for uploads for ever.
  if (!host.send && config.STORE_URL.startsWith('sqlite:')) {
    const { requireStore } = await import('../store/snapshot.js');
    await requireStore(config.STORE_URL);
  }
  const store = await openStore(config.STORE_URL, { prefix: config.ACCESSION_PREFIX, cacheKiB: CACHE_KIB });
  const blobs = await openBlobs(config.BLOB_URL);
  await requireSiteFiles({ store, blobs, url: config.BLOB_URL }, (error) => log.warn({ err: error }, FILES_UNKNOWN));
  const queue = await openQueue(config.QUEUE_URL, {
    onError: (error) => log.warn({ err: error }, 'the queue has failed; this worker looks for itself'),
  });
  if (queue instanceof EmbeddedQueue && host.send) joinParent(queue, host);
  const counts = new WorkCounts();
  const alive = beat(host, counts);
  const metrics = await ownMetrics(config, host, { store, queue, blobs }, counts);
  const traces = await openTraces(config.OTEL_EXPORTER_OTLP_ENDPOINT, 'sample-registry-ingest');
  const reading = readingThreads(config);
  if (queue instanceof EmbeddedQueue) queue.onForetold('large', reading.prepare);
  const deps = processing(config, { store, queue, blobs }, reading, counts.events(traceEvents(logEvents(log), traces)));
  const worker = startWorker(deps, {
    name,
    concurrency: { small: SMALL_AT_ONCE, large: 1 },
    lookEveryMs: LOOK_EVERY_MS,
    processAlone: runAlone({
      entry: fileURLToPath(new URL('../../workers/alone.js', import.meta.url)),
      store,
      rules: deps.rules,
      leaseMs: deps.leaseMs,
      onMessage: (message) => {
        if ('work' in message && message.work) counts.add(message.work);
        if ('bell' in message && message.bell === 'ended') void queue.announce(message.submissionId).catch(() => {});
      },
      onGivenUp: ({ submission }) => {
        deps.events.ended?.(submission);
        void queue.announce(submission.id).catch(() => {});
      },
      log,
    }),
  });
  let closed: Promise<void> | undefined;
  return {
    close: () => {
      closed ??= (async () => {
        await worker.stop();
        alive.stop();
        await metrics?.close();
        await traces?.close();
        await queue.close();
        await blobs.close();
        await store.close();
      })();
      return closed;
    },
  };
}

/** WIRING of a process that works on the one submission that its parent claimed and sends, and then ends. */
export async function composeAlone(
  config: Config,
  host: NodeJS.Process,
): Promise<WorkerParts & { done: Promise<void> }> {
  const log = createLog(config.LOG_LEVEL, 'ingest').child({ alone: true });
  const store = await openStore(config.STORE_URL, { prefix: config.ACCESSION_PREFIX, cacheKiB: CACHE_KIB });
  const blobs = await openBlobs(config.BLOB_URL);
  // Its parent rings for it.
  const queue = new EmbeddedQueue();
  joinParent(queue, host);
  const counts = new WorkCounts();
  const alive = beat(host, counts);
  const stopping = new AbortController();
  const deps = processing(config, { store, queue, blobs }, readingThreads(config), counts.events(logEvents(log)));
  // The parent may be gone before it has sent the claim: then none comes any more.
  const asked = new Promise<AloneMessage | undefined>((resolve) => {
    host.once('message', resolve);
    stopping.signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const done = asked
    .then(async (message) => {
      if (message) await processSubmission(deps, message.claim, stopping.signal);
    })
    .finally(() => alive.stop());
  if (host.connected) host.send?.({ begun: true }, () => {});
  return {
    done,
    close: async () => {
      stopping.abort();
      await done;
      await blobs.close();
      await store.close();
    },
  };
}

function readingThreads(config: Config): ReadingThreads {
  const entry = new URL('../../workers/reading-thread.js', import.meta.url);
  const workerData: ReadingThreadData = {
    blobUrl: config.BLOB_URL,
    checklistsDir: config.CHECKLISTS_DIR,
    defaultChecklist: config.DEFAULT_CHECKLIST,
  };
  return readInThread(() => startThread(entry, { workerData }));
}

function processing(
  config: Config,
  engines: Engines,
  { read }: ReadingThreads,
  events: ProcessingEvents,
): ProcessingDependencies {
  return {
    ...engines,
    readApart: read,
    workbooks: new IsaDocuments(new WorkbookReader(), config.ACCESSION_PREFIX),
    rowChecks: { checklists: lazyChecklists(config.CHECKLISTS_DIR), defaultChecklist: config.DEFAULT_CHECKLIST },
    prefix: config.ACCESSION_PREFIX,
    batchRows: config.BATCH_ROWS,
    leaseMs: config.LEASE_SECONDS * 1000,
    rules: attemptRules(config),
    events,
  };
}

/** A worker without a parent has nobody to report to and shows its metrics itself. */
async function ownMetrics(
  config: Config,
  host: NodeJS.Process,
  engines: Engines,
  counts: WorkCounts,
): Promise<{ close(): Promise<void> } | undefined> {
  if (host.send || config.WORKER_METRICS_PORT === 0) return undefined;
  return serveMetrics(
    workerMetrics(engines, () => counts.drain()),
    config.HOST,
    config.WORKER_METRICS_PORT,
  );
}

function joinParent(queue: EmbeddedQueue, host: NodeJS.Process): void {
  queue.join({
    send: (message) => host.connected && host.send?.(message),
    onMessage: (listener) => host.on('message', (message) => listener(message as BellMessage)),
  });
}

function logEvents(log: Logger): ProcessingEvents {
  return {
    ended: ({ id, state, counts, problem, attempts }) =>
      log.info({ submissionId: id, state, counts, problem: problem?.code, attempts }, 'submission ended'),
    claimLost: ({ submission, attempt }) =>
      log.warn({ submissionId: submission.id, attempt }, 'another worker has taken over'),
    takenOver: (submissionId) => log.warn({ submissionId }, 'taken over from a worker that was lost'),
    failed: ({ submission, attempt }, error, id) =>
      log.error({ submissionId: submission.id, attempt, errorId: id, err: error }, 'processing failed'),
  };
}

/** A span for each committed chunk. */
function traceEvents(events: ProcessingEvents, traces: Traces | undefined): ProcessingEvents {
  if (!traces) return events;
  return {
    ...events,
    applied: ({ id, lane }, rows, ms) =>
      traces.work('apply chunk', ms, { 'submission.id': id, 'submission.lane': lane, rows }),
  };
}

/** WIRING of an ingest worker process: the same ports as the service's, and a thread for reading large files. */
import { Worker as Thread } from 'node:worker_threads';
import { openBlobs } from './blobs/open.js';
import type { Config } from './config.js';
import { createLog, type Logger } from './log.js';
import { type BellMessage, EmbeddedQueue } from './queue/embedded.js';
import { openQueue } from './queue/open.js';
import { openStore } from './store/open.js';
import type { ProcessingEvents } from './submissions/process-submission.js';
import { readInThread } from './submissions/reading-thread.js';
import { startWorker, workerName } from './submissions/work.js';

/** Rows per chunk: about 10 ms of write lock on the reference machine, so that small uploads get in between. */
const BATCH_ROWS = 1000;
const SMALL_AT_ONCE = 4;
const LOOK_EVERY_MS = 1000;
const ALIVE_EVERY_MS = 1000;

export interface WorkerParts {
  /** Hands back what is running; may be called twice. */
  close(): Promise<void>;
}

/** `host` is the process: its channel to the parent carries the bell, when there is one. */
export async function composeWorker(
  config: Config,
  host: NodeJS.Process,
  name: string = workerName(),
): Promise<WorkerParts> {
  const log = createLog(config.LOG_LEVEL, 'ingest').child({ worker: name });
  const store = await openStore(config.STORE_URL, { prefix: config.ACCESSION_PREFIX });
  const blobs = await openBlobs(config.BLOB_URL);
  const queue = openQueue(config.QUEUE_URL);
  if (queue instanceof EmbeddedQueue && host.send) joinParent(queue, host);
  const alive = host.send && setInterval(() => host.connected && host.send?.({ alive: true }), ALIVE_EVERY_MS);
  const entry = new URL('../workers/reading-thread.js', import.meta.url);
  const worker = startWorker(
    {
      store,
      queue,
      blobs,
      readApart: readInThread(() => new Thread(entry, { workerData: { blobUrl: config.BLOB_URL } })),
      prefix: config.ACCESSION_PREFIX,
      batchRows: BATCH_ROWS,
      leaseMs: config.LEASE_SECONDS * 1000,
      events: logEvents(log),
    },
    {
      name,
      maxAttempts: config.MAX_ATTEMPTS,
      concurrency: { small: SMALL_AT_ONCE, large: 1 },
      lookEveryMs: LOOK_EVERY_MS,
    },
  );
  let closed: Promise<void> | undefined;
  return {
    close: () => {
      closed ??= (async () => {
        await worker.stop();
        if (alive) clearInterval(alive);
        await queue.close();
        await blobs.close();
        await store.close();
      })();
      return closed;
    },
  };
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
    failed: ({ submission, attempt }, error, id) =>
      log.error({ submissionId: submission.id, attempt, errorId: id, err: error }, 'processing failed'),
  };
}

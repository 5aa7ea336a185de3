/**
 * WIRING of the indexer process. It indexes in a thread of its own, so that its main thread can tell that the process
 * lives however long one native call takes, and so that running out of memory ends the thread alone.
 */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { type MessagePort, Worker as Thread } from 'node:worker_threads';
import type { Config } from '../config.js';
import { createLog } from '../observability/log.js';
import { RepeatedFault } from '../observability/repeated-fault.js';
import { formatAccession } from '../registry/accession.js';
import { openStore } from '../store/open.js';
import { reportDamage } from './compose-search.js';
import { IndexRests } from './index-rests.js';
import { IndexSteps } from './index-steps.js';
import { beat, type WorkerParts } from './worker-process.js';

/** A step is bounded to some tenths of a second; one that takes this long does not end by itself. */
const STUCK_MS = 10 * 60_000;
const LOOK_EVERY_MS = 1000;
/** Bounds of the thread's memory, MB: steps are small, and garbage must not grow for hours. */
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

export interface IndexingData {
  config: Config;
  /** Two numbers: 1 while a step runs, and how many steps have ended. */
  steps: Int32Array;
}

export async function composeIndexer(config: Config, host: NodeJS.Process): Promise<WorkerParts> {
  const log = createLog(config.LOG_LEVEL, 'indexer');
  const steps = new Int32Array(new SharedArrayBuffer(8));
  const workerData: IndexingData = { config, steps };
  const thread = new Thread(new URL('../../workers/indexing-thread.js', import.meta.url), {
    workerData,
    resourceLimits: MEMORY,
  });
  const alive = beat(host);
  let stopping = false;
  // The process ends with its thread; whoever keeps it running starts another, which goes on where this one was.
  const giveUp = (reason: string, error?: unknown) => {
    if (!stopping) log.error({ err: error, steps: steps[1] }, reason);
    host.exit(1);
  };
  const ended = new Promise<void>((resolve) => {
    thread.once('exit', (code) => {
      if (!stopping) giveUp(`the indexing thread ended with ${code}`);
      resolve();
    });
  });
  thread.on('error', (error) => giveUp('the indexing thread failed', error));
  const watch = watchSteps(steps, () => giveUp(`a step of indexing has not ended in ${STUCK_MS / 60_000} minutes`));
  return {
    close: async () => {
      stopping = true;
      clearInterval(watch);
      thread.postMessage('stop');
      await ended;
      alive.stop();
    },
  };
}

function watchSteps(steps: Int32Array, onStuck: () => void): NodeJS.Timeout {
  let seen = -1;
  let since = performance.now();
  return setInterval(() => {
    const [running = 0, ended = 0] = steps;
    if (running === 0 || ended !== seen) since = performance.now();
    seen = ended;
    if (performance.now() - since > STUCK_MS) onStuck();
  }, LOOK_EVERY_MS);
}

/** In the thread: indexes until it is asked to stop. */
export async function runIndexing(port: MessagePort, { config, steps }: IndexingData): Promise<void> {
  const log = createLog(config.LOG_LEVEL, 'indexer');
  const stopping = new AbortController();
  port.once('message', () => stopping.abort());
  // It reads its journal from end to end: a larger cache made it no faster.
  const store = await openStore(config.STORE_URL, {
    prefix: config.ACCESSION_PREFIX,
    cacheKiB: 2000,
    onIndexDamage: reportDamage(log),
  });
  const wait = (ms: number): Promise<void> => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  const rests = new IndexRests({
    isRegistering: () => (stopping.signal.aborted ? Promise.resolve(false) : store.isWorkedOn('large')),
    wait,
  });
  const fault = new RepeatedFault({
    failed: (err, times) => log.error({ err, times }, 'indexing failed'),
    over: (times) => log.info({ times }, 'indexing goes on again'),
  });
  const next = new IndexSteps();
  while (!stopping.signal.aborted) {
    const begun = performance.now();
    Atomics.store(steps, 0, 1);
    const more = await store.indexNext(next.samples).then(
      ({ more, nameOnly }) => {
        for (const { id, reason } of nameOnly) {
          const accession = formatAccession(config.ACCESSION_PREFIX, id);
          log.warn({ accession, reason }, 'a sample is found by its name and accession only');
        }
        fault.worked();
        next.worked();
        return more;
      },
      (error) => {
        fault.failed(error);
        next.failed();
        return false;
      },
    );
    Atomics.store(steps, 0, 0);
    Atomics.add(steps, 1, 1);
    if (!more) await wait(next.waitMs);
    else {
      await rests
        .after(performance.now() - begun)
        .catch((error) => log.error({ err: error }, 'the index could not rest'));
      await nextTurn();
    }
  }
  await store.close();
  port.close();
}

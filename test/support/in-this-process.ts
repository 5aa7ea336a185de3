/** A service whose worker, index and search run in the test's own process; otherwise the one that is shipped. */
import { join } from 'node:path';
import { openChecklists } from '../../src/checklists/open.js';
import { attemptRules } from '../../src/config.js';
import { startWorker } from '../../src/submissions/processing/work.js';
import type { Choices } from '../../src/wiring/compose.js';
import { exportHere } from '../../src/wiring/compose-exports.js';
import { ROOT } from './output.js';

interface Ways {
  /** Added to the clock, milliseconds. */
  clockAhead?: (() => number) | undefined;
  /** Rows of a batch; few of them make many chunks of a small file. */
  batchRows?: number;
}

export const inThisProcess = ({ clockAhead, batchRows = 250 }: Ways = {}): Choices => ({
  ...(clockAhead && { now: () => Date.now() + clockAhead() }),
  pageFolder: join(ROOT, 'web', 'dist'),
  helpFolder: join(ROOT, 'docs'),
  searching: (store) => ({ findSamples: store.findSamples, close: async () => {} }),
  exporting: (store) => exportHere(store, { prefix: 'SAMR', now: store.now }),
  startWorkers: ({ config, store, blobs, queue }) => {
    const worker = startWorker(
      {
        store,
        blobs,
        queue,
        prefix: config.ACCESSION_PREFIX,
        batchRows,
        leaseMs: 10_000,
        rules: attemptRules(config),
        rowChecks: {
          checklists: () => openChecklists(config.CHECKLISTS_DIR),
          defaultChecklist: config.DEFAULT_CHECKLIST,
        },
        events: {},
      },
      { name: 'in-process', concurrency: { small: 2, large: 1 }, lookEveryMs: 200 },
    );
    const indexing = setInterval(() => void store.indexNext(500).catch(() => undefined), 100);
    return {
      programs: () => [],
      stop: () => {
        clearInterval(indexing);
        return worker.stop();
      },
    };
  },
});

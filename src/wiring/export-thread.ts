/** WIRING of the thread that makes the file of a whole result. */
import { open } from 'node:fs/promises';
import type { MessagePort } from 'node:worker_threads';
import type { Config } from '../config.js';
import { produceExport } from '../exports/produce.js';
import type { ExportOrder, ProduceDependencies } from '../exports/production.js';
import type { ProductionEvents } from '../exports/sample-exports.js';
import { createLog } from '../observability/log.js';
import { RegistryError } from '../registry/errors.js';
import type { RegistryOptions } from '../registry/registry-options.js';
import { SampleReader } from '../registry/sample-reader.js';
import { type SentError, sentError } from '../registry/sent-error.js';
import { openStore } from '../store/open.js';
import type { Store } from '../store/store.js';
import { SAMPLE_WORKBOOK } from '../workbooks/print.js';
import { reportDamage, withConnections } from './compose-search.js';

/** Of a thread to PostgreSQL: one that reads, one to look up names before. */
const CONNECTIONS = '2';
/** Of each file's page cache: everything is read once. */
const CACHE_KIB = 2_000;

export interface ExportingData {
  config: Config;
  order: ExportOrder;
  path: string;
}

/** To the service. */
export type ProductionMessage = { counted: number } | { written: number } | { failed: SentError };

/** In the thread: makes one file. */
export async function runExporting(port: MessagePort, { config, order, path }: ExportingData): Promise<void> {
  const log = createLog(config.LOG_LEVEL, 'export');
  const store = await openStore(withConnections(config.STORE_URL, CONNECTIONS), {
    prefix: config.ACCESSION_PREFIX,
    onIndexDamage: reportDamage(log),
    cacheKiB: CACHE_KIB,
  });
  const deps = dependenciesOf(store, {
    prefix: config.ACCESSION_PREFIX,
    now: () => order.query.now,
    accountFieldAlias: config.ACCOUNT_FIELD_ALIAS,
  });
  const say = (message: ProductionMessage): void => port.postMessage(message);
  try {
    await produceFile(deps, order, path, {
      counted: (counted) => say({ counted }),
      written: (written) => say({ written }),
    });
  } catch (error) {
    if (!(error instanceof RegistryError)) log.error({ err: error }, 'a whole result failed');
    say({ failed: sentError(error) });
  } finally {
    await store.close();
  }
}

export const dependenciesOf = (store: Store, options: RegistryOptions): ProduceDependencies => {
  const reader = new SampleReader(store, options);
  return {
    store,
    prefix: options.prefix,
    document: (record, curated) => reader.document(record, curated),
    workbook: SAMPLE_WORKBOOK,
  };
};

export async function produceFile(
  deps: ProduceDependencies,
  order: ExportOrder,
  path: string,
  events: ProductionEvents,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  let written = 0;
  try {
    await produceExport(deps, order, {
      counted: events.counted,
      write: async (bytes) => {
        await file.appendFile(bytes);
        written += bytes.length;
        events.written(written);
      },
    });
  } finally {
    await file.close();
  }
}

/**
 * WIRING of whole results: each is made in a thread of its own with connections of its own, so that reading a million
 * samples holds up nobody, and its memory is gone with it.
 */
import { open } from 'node:fs/promises';
import { type MessagePort, Worker as Thread } from 'node:worker_threads';
import type { Config } from '../config.js';
import { type ExportOrder, type ProduceDependencies, produceExport } from '../exports/produce.js';
import type { Production, ProductionEvents, StartProduction } from '../exports/sample-exports.js';
import { createLog, type Logger } from '../observability/log.js';
import { type ErrorCode, RegistryError } from '../registry/errors.js';
import type { RegistryOptions } from '../registry/registry-options.js';
import { SampleReader } from '../registry/sample-reader.js';
import { openStore } from '../store/open.js';
import type { Store } from '../store/store.js';
import { SAMPLE_WORKBOOK } from '../workbooks/print.js';
import { reportDamage, withConnections } from './compose-search.js';

/** Of a thread to PostgreSQL: one that reads, one to look up names before. */
const CONNECTIONS = '2';
/** Of short-lived objects little is kept: a thread that may keep more takes as much, and is no quicker. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 2 };
/** Of each file's page cache: everything is read once. */
const CACHE_KIB = 2_000;

export interface ExportingData {
  config: Config;
  order: ExportOrder;
  path: string;
}

type Message =
  | { counted: number }
  | { written: number }
  | {
      failed: {
        code?: ErrorCode | string;
        extra?: Record<string, unknown>;
        message: string;
        stack?: string | undefined;
      };
    };

export interface Exporting {
  start: StartProduction;
  close(): Promise<void>;
}

export function exportApart(config: Config, log: Logger): Exporting {
  const running = new Set<Thread>();
  const start = (order: ExportOrder, path: string, events: ProductionEvents): Production => {
    const workerData: ExportingData = { config, order, path };
    const entry = new URL('../../workers/export-thread.js', import.meta.url);
    const thread = new Thread(entry, { workerData, resourceLimits: MEMORY });
    running.add(thread);
    const done = new Promise<void>((resolve, reject) => {
      thread.on('message', (message: Message) => {
        if ('counted' in message) events.counted(message.counted);
        else if ('written' in message) events.written(message.written);
        else reject(asError(message.failed));
      });
      thread.on('error', (error) => {
        log.error({ err: error }, 'a thread that makes a whole result failed');
        reject(interrupted());
      });
      thread.once('exit', (code) => {
        running.delete(thread);
        if (code === 0) resolve();
        else reject(interrupted());
      });
    });
    return { done, stop: async () => void (await thread.terminate()) };
  };
  return {
    start,
    close: async () => {
      await Promise.all([...running].map((thread) => thread.terminate()));
    },
  };
}

/** The same on the thread that asks, on a store that is open: for whoever runs the service inside a process of theirs. */
export function exportHere(store: Store, options: RegistryOptions): Exporting {
  return {
    start: (order, path, events) => ({
      done: produceFile(dependenciesOf(store, options), order, path, events),
      stop: async () => undefined,
    }),
    close: async () => undefined,
  };
}

const interrupted = (): RegistryError =>
  new RegistryError('service.unavailable', 'This result was interrupted while it was made; ask again.');

function asError({ code, extra, message, stack }: Extract<Message, { failed: unknown }>['failed']): Error {
  if (code?.includes('.')) {
    return new RegistryError(code as ErrorCode, message, extra === undefined ? {} : { extra });
  }
  return Object.assign(new Error(message), { ...(code ? { code } : {}), ...(stack ? { stack } : {}) });
}

/** In the thread: makes one file. */
export async function runExporting(port: MessagePort, { config, order, path }: ExportingData): Promise<void> {
  const log = createLog(config.LOG_LEVEL, 'export');
  const store = await openStore(withConnections(config.STORE_URL, CONNECTIONS), {
    prefix: config.ACCESSION_PREFIX,
    onIndexDamage: reportDamage(log),
    cacheKiB: CACHE_KIB,
  });
  const options = {
    prefix: config.ACCESSION_PREFIX,
    now: () => order.query.now,
    accountFieldAlias: config.ACCOUNT_FIELD_ALIAS,
  };
  const say = (message: Message): void => port.postMessage(message);
  try {
    await produceFile(dependenciesOf(store, options), order, path, {
      counted: (counted) => say({ counted }),
      written: (written) => say({ written }),
    });
  } catch (error) {
    const { code, message, stack, extra } = error as Error & { code?: string; extra?: Record<string, unknown> };
    if (!(error instanceof RegistryError)) log.error({ err: error }, 'a whole result failed');
    say({
      failed: { message, stack, ...(code === undefined ? {} : { code }), ...(extra === undefined ? {} : { extra }) },
    });
  } finally {
    await store.close();
  }
}

const dependenciesOf = (store: Store, options: RegistryOptions): ProduceDependencies => {
  const reader = new SampleReader(store, options);
  return {
    store,
    prefix: options.prefix,
    document: (record, curated) => reader.document(record, curated),
    workbook: SAMPLE_WORKBOOK,
  };
};

async function produceFile(
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

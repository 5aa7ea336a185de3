/** WIRING of the thread that makes the file of a whole result. */
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as immediate } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { partPath } from '../exports/growing-file.js';
import { PieceMemory } from '../exports/piece-memory.js';
import { produceExport, type Sharing } from '../exports/produce.js';
import type { ExportOrder, ExportOutput, ProduceDependencies } from '../exports/production.js';
import type { ProductionEvents } from '../exports/sample-exports.js';
import { createLog } from '../observability/log.js';
import { RegistryError } from '../registry/errors.js';
import type { RegistryOptions } from '../registry/registry-options.js';
import { SampleReader } from '../registry/samples/sample-reader.js';
import { sentError } from '../registry/sent-error.js';
import { openStore } from '../store/open.js';
import type { Store } from '../store/store.js';
import { SAMPLE_WORKBOOK } from '../workbooks/print.js';
import { reportDamage, withConnections } from './compose-search.js';
import type { ExportingData, ProductionMessage, SecondMessage } from './export-messages.js';
import { type SharedMaking, sharedWithSecond, sharingOfFirst } from './export-second-thread.js';

/** Of a thread to PostgreSQL: one that reads, one to look up names before. */
const CONNECTIONS = '2';
/** Of each file's page cache: everything is read once. */
const CACHE_KIB = 2_000;

/** Bytes of a part between two messages about it. */
const SAID_EVERY = 512 * 1024;

/** In the thread: makes one file, or some parts of it. */
export async function runExporting(port: MessagePort, data: ExportingData): Promise<void> {
  const { config, order, parts } = data;
  const log = createLog(config.LOG_LEVEL, 'export');
  const say = (message: ProductionMessage | SecondMessage): void =>
    port.postMessage(message, 'handed' in message ? [message.handed.buffer] : []);
  const events: ProductionEvents = {
    counted: (counted) => say({ counted }),
    handed: (part, handed) => say({ handed, part }),
    written: (part, written) => say({ written, part }),
    partEnded: (partEnded) => say({ partEnded }),
  };
  let store: Store | undefined;
  let shared: SharedMaking | undefined;
  try {
    store = await openStore(withConnections(config.STORE_URL, CONNECTIONS), {
      prefix: config.ACCESSION_PREFIX,
      onIndexDamage: reportDamage(log),
      cacheKiB: CACHE_KIB,
    });
    const deps = dependenciesOf(store, {
      prefix: config.ACCESSION_PREFIX,
      now: () => order.query.now,
      accountFieldAlias: config.ACCOUNT_FIELD_ALIAS,
    });
    shared = parts === undefined ? await sharedWithSecond(store, data, events) : undefined;
    const sharing = parts === undefined ? shared?.sharing : await sharingOfFirst(port, parts, say);
    const target = { path: data.path, memory: new PieceMemory(data.memory) };
    await produceFile(deps, order, target, events, sharing);
  } catch (error) {
    if (!(error instanceof RegistryError)) log.error({ err: error }, 'a whole result failed');
    say({ failed: sentError(error) });
  } finally {
    await shared?.stop();
    await store?.close();
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
  { path, memory }: { path: string; memory: PieceMemory },
  events: ProductionEvents,
  sharing?: Sharing,
): Promise<void> {
  let file: FileHandle | undefined;
  let [written, said] = [0, 0];
  const begun = async (part: number): Promise<FileHandle> => {
    file ??= await open(partPath(path, part), 'wx', 0o600);
    return file;
  };
  const close = async (): Promise<void> => {
    await file?.close();
    file = undefined;
    written = 0;
    said = 0;
  };
  const out: ExportOutput = {
    counted: events.counted,
    write: async (part, bytes) => {
      if (file === undefined && memory.take(bytes.length)) {
        events.handed(part, new Uint8Array(bytes));
        // What a second thread hands over comes through this one.
        await immediate();
        return;
      }
      await (await begun(part)).appendFile(bytes);
      written += bytes.length;
      if (written - said < SAID_EVERY) return;
      said = written;
      events.written(part, said);
    },
    ended: async (part) => {
      if (written > said) events.written(part, written);
      await close();
      events.partEnded(part);
    },
  };
  try {
    await produceExport(deps, order, out, sharing);
  } finally {
    await close();
  }
}

/** WIRING of the threads that make the file of a whole result: one, and for a large one another for its second half. */
import { on, once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import type { MessagePort } from 'node:worker_threads';
import type { Config } from '../config.js';
import { GrowingFile } from '../exports/growing-file.js';
import { produceExport, produceSecondHalf } from '../exports/produce.js';
import type { ExportOrder, ExportOutput, OtherHalf, ProduceDependencies } from '../exports/production.js';
import type { ProductionEvents } from '../exports/sample-exports.js';
import type { LeftOut } from '../exports/sheet-lines.js';
import { createLog } from '../observability/log.js';
import { RegistryError } from '../registry/errors.js';
import type { RegistryOptions } from '../registry/registry-options.js';
import { SampleReader } from '../registry/sample-reader.js';
import { receivedError, type SentError, sentError } from '../registry/sent-error.js';
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
  /** Of the thread that prints the second half: where the first asks it. */
  second?: { port: MessagePort };
}

/** To the service. */
export type ProductionMessage = { counted: number } | { written: number } | { divide: true } | { failed: SentError };
/** From the service, asked to divide: where the other thread is asked, if there is one. */
export interface OtherMessage {
  other: MessagePort | undefined;
}

/** From the first thread to the second, and back. */
type Asked = { moment: number } | { from: number };
type Answered = { begun: boolean } | { written: number } | { leftOut: LeftOut } | { failed: SentError };

/** Where the second half lies until the first has taken it. */
export const secondPath = (path: string): string => `${path}.second`;

/** In the thread: makes one file. */
export async function runExporting(port: MessagePort, data: ExportingData): Promise<void> {
  const { config, order, second } = data;
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
  try {
    if (second) await makeSecondHalf(second.port, deps, data);
    else await makeFile(port, deps, data);
  } catch (error) {
    if (!(error instanceof RegistryError)) log.error({ err: error }, 'a whole result failed');
    if (second) second.port.postMessage({ failed: sentError(error) } satisfies Answered);
    else port.postMessage({ failed: sentError(error) } satisfies ProductionMessage);
  } finally {
    await store.close();
    second?.port.close();
  }
}

async function makeFile(port: MessagePort, deps: ProduceDependencies, { order, path }: ExportingData): Promise<void> {
  const say = (message: ProductionMessage): void => port.postMessage(message);
  const otherHalf = async (): Promise<OtherHalf | undefined> => {
    say({ divide: true });
    const [{ other }] = (await once(port, 'message')) as [OtherMessage];
    return other && otherHalfAt(other, secondPath(path));
  };
  await produceFile({ ...deps, otherHalf }, order, path, {
    counted: (counted) => say({ counted }),
    written: (written) => say({ written }),
  });
}

async function makeSecondHalf(
  port: MessagePort,
  deps: ProduceDependencies,
  { order, path }: ExportingData,
): Promise<void> {
  const say = (message: Answered): void => port.postMessage(message);
  const messages = on(port, 'message');
  const asked = async <T extends Asked>(): Promise<T> => (await messages.next()).value[0];
  const file = await open(path, 'wx', 0o600);
  try {
    for (;;) {
      const { moment } = await asked<{ moment: number }>();
      const begun = async (): Promise<number> => {
        say({ begun: true });
        return (await asked<{ from: number }>()).from;
      };
      const output = writing(file, (written) => say({ written }));
      const leftOut = await produceSecondHalf(deps, order, { moment, begun }, output);
      if (leftOut) return say({ leftOut });
      say({ begun: false });
    }
  } finally {
    await file.close();
  }
}

/** The thread at the other end of the port, which writes into the file. */
function otherHalfAt(port: MessagePort, path: string): OtherHalf {
  const file = new GrowingFile(path);
  let answer: (begun: boolean) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  let leftOut: LeftOut | undefined;
  port.on('message', (message: Answered) => {
    if ('begun' in message) answer(message.begun);
    else if ('written' in message) file.grown(message.written);
    else if ('leftOut' in message) {
      leftOut = message.leftOut;
      file.end();
    } else {
      const error = receivedError(message.failed);
      fail(error);
      file.end({ error });
    }
  });
  const ask = (message: Asked): void => port.postMessage(message);
  return {
    begins: (moment) =>
      new Promise((resolve, reject) => {
        answer = resolve;
        fail = reject;
        ask({ moment });
      }),
    print: (from) => ask({ from }),
    printed: () => file.read(),
    leftOut: async () => leftOut ?? { count: 0, named: [] },
    end: () => port.close(),
  };
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
  try {
    await produceExport(deps, order, { counted: events.counted, ...writing(file, events.written) });
  } finally {
    await file.close();
  }
}

function writing(file: FileHandle, written: (bytes: number) => void): Pick<ExportOutput, 'write'> {
  let length = 0;
  return {
    write: async (bytes) => {
      await file.appendFile(bytes);
      length += bytes.length;
      written(length);
    },
  };
}

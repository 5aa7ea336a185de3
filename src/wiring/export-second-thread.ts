/**
 * WIRING of a second thread beside the one that makes a large result: both have the same moment and take its parts in turn
 * (docs/decisions/0128-large-results-are-made-by-two-threads.md). Where it cannot begin, the first one makes all of them.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { MessagePort, Worker as Thread } from 'node:worker_threads';
import { admit, isAdmitted, type PartLeftOut, type SharedParts, sharedParts, type Together } from '../exports/parts.js';
import type { Sharing } from '../exports/produce.js';
import type { ExportOrder } from '../exports/production.js';
import { isMadeOfLines } from '../exports/result-text.js';
import type { ProductionEvents } from '../exports/sample-exports.js';
import { RegistryError } from '../registry/errors.js';
import { needsIndex } from '../registry/samples/whole-result.js';
import { receivedError } from '../registry/sent-error.js';
import type { Store } from '../store/store.js';
import {
  EXPORT_MEMORY,
  type ExportingData,
  interrupted,
  type JoinMessage,
  type ProductionMessage,
  type SecondMessage,
} from './export-messages.js';
import { startThread } from './start-thread.js';

/** Samples from which on a second thread saves more than it takes to start. */
const LARGE = 100_000;
/** How long others may wait to write while the second thread joins the moment, and for it to have opened the store. */
const JOIN_MS = 1_000;
const START_MS = 10_000;

export interface SharedMaking {
  sharing: Sharing;
  stop(): Promise<void>;
}

/** In the first thread. Undefined where the result cannot be made in parts, or where there is one processor. */
export async function sharedWithSecond(
  store: Store,
  data: Omit<ExportingData, 'parts'>,
  events: ProductionEvents,
): Promise<SharedMaking | undefined> {
  if (!canBeShared(data.order) || availableParallelism() < 2) return undefined;
  const begin = async (): Promise<SecondThread | undefined> => {
    const span = await store.idSpan();
    if (span === undefined || span.upTo - span.after < LARGE) return undefined;
    return secondThread({ ...data, parts: sharedParts(span) }, events);
  };
  // A result that nothing narrows is as large as the store: the second thread starts while the first one counts.
  let second = isNarrowed(data.order) ? undefined : await begin();
  return {
    sharing: {
      moment: {
        isShared: async (count) => {
          if (count < LARGE) return false;
          second ??= await begin();
          return (await second?.ready()) ?? false;
        },
        share: async (moment) => second?.join(moment),
      },
      begun: () => second?.together(),
    },
    stop: async () => second?.stop(),
  };
}

const isNarrowed = ({ query: { accounts, ids, release, updated } }: ExportOrder): boolean =>
  [accounts, ids, release, updated].some((filter) => filter !== undefined);

const canBeShared = ({ format, query, countOnly }: ExportOrder): boolean =>
  !countOnly && isMadeOfLines(format) && !needsIndex(query);

/** Undefined where the machine cannot start one. */
function secondThread(...started: ConstructorParameters<typeof SecondThread>): SecondThread | undefined {
  try {
    return new SecondThread(...started);
  } catch (error) {
    if (error instanceof RegistryError) return undefined;
    throw error;
  }
}

class SecondThread {
  readonly #thread: Thread;
  readonly #parts: SharedParts;
  readonly #ended: Promise<void>;
  #joined = false;
  #leftOut: PartLeftOut[] | undefined;
  #failed: Error | undefined;
  #said: () => void = () => undefined;
  readonly #opened: Promise<void>;

  constructor(workerData: ExportingData & { parts: SharedParts }, events: ProductionEvents) {
    const entry = new URL('../../workers/export-thread.js', import.meta.url);
    this.#parts = workerData.parts;
    this.#thread = startThread(entry, { workerData, resourceLimits: EXPORT_MEMORY });
    // `once` of node:events rejects with an error that is emitted meanwhile, and nobody may be waiting yet.
    this.#ended = new Promise((resolve) => void this.#thread.once('exit', () => resolve()));
    this.#opened = new Promise((resolve) => {
      this.#said = resolve;
    });
    this.#thread.on('error', (error) => {
      this.#failed ??= error;
    });
    this.#thread.on('message', (message: ProductionMessage | SecondMessage) => {
      if ('handed' in message) events.handed(message.part, message.handed);
      else if ('written' in message) events.written(message.part, message.written);
      else if ('partEnded' in message) events.partEnded(message.partEnded);
      else if ('failed' in message) this.#failed = receivedError(message.failed);
      else if ('leftOut' in message) this.#leftOut = message.leftOut;
      else this.#said();
    });
  }

  /** Resolves when it has opened the store; false when it ended instead, or takes longer. */
  ready(): Promise<boolean> {
    return this.#inTime(this.#opened, START_MS);
  }

  async join(moment: string): Promise<void> {
    const said = new Promise<void>((resolve) => {
      this.#said = resolve;
    });
    const joined = this.#inTime(said, JOIN_MS);
    this.#thread.postMessage({ moment } satisfies JoinMessage);
    this.#joined = await joined;
    admit(this.#parts, this.#joined);
  }

  /** Undefined where it did not join. */
  together(): Together | undefined {
    if (!this.#joined) return undefined;
    return { parts: this.#parts, requireOthers: () => this.#requireIntact(), others: () => this.#others() };
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }

  async #others(): Promise<PartLeftOut[]> {
    await this.#ended;
    this.#requireIntact();
    if (this.#leftOut === undefined) throw interrupted();
    return this.#leftOut;
  }

  #requireIntact(): void {
    if (this.#failed !== undefined) throw this.#failed instanceof RegistryError ? this.#failed : interrupted();
  }

  #inTime(said: Promise<void>, patienceMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, patienceMs, false);
      const answer = (isSo: boolean): void => {
        clearTimeout(late);
        resolve(isSo);
      };
      void said.then(() => answer(true));
      void this.#ended.then(() => answer(false));
    });
  }
}

/** In the second thread: waits for the moment. */
export async function sharingOfFirst(
  port: MessagePort,
  parts: SharedParts,
  say: (message: SecondMessage) => void,
): Promise<Sharing> {
  const asked = once(port, 'message');
  say({ ready: true });
  const [{ moment }] = (await asked) as [JoinMessage];
  return {
    moment: {
      join: moment,
      joined: () => {
        say({ joined: true });
        // From here on the first thread counts on what this one makes.
        if (!isAdmitted(parts, JOIN_MS)) throw interrupted();
      },
    },
    begun: () => ({ parts, madeParts: (leftOut) => say({ leftOut }) }),
  };
}

/**
 * WIRING of searching: it runs in a thread with connections of its own, so that an expensive search holds up other
 * searches at most. What waits is bounded, and what takes too long is stopped (registry/search/search-store.ts).
 */
import type { MessagePort, Worker as Thread } from 'node:worker_threads';
import type { Config } from '../config.js';
import { createLog, type Logger } from '../observability/log.js';
import { RegistryError } from '../registry/errors.js';
import type { FoundPage, SearchQuery, SearchStart, SearchStore } from '../registry/search/search-store.js';
import { receivedError, type SentError, sentError } from '../registry/sent-error.js';
import { openStore } from '../store/open.js';
import { startThread } from './start-thread.js';

/** Searches handed to the thread and not answered; SQLite does one after the other. */
const AT_ONCE = 200;
/** Connections of the thread to PostgreSQL. */
const CONNECTIONS = '4';
const MEMORY = { maxOldGenerationSizeMb: 96 };

export interface SearchingData {
  config: Config;
}

interface Asked {
  id: number;
  query: SearchQuery;
  start: SearchStart;
}

type Answered = { id: number; page: FoundPage } | { id: number; error: SentError };

export interface Searching extends Pick<SearchStore, 'findSamples'> {
  close(): Promise<void>;
}

interface Waiting {
  resolve(page: FoundPage): void;
  reject(error: Error): void;
}

/** Starts the thread with the first search, and anew with the next one when it has ended. */
export function searchApart(config: Config, log: Logger): Searching {
  const waiting = new Map<number, Waiting>();
  let thread: Thread | undefined;
  let last = 0;

  const start = (): Thread => {
    const workerData: SearchingData = { config };
    const entry = new URL('../../workers/search-thread.js', import.meta.url);
    const started = startThread(entry, { workerData, resourceLimits: MEMORY });
    started.on('message', (answer: Answered) => {
      const asker = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('page' in answer) asker?.resolve(answer.page);
      else asker?.reject(receivedError(answer.error));
    });
    started.on('error', (error) => log.error({ err: error }, 'the thread that searches failed'));
    started.once('exit', () => {
      if (thread === started) thread = undefined;
      for (const { reject } of waiting.values()) reject(unavailable('The search was interrupted; ask again.'));
      waiting.clear();
    });
    return started;
  };

  return {
    findSamples: (query, from) =>
      new Promise((resolve, reject) => {
        if (waiting.size >= AT_ONCE) {
          reject(unavailable(`${AT_ONCE} searches are waiting already; ask again in some seconds.`));
          return;
        }
        thread ??= start();
        const id = ++last;
        waiting.set(id, { resolve, reject });
        thread.postMessage({ id, query, start: from } satisfies Asked);
      }),
    close: async () => {
      await thread?.terminate();
    },
  };
}

/** A damaged index is replaced and filled anew: the log says where the old one is kept. */
export const reportDamage = (log: Logger) => (aside: string, reason: unknown) =>
  log.error({ err: reason, aside }, 'the search index was damaged: it was set aside, and a new one is filled');

const unavailable = (message: string): RegistryError => new RegistryError('service.unavailable', message);

/** In the thread: answers until it is ended. */
export async function runSearching(port: MessagePort, { config }: SearchingData): Promise<void> {
  const log = createLog(config.LOG_LEVEL, 'search');
  const store = await openStore(withConnections(config.STORE_URL, CONNECTIONS), {
    prefix: config.ACCESSION_PREFIX,
    onIndexDamage: reportDamage(log),
  });
  port.on('message', ({ id, query, start }: Asked) => {
    const say = (answer: Answered) => port.postMessage(answer);
    store.findSamples(query, start).then(
      (page) => say({ id, page }),
      (error: Error) => {
        if (!(error instanceof RegistryError)) log.error({ err: error }, 'a search failed');
        say({ id, error: sentError(error) });
      },
    );
  });
}

/** The store's address for a thread beside the service, which needs few connections. */
export function withConnections(url: string, connections: string): string {
  if (url.startsWith('sqlite:')) return url;
  const address = new URL(url);
  address.searchParams.set('pool', connections);
  return address.href;
}

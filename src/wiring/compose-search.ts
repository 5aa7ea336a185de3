/**
 * WIRING of searching: it runs in a thread with connections of its own, so that an expensive search holds up other
 * searches at most: callers take turns (limits/turns.ts). What waits is bounded, and what takes too long is stopped (registry/search/search-store.ts).
 */
import type { MessagePort, Worker as Thread } from 'node:worker_threads';
import type { Config } from '../config.js';
import { askerOf } from '../limits/network.js';
import { Turns } from '../limits/turns.js';
import { createLog, type Logger } from '../observability/log.js';
import { RegistryError } from '../registry/errors.js';
import type { FoundPage, SearchQuery, SearchStart, SearchStore } from '../registry/search/search-store.js';
import { receivedError, type SentError, sentError } from '../registry/sent-error.js';
import { openStore } from '../store/open.js';
import { startThread } from './start-thread.js';

/** Searches that wait, of one account or, without a token, one network, and in all. */
const WAITING = { ofOne: 100, inAll: 400 };
/** Connections of the thread to PostgreSQL. */
const CONNECTIONS = 4;
/** Searches that are in the thread; SQLite does one after the other, and has the next at hand. */
const inThread = (config: Config): number => (isSqlite(config.STORE_URL) ? 2 : CONNECTIONS);
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

interface Search extends Waiting {
  query: SearchQuery;
  from: SearchStart;
}

/** Starts the thread with the first search, and anew with the next one when it has ended. `begin`: for tests. */
export function searchApart(config: Config, log: Logger, begin = startThread): Searching {
  const turns = new Turns<Search>(WAITING);
  const most = inThread(config);
  const waiting = new Map<number, Waiting>();
  let thread: Thread | undefined;
  let last = 0;
  let closing = false;

  const start = (): Thread => {
    const workerData: SearchingData = { config };
    const entry = new URL('../../workers/search-thread.js', import.meta.url);
    const started = begin(entry, { workerData, resourceLimits: MEMORY });
    started.on('message', (answer: Answered) => {
      const asker = waiting.get(answer.id);
      waiting.delete(answer.id);
      handOver();
      if ('page' in answer) asker?.resolve(answer.page);
      else asker?.reject(receivedError(answer.error));
    });
    started.on('error', (error) => log.error({ err: error }, 'the thread that searches failed'));
    started.once('exit', () => {
      if (thread === started) thread = undefined;
      for (const { reject } of waiting.values()) reject(unavailable('The search was interrupted; ask again.'));
      waiting.clear();
      if (!closing) handOver();
    });
    return started;
  };
  const handOver = (): void => {
    while (waiting.size < most) {
      const next = turns.next();
      if (next === undefined) return;
      const { query, from, ...asker } = next;
      try {
        thread ??= start();
      } catch (error) {
        asker.reject(error as Error);
        continue;
      }
      const id = ++last;
      waiting.set(id, asker);
      thread.postMessage({ id, query, start: from } satisfies Asked);
    }
  };

  return {
    findSamples: (query, from) =>
      new Promise((resolve, reject) => {
        const bound = turns.add(askerOf(query.reader, query.network), { query, from, resolve, reject });
        if (bound === undefined) handOver();
        else reject(unavailable(TOO_MANY[bound]));
      }),
    close: async () => {
      closing = true;
      for (let next = turns.next(); next; next = turns.next()) next.reject(unavailable('The service stops.'));
      await thread?.terminate();
    },
  };
}

/** A damaged index is replaced and filled anew: the log says where the old one is kept. */
export const reportDamage = (log: Logger) => (aside: string, reason: unknown) =>
  log.error({ err: reason, aside }, 'the search index was damaged: it was set aside, and a new one is filled');

const TOO_MANY = {
  'of one': `${WAITING.ofOne} of your searches are waiting already; ask again in some seconds.`,
  'in all': `${WAITING.inAll} searches are waiting already; ask again in some seconds.`,
};

const unavailable = (message: string): RegistryError => new RegistryError('service.unavailable', message);

/** In the thread: answers until it is ended. */
export async function runSearching(port: MessagePort, { config }: SearchingData): Promise<void> {
  const log = createLog(config.LOG_LEVEL, 'search');
  const store = await openStore(withConnections(config.STORE_URL, String(CONNECTIONS)), {
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

const isSqlite = (url: string): boolean => url.startsWith('sqlite:');

/** The store's address for a thread beside the service, which needs few connections. */
export function withConnections(url: string, connections: string): string {
  if (isSqlite(url)) return url;
  const address = new URL(url);
  address.searchParams.set('pool', connections);
  return address.href;
}

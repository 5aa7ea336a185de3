/** The processes of a site: a server, workers and an indexer, each over its own connection to the one store; and where there are webhooks, a second server. */
import { openFilesystemBlobs } from '../../src/blobs/filesystem.js';
import { EmbeddedQueue } from '../../src/queue/embedded.js';
import { SampleFeed } from '../../src/registry/changes/sample-feed.js';
import { Registry } from '../../src/registry/registry.js';
import { SampleSearch } from '../../src/registry/search/sample-search.js';
import type { Store } from '../../src/store/store.js';
import type { Blobs } from '../../src/submissions/blobs.js';
import type { ProcessingDependencies } from '../../src/submissions/processing/processing.js';
import { startWorker } from '../../src/submissions/processing/work.js';
import type { Queue } from '../../src/submissions/queue.js';
import { Results } from '../../src/submissions/results/results.js';
import { Uploads } from '../../src/submissions/uploads/uploads.js';
import { startDelivering } from '../../src/webhooks/deliver.js';
import { startFollowing } from '../../src/webhooks/follow.js';
import { Webhooks } from '../../src/webhooks/webhooks.js';
import { Claims } from './claims.js';
import { scheduled } from './ports.js';
import { Receivers } from './receivers.js';
import { HEAVEN, Life, type World } from './world.js';

export const PREFIX = 'SAMR';
export const BATCH_ROWS = 3;
/** No client asks it anything: it calls webhooks, as every server does. */
export const SECOND_SERVER = 'server-2';
export const LEASE_MS = 6000;
const LOOK_EVERY_MS = 2000;
const INDEX_EVERY_MS = 700;
export const SMALL = { bytes: 420, rows: 6 };
export const RULES = { maxAttempts: 3, outsideMs: 3_600_000 };

/** Ports of one process. A planted bug changes what it likes here. */
export interface Ports {
  store: Store;
  blobs: Blobs;
  queue: Queue;
}

/** How a site may be broken on purpose; absent where it is as it should be. */
export interface Planted {
  /** Around the ports of each process, within what is scheduled. */
  ports?(ports: Ports, life: Life, world: World): Ports;
  worker?(deps: ProcessingDependencies, world: World): ProcessingDependencies;
}

export interface Services {
  life: Life;
  store: Store;
  registry: Registry;
  search: SampleSearch;
  feed: SampleFeed;
  uploads: Uploads;
  results: Results;
  webhooks: Webhooks;
}

export class Site {
  server: Services | undefined;
  readonly lives = new Map<string, Life>();
  readonly claims = new Claims();
  #births = 0;
  #bells = new Map<Life, EmbeddedQueue>();
  readonly receivers: Receivers;
  /** Share of the messages between processes that is lost, and that comes twice. */
  lost = 0;
  twice = 0;

  constructor(
    readonly world: World,
    private readonly place: { openStore: (now: () => number) => Promise<Store>; blobs: string },
    private readonly planted: Planted,
    /** Where nobody has a webhook, the server does not look for what is to be sent. */
    private readonly parts: { workers: number; withWebhooks: boolean },
  ) {
    this.receivers = new Receivers(world);
  }

  get names(): string[] {
    const { workers, withWebhooks } = this.parts;
    return [
      'server',
      'indexer',
      ...Array.from({ length: workers }, (_, n) => `worker-${n + 1}`),
      ...(withWebhooks ? [SECOND_SERVER] : []),
    ];
  }

  /** Begins a process; it is there a while later. */
  start(name: string): void {
    const life = new Life(name);
    this.lives.set(name, life);
    this.world.after(this.world.latency(), life, 'starts', () => {
      this.#begin(life).catch((error: unknown) => {
        this.world.note(name, `could not start: ${(error as Error).message}`);
        this.end(name);
        this.world.after(1000, HEAVEN, '', () => this.start(name));
      });
    });
  }

  /** Kills a process between two events; the answer says whether it was there. */
  end(name: string): boolean {
    const life = this.lives.get(name);
    if (!life?.alive) return false;
    this.world.end(life);
    if (name === 'server') this.server = undefined;
    this.#bells.delete(life);
    return true;
  }

  async #begin(life: Life): Promise<void> {
    const { world } = this;
    const store = await this.place.openStore(() => world.wallClock(life));
    life.atEnd.push(() => void store.close());
    if (life.name === 'indexer')
      return this.#index(life, this.#portsOf(life, { store, blobs: {} as Blobs, queue: {} as Queue }));
    const queue = this.#bell(life);
    const blobs = await openFilesystemBlobs(this.place.blobs);
    const ports = this.#portsOf(life, { store, blobs, queue });
    if (life.name === 'server') this.#serve(life, ports);
    else if (life.name === SECOND_SERVER) this.#callWebhooks(life, this.#readersOf(life, ports.store));
    else this.#work(life, ports);
  }

  #portsOf(life: Life, ports: Ports): Ports {
    const { store, blobs, queue } = this.planted.ports?.(ports, life, this.world) ?? ports;
    const watched = life.name.startsWith('worker') ? { ...store, ...this.claims.watch(store) } : store;
    // Operations of the disk are events already, and rings are when they travel.
    return {
      store: scheduled(this.world, life, 'store', watched),
      blobs,
      queue: {
        publish: (ring) => queue.publish(ring),
        consume: (lane, concurrency, handle) => queue.consume(lane, concurrency, handle),
        announce: (id) => queue.announce(id),
        waitFor: (id, ms) => queue.waitFor(id, ms),
        check: () => queue.check(),
        close: () => queue.close(),
      },
    };
  }

  #serve(life: Life, { store, blobs, queue }: Ports): void {
    const now = (): number => this.world.wallClock(life);
    const registry = new Registry(store, { prefix: PREFIX, now });
    const uploads = new Uploads({
      store,
      blobs,
      queue,
      prefix: PREFIX,
      limits: SMALL,
      maxUploadBytes: 100_000,
      waitMs: 20_000,
      now,
    });
    const { search, feed } = this.#readersOf(life, store);
    const results = new Results({ store, blobs, prefix: PREFIX });
    const webhooks = new Webhooks({ store, feed, prefix: PREFIX, allowPrivate: false, now });
    if (this.parts.withWebhooks) this.#callWebhooks(life, { store, feed, search });
    this.server = { life, store, registry, search, feed, uploads, results, webhooks };
  }

  #readersOf(life: Life, store: Store): Pick<Services, 'store' | 'search' | 'feed'> {
    const options = { prefix: PREFIX, now: () => this.world.wallClock(life) };
    const search = new SampleSearch(store, new Registry(store, options), options);
    return { store, search, feed: new SampleFeed(store, options) };
  }

  /** As src/wiring/compose-side.ts goes about it. */
  #callWebhooks(life: Life, { store, feed, search }: Pick<Services, 'store' | 'feed' | 'search'>): void {
    const { world } = this;
    const now = (): number => world.wallClock(life);
    const failed = (error: unknown): void => world.note(life.name, `webhooks: ${(error as Error).message}`);
    const following = startFollowing({ store, feed, search, now }, failed);
    startDelivering(
      {
        store,
        submissions: store,
        changes: { feed, search },
        allowPrivate: false,
        baseUrl: '',
        now,
        post: this.receivers.wayFrom(life),
        onAttempt: ({ changes }, { state }) => {
          if (changes && state === 'delivered') following.nudge();
        },
      },
      failed,
    );
  }

  #work(life: Life, { store, blobs, queue }: Ports): void {
    const { world } = this;
    const deps: ProcessingDependencies = {
      store,
      blobs,
      queue,
      prefix: PREFIX,
      batchRows: BATCH_ROWS,
      leaseMs: LEASE_MS,
      now: () => world.wallClock(life),
      rules: RULES,
      events: {
        claimLost: ({ submission, attempt }) => {
          this.claims.takenOver.push(`${life.name} lost its claim ${attempt} of ${submission.id}`);
          world.note(life.name, `lost its claim ${attempt} of ${submission.id.slice(0, 4)}`);
        },
        takenOver: (id) => this.claims.takenOver.push(`${life.name} took over ${id}`),
        failed: ({ submission }, error) =>
          world.note(life.name, `failed at ${submission.id.slice(0, 4)}: ${(error as Error).message}`),
        ended: ({ id, state }) => world.note(life.name, `ended ${id.slice(0, 4)}: ${state}`),
      },
    };
    startWorker(this.planted.worker?.(deps, world) ?? deps, {
      name: `${life.name}.${++this.#births}`,
      concurrency: { small: 2, large: 1 },
      lookEveryMs: LOOK_EVERY_MS,
    });
  }

  /** As src/wiring/compose-indexer.ts goes about it in its thread. */
  #index(life: Life, { store }: Ports): void {
    const { world } = this;
    const step = (): void => {
      store.indexNext(3).then(
        ({ more }) => void world.after(more ? 0.1 : INDEX_EVERY_MS, life, '', step),
        (error: unknown) => {
          world.note(life.name, `indexing failed: ${(error as Error).message}`);
          world.after(INDEX_EVERY_MS, life, '', step);
        },
      );
    };
    step();
  }

  /** The bell of a single machine, whose messages to the others are events: late, lost or repeated. */
  #bell(life: Life): EmbeddedQueue {
    const { world } = this;
    const queue = new EmbeddedQueue();
    queue.join({
      send: (message) => {
        for (const [other, heard] of this.#bells) {
          if (other === life || (life.name !== 'server' && other.name !== 'server')) continue;
          const times = world.random.chance(this.lost) ? 0 : world.random.chance(this.twice) ? 2 : 1;
          for (let time = 0; time < times; time++) {
            world.after(world.latency(), other, `hears ${message.bell}`, () => hear(heard, message));
          }
        }
      },
      onMessage: (listener) => listeners.set(queue, listener),
    });
    this.#bells.set(life, queue);
    return queue;
  }
}

type Listener = Parameters<Parameters<EmbeddedQueue['join']>[0]['onMessage']>[0];
const listeners = new WeakMap<EmbeddedQueue, Listener>();
const hear = (queue: EmbeddedQueue, message: Parameters<Listener>[0]): void => listeners.get(queue)?.(message);

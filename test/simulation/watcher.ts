/** Looks at a site from outside, over a connection of its own: waits for its rest and asks about its end. */
import { openFilesystemBlobs } from '../../src/blobs/filesystem.js';
import { SampleFeed } from '../../src/registry/changes/sample-feed.js';
import type { Store } from '../../src/store/store.js';
import type { Blobs } from '../../src/submissions/blobs.js';
import { isFinal, type Submission } from '../../src/submissions/submission.js';
import { latestPlace } from '../../src/webhooks/follow.js';
import { PREFIX } from './processes.js';
import { Life, type World } from './world.js';

export interface Seen {
  store: Store;
  blobs: Blobs;
  /** Milliseconds since 1970. */
  now: () => number;
}

const LOOK_EVERY_MS = 700;
/** Longer than any lease, wait before a next try and clock that was set back, together. */
const REST_MS = 15 * 60_000;

export class Watcher {
  readonly #life = new Life('watcher', true);
  #opened: Promise<Seen> | undefined;

  constructor(
    private readonly world: World,
    private readonly openStore: (now: () => number) => Promise<Store>,
    private readonly withWebhooks: boolean,
  ) {}

  /** Resolves when every submission has ended and the index has all; else to what has not. */
  async atRest(maxEvents: number): Promise<{ waiting: string[] } | { rested: true }> {
    const { world } = this;
    const until = world.now + REST_MS;
    let waiting: string[] = ['never looked'];
    const look = (): void => {
      this.#open()
        .then(async (seen) => {
          waiting = await notAtRest(seen.store);
          if (this.withWebhooks && waiting.length === 0) waiting = await notSent(seen);
        })
        .catch((error: unknown) => {
          waiting = [`The store cannot be read: ${(error as Error).message}`];
        })
        .finally(() => world.after(LOOK_EVERY_MS, this.#life, '', look));
    };
    world.after(0, this.#life, '', look);
    await world.run(() => waiting.length === 0 || world.now > until, maxEvents);
    return waiting.length === 0 ? { rested: true } : { waiting };
  }

  /** What `work` answers, in events of the world. */
  async ask<T>(work: (seen: Seen) => Promise<T>): Promise<T> {
    let answer: { value: T } | { error: unknown } | undefined;
    this.world.after(0, this.#life, '', () => {
      this.#open()
        .then(work)
        .then((value) => {
          answer = { value };
        })
        .catch((error: unknown) => {
          answer = { error };
        });
    });
    await this.world.run(() => answer !== undefined, Number.POSITIVE_INFINITY);
    if (answer === undefined) throw new Error('the world has come to an end');
    if ('error' in answer) throw answer.error;
    return answer.value;
  }

  close(): void {
    this.world.end(this.#life);
  }

  #open(): Promise<Seen> {
    const now = (): number => this.world.wallClock(undefined);
    this.#opened ??= Promise.all([this.openStore(now), openFilesystemBlobs('/blobs')]).then(([store, blobs]) => {
      this.#life.atEnd.push(() => void store.close());
      return { store, blobs, now };
    });
    return this.#opened;
  }
}

/** All submissions, the newest first. */
export async function allSubmissions(store: Store): Promise<Submission[]> {
  return store.list({ size: 10_000 });
}

async function notAtRest(store: Store): Promise<string[]> {
  const active = (await allSubmissions(store)).filter(({ state }) => !isFinal(state));
  const { lag } = await store.indexState();
  return [
    ...active.map(
      ({ id, phase, attempts, cursor }) =>
        `I1: Submission ${id} does not end: ${phase}, attempt ${attempts}, at line ${cursor}.`,
    ),
    ...(lag > 0 ? [`The index does not take in ${lag} changes.`] : []),
  ];
}

async function notSent({ store, now }: Seen): Promise<string[]> {
  const { waiting } = await store.deliveryBacklog();
  const latest = await latestPlace(new SampleFeed(store, { prefix: PREFIX, now }));
  const behind = await store.followers(latest, 1);
  return [
    ...(waiting > 0 ? [`${waiting} messages of webhooks are not sent.`] : []),
    ...behind.map(
      ({ id, cursor }) => `Webhook ${id} has heard of changes up to ${cursor}, and there are some up to ${latest}.`,
    ),
  ];
}

/**
 * The doorbell of many machines, on BullMQ. Redis holds nothing that is not in the store: it may be lost, emptied or
 * away at any time. Then `publish` rejects within about a second, and consumers fall back to asking the store.
 */
import { randomUUID } from 'node:crypto';
import { Queue as BullQueue } from 'bullmq';
import { RegistryError } from '../registry/errors.js';
import type { Consumer, Queue, Ring } from '../submissions/queue.js';
import type { Lane } from '../submissions/submission.js';
import { BullConsumer } from './bullmq-consumer.js';
import { Endings } from './endings.js';
import {
  connectRedis,
  parseRedisAddress,
  type RedisAddress,
  type RedisClient,
  type RedisPatience,
} from './redis-address.js';

export interface BullmqOptions {
  /** Informed of connection errors and of failed handlers; for the log. */
  onError?: (error: Error) => void;
  /** How often a consumer calls its handler without having been rung. */
  pollMs?: number;
  /** How long a publisher waits for Redis; a second unless given. */
  patienceMs?: number;
}

/** How long a publisher waits for Redis before the upload goes on without having rung. */
const PATIENCE_MS = 1000;

/** Names of the BullMQ queues, one per lane: small uploads never wait behind large ones. */
const laneQueueName = (lane: Lane): string => `submissions-${lane}`;

export class BullmqQueue implements Queue {
  private readonly address: RedisAddress;
  private readonly onError: (error: Error) => void;
  /** For rings, word of endings and the health check: refuses at once what it cannot send, instead of keeping it. */
  private readonly publisher: RedisClient;
  private readonly bells = new Map<Lane, BullQueue>();
  private readonly endings: Endings;
  private readonly consumers = new Set<BullConsumer>();
  /** The last connection error since Redis was ready; while there is one, nobody waits. */
  private away: Error | undefined;
  private closing: Promise<void> | undefined;
  private readonly patienceMs: number;

  constructor(
    url: string,
    private readonly options: BullmqOptions = {},
  ) {
    this.address = parseRedisAddress(url);
    this.patienceMs = options.patienceMs ?? PATIENCE_MS;
    this.onError = onceAMinute(options.onError ?? (() => undefined));
    this.publisher = this.connect({
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: this.patienceMs,
    });
    this.publisher.on('error', (error: Error) => {
      this.away = error;
    });
    this.publisher.on('ready', () => {
      this.away = undefined;
    });
    this.endings = new Endings(this.address.prefix, this.publisher, () => this.connect({ maxRetriesPerRequest: null }));
  }

  async publish({ submissionId, lane, account }: Ring): Promise<void> {
    await this.whileReachable(async () => {
      // A job whose id is still known, even as completed, would be ignored without a word: no id is used twice.
      const jobId = `${submissionId}-${randomUUID().slice(0, 8)}`.replaceAll(':', '.');
      await this.bell(lane).add('ring', { submissionId, account }, { jobId });
    }).catch((error) => {
      // Whoever rings goes on without: a Redis that is full, or is a replica by now, would be noticed by nobody.
      this.onError(error);
      throw error;
    });
  }

  consume(lane: Lane, concurrency: number, handle: () => Promise<void>): Consumer {
    const consumer = new BullConsumer({
      queueName: laneQueueName(lane),
      prefix: this.address.prefix,
      concurrency,
      handle,
      pollMs: this.options.pollMs ?? 5000,
      connect: () => this.connect({ maxRetriesPerRequest: null }),
      onError: this.onError,
    });
    this.consumers.add(consumer);
    return {
      stop: async () => {
        await consumer.stop();
        this.consumers.delete(consumer);
      },
    };
  }

  async announce(submissionId: string): Promise<void> {
    await this.whileReachable(() => this.endings.announce(submissionId)).catch(this.onError);
  }

  waitFor(submissionId: string, timeoutMs: number): Promise<boolean> {
    return this.endings.wait(submissionId, timeoutMs);
  }

  async check(): Promise<void> {
    await this.whileReachable(() => this.endings.check());
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    await Promise.all([...this.consumers].map((consumer) => consumer.stop()));
    this.endings.close();
    this.publisher.disconnect();
    await Promise.all([...this.bells.values()].map((bell) => bell.close().catch(() => undefined)));
  }

  private connect(patience: RedisPatience): RedisClient {
    return connectRedis(this.address, patience, this.onError);
  }

  private bell(lane: Lane): BullQueue {
    const known = this.bells.get(lane);
    if (known) return known;
    const bell = new BullQueue(laneQueueName(lane), {
      connection: this.publisher,
      prefix: this.address.prefix,
      skipVersionCheck: true,
      skipWaitingForReady: true,
      // Rings carry no work: a failed one is tried again for two minutes, then the consumers' own rounds suffice.
      defaultJobOptions: {
        attempts: 8,
        backoff: { type: 'exponential', delay: 1000, jitter: 0.5 },
        removeOnComplete: true,
        removeOnFail: { age: 24 * 3600, count: 1000 },
      },
      streams: { events: { maxLen: 1000 } },
    });
    bell.on('error', this.onError);
    this.bells.set(lane, bell);
    return bell;
  }

  /** @throws RegistryError service.unavailable, within about a second */
  private async whileReachable<T>(work: () => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${this.patienceMs} ms`)), this.patienceMs);
    });
    try {
      return await Promise.race([this.whenReady().then(work), patience]);
    } catch (error) {
      const reason = this.away?.message || (error as Error).message;
      const what = (error as Error).name === 'ReplyError' ? 'takes no rings' : 'is away';
      throw new RegistryError('service.unavailable', `Redis, which carries the queue, ${what}: ${reason}`, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  private async whenReady(): Promise<void> {
    if (this.publisher.status === 'ready') return;
    if (this.away) throw this.away;
    await new Promise<void>((resolve, reject) => {
      const settle = (): void => {
        this.publisher.off('ready', settle);
        this.publisher.off('error', settle);
        this.publisher.off('end', settle);
        if (this.publisher.status === 'ready') resolve();
        else reject(this.away ?? new Error('the connection is closed'));
      };
      this.publisher.once('ready', settle).once('error', settle).once('end', settle);
      if (this.publisher.status === 'end') settle();
    });
  }
}

/** Every connection that tries again each second would tell the same. */
function onceAMinute(tell: (error: Error) => void): (error: Error) => void {
  const reported = new Map<string, number>();
  return (error) => {
    const now = performance.now();
    if (now - (reported.get(error.message) ?? Number.NEGATIVE_INFINITY) < 60_000) return;
    if (reported.size > 100) reported.clear();
    reported.set(error.message, now);
    tell(error);
  };
}

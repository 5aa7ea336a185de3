/**
 * One consumer of one lane: a BullMQ worker that runs the handler per ring, and a round that runs it without a ring
 * every few seconds, so that lost rings cost seconds and an absent Redis stops nobody.
 */
import { Worker } from 'bullmq';
import type { RedisClient } from './redis-address.js';

export interface BullConsumerOptions {
  queueName: string;
  prefix: string;
  concurrency: number;
  handle: () => Promise<void>;
  pollMs: number;
  connect: () => RedisClient;
  onError: (error: Error) => void;
}

/** How long a stopping consumer waits for Redis to acknowledge rings that have been handled. */
const FAREWELL_MS = 2000;

export class BullConsumer {
  private readonly connection: RedisClient;
  private readonly worker: Worker;
  private readonly rounds: NodeJS.Timeout;
  private readonly running = new Set<Promise<void>>();
  /** Rings that found every place taken by a round. */
  private readonly queue: (() => void)[] = [];
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: BullConsumerOptions) {
    this.connection = options.connect();
    this.worker = new Worker(options.queueName, () => this.onRing(), {
      connection: this.connection,
      prefix: options.prefix,
      concurrency: options.concurrency,
      skipVersionCheck: true,
      // A handler may be busy for long, or be interrupted by anything: its ring is then simply handed out again.
      lockDuration: 60_000,
      stalledInterval: 15_000,
      maxStalledCount: 1_000,
      runRetryDelay: 1000,
      drainDelay: 5,
    });
    this.worker.on('error', options.onError);
    this.worker.on('failed', (_job, error) => options.onError(error));
    this.rounds = setInterval(() => this.onRound(), options.pollMs * (0.9 + Math.random() * 0.2));
  }

  /** Takes no further rings; resolves when the running handlers have ended, whether or not Redis is there. */
  stop(): Promise<void> {
    this.stopped ??= this.shutDown();
    return this.stopped;
  }

  private async shutDown(): Promise<void> {
    clearInterval(this.rounds);
    const closed = this.worker.close().catch(this.options.onError);
    for (const proceed of this.queue.splice(0)) proceed();
    await Promise.allSettled(this.running);
    let timer: NodeJS.Timeout | undefined;
    const farewell = new Promise((resolve) => {
      timer = setTimeout(resolve, FAREWELL_MS);
    });
    await Promise.race([closed, farewell]);
    clearTimeout(timer);
    this.worker.disconnect().catch(() => undefined);
    this.connection.disconnect();
  }

  private async onRing(): Promise<void> {
    while (this.running.size >= this.options.concurrency && !this.stopped) {
      await new Promise<void>((proceed) => this.queue.push(proceed));
    }
    if (this.stopped) throw new Error('this consumer is stopping; the ring goes to another');
    await this.run();
  }

  private onRound(): void {
    if (this.running.size < this.options.concurrency) this.run().catch(this.options.onError);
  }

  private async run(): Promise<void> {
    const turn = this.options.handle();
    this.running.add(turn);
    try {
      await turn;
    } finally {
      this.running.delete(turn);
      this.queue.shift()?.();
    }
  }
}

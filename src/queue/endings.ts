/**
 * Word across machines that a submission has ended: published on one channel, and kept for a minute under a key of
 * its own that waiters look at every second, so that one which was not listening at that moment still hears it.
 */
import type { RedisClient } from './redis-address.js';

const KEPT_SECONDS = 60;
const LOOK_MS = 1000;

export class Endings {
  private readonly channel: string;
  private readonly waiting = new Map<string, Set<() => void>>();
  private subscriber: RedisClient | undefined;

  /** `subscribe` opens the connection that listens; it is called once, at the first wait. */
  constructor(
    private readonly prefix: string,
    private readonly publisher: RedisClient,
    private readonly subscribe: () => RedisClient,
  ) {
    this.channel = `${prefix}:ended`;
  }

  async announce(submissionId: string): Promise<void> {
    this.wake(submissionId);
    await this.publisher.set(this.key(submissionId), '1', 'EX', KEPT_SECONDS);
    await this.publisher.publish(this.channel, submissionId);
  }

  /** One that is full or became a replica answers, too: only a write tells that it can be used. */
  async check(): Promise<void> {
    await this.publisher.set(`${this.prefix}:check`, '1', 'EX', 1);
  }

  wait(submissionId: string, timeoutMs: number): Promise<boolean> {
    this.listen();
    return new Promise((resolve) => {
      const waiters = this.waiting.get(submissionId) ?? new Set();
      this.waiting.set(submissionId, waiters);
      const settle = (heard: boolean): void => {
        clearTimeout(timer);
        clearInterval(looks);
        waiters.delete(wake);
        if (waiters.size === 0) this.waiting.delete(submissionId);
        resolve(heard);
      };
      const wake = (): void => settle(true);
      const timer = setTimeout(() => settle(false), timeoutMs);
      const look = (): void => {
        this.publisher.exists(this.key(submissionId)).then(
          (kept) => kept === 1 && wake(),
          () => undefined, // Redis is away: the wait runs out, and the caller reads the store
        );
      };
      const looks = setInterval(look, LOOK_MS);
      waiters.add(wake);
      look();
    });
  }

  close(): void {
    this.subscriber?.disconnect();
    for (const waiters of this.waiting.values()) for (const wake of waiters) wake();
  }

  private listen(): void {
    if (this.subscriber) return;
    this.subscriber = this.subscribe();
    this.subscriber.on('message', (_channel: string, submissionId: string) => this.wake(submissionId));
    this.subscriber.subscribe(this.channel).catch(() => undefined); // repeated by the client at each reconnect
  }

  private wake(submissionId: string): void {
    for (const wake of this.waiting.get(submissionId) ?? []) wake();
  }

  private key(submissionId: string): string {
    return `${this.prefix}:ended:${submissionId}`;
  }
}

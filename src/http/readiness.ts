/** Whether the parts of the service can be used, for whoever asks: a check may cost a part a write, and anybody may ask. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../observability/log.js';
import { within } from '../observability/within.js';

/** Each rejects with the reason while the part cannot be used. */
export interface HealthChecks {
  store: () => Promise<void>;
  blobs: () => Promise<void>;
  /** Changes are refused while their record cannot be written. */
  audit?: () => Promise<void>;
  /** Uploads are accepted without it: reported, but no reason to send clients away. */
  queue: () => Promise<void>;
  /** The search index is behind and does not move: reported, and no reason either. */
  index: () => Promise<void>;
}

const REQUIRED = new Set(['store', 'blobs', 'audit']);
const CHECK_MS = 3_000;
/** Between two checks of one part. */
const APART_MS = 250;

export class Readiness {
  readonly #checks: [name: string, check: SharedCheck][];

  constructor(
    checks: HealthChecks,
    private readonly log: Pick<Logger, 'warn'>,
  ) {
    this.#checks = Object.entries(checks).map(([name, check]) => [name, new SharedCheck(check)]);
  }

  /** As they are now. */
  async now(): Promise<{ usable: boolean; checks: Record<string, 'up' | 'down'> }> {
    const states = await Promise.all(
      this.#checks.map(async ([name, check]) => {
        const reason = await within(CHECK_MS, check.next()).then(
          () => undefined,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
        if (reason !== undefined) this.log.warn({ part: name, reason }, 'not ready');
        return [name, reason === undefined ? 'up' : 'down'] as const;
      }),
    );
    const usable = states.every(([name, state]) => state === 'up' || !REQUIRED.has(name));
    return { usable, checks: Object.fromEntries(states) };
  }
}

/** One check at a time, some apart; all who ask before it begins have the same answer. */
class SharedCheck {
  #waiting: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();
  #began = Number.NEGATIVE_INFINITY;

  constructor(private readonly check: () => Promise<void>) {}

  next(): Promise<void> {
    this.#waiting ??= this.#inTurn();
    return this.#waiting;
  }

  async #inTurn(): Promise<void> {
    await this.#running.catch(() => {});
    const early = this.#began + APART_MS - performance.now();
    if (early > 0) await delay(early);
    this.#waiting = undefined;
    this.#began = performance.now();
    this.#running = within(CHECK_MS, this.check());
    await this.#running;
  }
}

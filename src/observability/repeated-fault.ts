/**
 * What fails again and again, because the database is away or its disk is full, is said at once, then after longer and longer times,
 * and once when it works again: a loop that says it each time fills the disk with its log.
 */
export interface FaultWords {
  /** `times`: how often it has failed since it was said last. */
  failed(error: unknown, times: number): void;
  /** `times`: how often it had failed in all. */
  over(times: number): void;
}

/** Milliseconds between what is said: twice as long each time. */
const FIRST_SILENCE_MS = 10_000;
const LONGEST_SILENCE_MS = 10 * 60_000;

export class RepeatedFault {
  #times = 0;
  #untold = 0;
  #saidAt = 0;
  #silenceMs = 0;

  constructor(
    private readonly words: FaultWords,
    private readonly now: () => number = () => performance.now(),
  ) {}

  failed(error: unknown): void {
    this.#times++;
    this.#untold++;
    const at = this.now();
    if (this.#silenceMs > 0 && at - this.#saidAt < this.#silenceMs) return;
    this.words.failed(error, this.#untold);
    this.#untold = 0;
    this.#saidAt = at;
    this.#silenceMs = Math.min(Math.max(2 * this.#silenceMs, FIRST_SILENCE_MS), LONGEST_SILENCE_MS);
  }

  worked(): void {
    if (this.#times > 0) this.words.over(this.#times);
    this.#times = 0;
    this.#untold = 0;
    this.#silenceMs = 0;
  }
}

/**
 * How much the indexer takes in at once and how soon it looks again, by how the step before ended. Where the processor is all others',
 * a whole step takes longer than the database leaves a transaction to itself, and would fail for ever: smaller ones get on.
 */
const WHOLE_STEP = 2_048;
const LEAST_STEP = 32;
const LARGER_BY = 64;
/** How soon a write is looked for when there was nothing to do. */
const LOOK_EVERY_MS = 400;
/** After steps that failed: twice as long each time. */
const LONGEST_WAIT_MS = 6_400;

export class IndexSteps {
  #samples = WHOLE_STEP;
  #waitMs = LOOK_EVERY_MS;

  /** Of the next step, at most; large ones are fewer (src/registry/search/indexed-sample.ts). */
  get samples(): number {
    return this.#samples;
  }

  /** Until the next step, when there is nothing to do or the last one failed. */
  get waitMs(): number {
    return this.#waitMs;
  }

  worked(): void {
    this.#samples = Math.min(this.#samples + LARGER_BY, WHOLE_STEP);
    this.#waitMs = LOOK_EVERY_MS;
  }

  failed(): void {
    this.#samples = Math.max(Math.floor(this.#samples / 2), LEAST_STEP);
    this.#waitMs = Math.min(2 * this.#waitMs, LONGEST_WAIT_MS);
  }
}

/**
 * The index rests while a large file is registered: both take the same processors and the same disk, and accessions are what is waited for. Small
 * writes of others are found meanwhile, as searches read them beside the index (src/registry/search/pending-samples.ts).
 */

/** Of the time of a step: a fifth of the time is left to the index. */
const RESTS = 4;
/** How often it looks whether the file has ended, milliseconds. */
const LOOK_EVERY_MS = 50;
/** One after the other, large files may hold it up so long; then it goes on beside them until none is there. */
export const LONGEST_REST_MS = 60_000;

export interface Resting {
  isRegistering(): Promise<boolean>;
  wait(ms: number): Promise<void>;
}

export class IndexRests {
  #rested = 0;

  constructor(private readonly resting: Resting) {}

  /** After a step that took `ms` and was not the last. */
  async after(ms: number): Promise<void> {
    for (let left = RESTS * ms; left > 0; left -= LOOK_EVERY_MS) {
      if (!(await this.resting.isRegistering())) {
        this.#rested = 0;
        return;
      }
      if (this.#rested >= LONGEST_REST_MS) return;
      const rest = Math.min(left, LOOK_EVERY_MS);
      await this.resting.wait(rest);
      this.#rested += rest;
    }
  }
}

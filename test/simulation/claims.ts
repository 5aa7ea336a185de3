/** Who has claimed what, as the store said it; and that nobody else writes. */
import type { Store } from '../../src/store/store.js';
import type { Claim } from '../../src/submissions/submission-store.js';

export class Claims {
  readonly #last = new Map<string, number>();
  /** Claims that one worker lost to another, in words. */
  readonly takenOver: string[] = [];
  /** Writes of attempts that another had followed. */
  readonly faults: string[] = [];

  /** The methods of workers, watched at the moment at which they are done. */
  watch(store: Store): Pick<Store, 'claimNext' | 'applyBatch' | 'finish' | 'setBack' | 'heartbeat'> {
    return {
      claimNext: async (request) => {
        const claim = await store.claimNext(request);
        if (!claim) return claim;
        const { submission, attempt } = claim;
        if (attempt <= (this.#last.get(submission.id) ?? 0))
          this.faults.push(`Attempt ${attempt} of ${submission.id} was claimed twice.`);
        this.#last.set(submission.id, attempt);
        return claim;
      },
      applyBatch: (claim, ...rest) => this.#current(claim, store.applyBatch(claim, ...rest)),
      finish: (claim, ...rest) => this.#current(claim, store.finish(claim, ...rest)),
      setBack: (claim, ...rest) => this.#current(claim, store.setBack(claim, ...rest)),
      heartbeat: (claim, ...rest) => this.#current(claim, store.heartbeat(claim, ...rest)),
    };
  }

  async #current<T>({ submission, attempt, worker }: Claim, done: Promise<T>): Promise<T> {
    const result = await done;
    const last = this.#last.get(submission.id) ?? 0;
    if (attempt < last)
      this.faults.push(`Attempt ${attempt} of ${worker} wrote for ${submission.id} after attempt ${last} had begun.`);
    return result;
  }
}

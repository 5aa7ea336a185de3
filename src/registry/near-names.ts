/** Names that are not known here and were meant to be ones that are. */
import { editDistance } from './edit-distance.js';

/** Shorter names have other words a letter away. */
const SHORTEST_NEAR = 6;

/** Without letter case, and without what stands between words. */
export const folded = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

export class KnownNames {
  #folded: readonly string[] | undefined;

  constructor(private readonly names: readonly string[]) {}

  has(name: string): boolean {
    return this.names.includes(name);
  }

  /** The known name that is the same but for case and the like, else one that is the same but for a letter. */
  meantBy(name: string): string | undefined {
    // Most bodies have no member that is asked about.
    this.#folded ??= this.names.map(folded);
    const asked = folded(name);
    const same = this.#folded.indexOf(asked);
    return this.names[same >= 0 ? same : this.#folded.findIndex((known) => isNear(known, asked))];
  }
}

const isNear = (known: string, asked: string): boolean =>
  known.length >= SHORTEST_NEAR && Math.abs(known.length - asked.length) <= 1 && editDistance(known, asked, 1) === 1;

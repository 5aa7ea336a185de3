/** Names that are not known here and were meant to be ones that are. */
import { editDistance } from './edit-distance.js';

/** Shorter names have other words a letter away. */
const SHORTEST_NEAR = 6;

/** Without letter case, and without what stands between words. */
export const folded = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** The known name that is the same but for case and the like, else one that is the same but for a letter. */
export function meantBy(name: string, known: readonly string[]): string | undefined {
  const asked = folded(name);
  return known.find((one) => folded(one) === asked) ?? known.find((one) => isNear(folded(one), asked));
}

const isNear = (known: string, asked: string): boolean =>
  known.length >= SHORTEST_NEAR && Math.abs(known.length - asked.length) <= 1 && editDistance(known, asked) === 1;

/** Until what is under way is looked at again: soon at first, as most of it is over in a moment, then less and less often. */
export const nextLookMs = (looksBefore: number, mostMs: number): number => Math.min(mostMs, 150 * 2 ** looksBefore);

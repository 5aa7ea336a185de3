/** Relationships that come later than the others of their sample, each at the place that its row gave it. Pure. */
import type { Relationship } from './sample.js';

export interface PlacedRelationship {
  type: string;
  /** Accession. */
  target: string;
  /** Position among those that are there when it comes. */
  at: number;
}

/** Those that are there already are not added twice. In the order in which they are given. */
export function withRelationships(
  present: readonly Relationship[],
  added: readonly PlacedRelationship[],
): Relationship[] {
  const all = [...present];
  for (const { type, target, at } of added) {
    const there = all.some((each) => each.type === type && each.target === target && each.source === undefined);
    if (!there) all.splice(Math.min(at, all.length), 0, { type, target });
  }
  return all;
}

/**
 * Where each of these comes in, as some of the row's open places are filled and others stay open: a place counts those
 * before it, of which the ones that stay open are not there.
 */
export function placesOf(filled: readonly number[], stillOpen: readonly number[]): number[] {
  return filled.map((place) => place - stillOpen.filter((other) => other < place).length);
}

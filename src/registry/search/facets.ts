/** Counts of what a search finds, by characteristic and value. */

export interface FacetRequest {
  /** Characteristics as asked for, or how many of the most frequent ones. */
  of: readonly string[] | number;
  /** Values of each that are listed. */
  values: number;
}

/** Counts are samples that are found and that the caller may read. */
export interface FacetCount {
  samples: number;
}

export interface FoundValue extends FacetCount {
  /** As one of the samples spells it. */
  value: string;
}

/** From `from` on, `below` not included; an absent end is open. Numbers, or milliseconds since 1970 of dates. */
export interface FoundRange extends FacetCount {
  from?: number;
  below?: number;
}

export interface FoundFacet extends FacetCount {
  /** As one of the samples spells it, or as it was asked for. */
  name: string;
  /** The most frequent first. */
  values: FoundValue[];
  /** How many further values there are, those among them that are too long to be listed; absent where there are more than can be distinguished (`DISTINCT`). */
  others?: number;
  /** Where at least half of the samples have numbers, or dates. */
  ranges?: { date: boolean; list: FoundRange[] };
}

export interface FoundFacets extends FacetCount {
  /** The most frequent first, or as they were asked for. */
  list: FoundFacet[];
  /** Changes that the counts do not know yet, at most. */
  missing: number;
  /** Found samples with more characteristics, or values of one, than are counted by (sample-facets.ts). */
  more: number;
}

/** Different values of one characteristic that are distinguished: more are no choice, and cost seconds. */
export const DISTINCT = 65_536;
/** Characteristics of one request, and values of each. */
export const MOST_FACETS = 20;
export const MOST_VALUES = 100;

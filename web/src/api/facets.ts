import type { Answered } from './contract.js';
import { get, query } from './request.js';
import type { SampleSearch } from './samples.js';

export type Facets = NonNullable<Answered<'/samples'>['facets']>;
export type Facet = Facets['characteristics'][number];

/** Counts of all that the search finds: of so many of the most frequent characteristics, or of one that is named. */
export async function countByValues(
  { text, filters }: SampleSearch,
  of: number | string,
  facetValues: number,
  signal?: AbortSignal,
): Promise<Facets> {
  const facets = typeof of === 'number' ? of : oneName(of);
  const asked = query({ size: 1, text, filter: filters, facets, facetValues });
  const list = await get<Answered<'/samples'>>(`/samples${asked}`, signal);
  return list.facets ?? { samples: 0, characteristics: [] };
}

/** A comma would begin another name, and a star or a number alone would be no name. */
const oneName = (name: string): string => name.replaceAll(',', '\\,').replace(/^[*\d]/, '\\$&');

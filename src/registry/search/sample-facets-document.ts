/** Facets as a client asks for them and reads them: what is counted comes with the filter that finds it. */
import { formatDateTime } from '../date-time.js';
import { RegistryError } from '../errors.js';
import { type FacetRequest, type FoundFacets, MOST_FACETS, MOST_VALUES } from './facets.js';
import { attributeFilter, rangeFilter } from './filter-parts.js';

interface Counted {
  samples: number;
  /** Finds them, beside the filters that are there. */
  filter: string;
}

/** Numbers as such, dates as `2024-11-21` or with their time. */
export interface FacetRangeDocument extends Counted {
  from?: number | string;
  below?: number | string;
}

export interface FacetDocument extends Counted {
  name: string;
  values: (Counted & { value: string })[];
  /** How many further values there are; absent where there are too many to tell apart. */
  others?: number;
  /** Of numbers or of dates. */
  rangesOf?: 'numbers' | 'dates';
  ranges?: FacetRangeDocument[];
}

export interface FacetsDocument {
  /** How many samples are found in all: exact. */
  samples: number;
  characteristics: FacetDocument[];
  /** Changes that the counts do not know yet, at most; absent when they are complete. */
  notIndexed?: number;
  /** Found samples with more characteristics or values than are counted by; absent when there are none. */
  notCounted?: number;
}

const DEFAULT_FACETS = 10;

/**
 * `organism,tissue`; a number for so many of the most frequent ones; `*` for ten of them. A comma that is part of a name
 * is written `\,`, and a name that is a number or a star has a backslash before it.
 * @throws RegistryError request.invalid
 */
export function readFacets(given: readonly string[], values: number): FacetRequest | undefined {
  const asked = given
    .flatMap((text) => text.split(/(?<!\\),/))
    .flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  const [first] = asked;
  if (first === undefined) return undefined;
  if (asked.length === 1 && first === '*') return { of: DEFAULT_FACETS, values };
  if (asked.length === 1 && /^\d+$/.test(first)) {
    const most = Number(first);
    if (most >= 1 && most <= MOST_FACETS) return { of: most, values };
    throw tooMany(`facets=${first.slice(0, 40)}`);
  }
  if (asked.length > MOST_FACETS) throw tooMany(`facets= with ${asked.length} names`);
  return { of: asked.map((name) => name.replaceAll(/\\([,*\d])/g, '$1')), values };
}

const tooMany = (what: string): RegistryError =>
  new RegistryError(
    'request.invalid',
    `${what}: 1 to ${MOST_FACETS} characteristics are counted at once, each by up to ${MOST_VALUES} values.`,
  );

export function facetsDocument({ samples, list, missing, more }: FoundFacets): FacetsDocument {
  return {
    samples,
    characteristics: list.map(({ name, samples: having, values, others, ranges }) => ({
      name,
      samples: having,
      filter: attributeFilter(name),
      values: values.map(({ value, samples: of }) => ({ value, samples: of, filter: attributeFilter(name, value) })),
      ...(others === undefined ? {} : { others }),
      ...(ranges === undefined
        ? {}
        : {
            rangesOf: ranges.date ? ('dates' as const) : ('numbers' as const),
            ranges: ranges.list.map(({ from, below, samples: of }) => ({
              ...(from === undefined ? {} : { from: endOf(from, ranges.date) }),
              ...(below === undefined ? {} : { below: endOf(below, ranges.date) }),
              samples: of,
              filter: foundRangeFilter(name, ranges.date, { from, below }),
            })),
          }),
    })),
    ...(missing > 0 ? { notIndexed: missing } : {}),
    ...(more > 0 ? { notCounted: more } : {}),
  };
}

/** Numbers, or milliseconds since 1970 of dates. */
interface RangeEnds {
  from?: number | undefined;
  below?: number | undefined;
}

/** The filter that finds what was counted in the range. */
export function foundRangeFilter(name: string, date: boolean, { from, below }: RangeEnds): string {
  return rangeFilter(name, {
    ...(from === undefined ? {} : { from: String(endOf(from, date)) }),
    ...(below === undefined ? {} : { below: String(endOf(below, date)) }),
  });
}

const endOf = (number: number, date: boolean): number | string =>
  date ? formatDateTime(number).replace('T00:00:00.000Z', '') : number;

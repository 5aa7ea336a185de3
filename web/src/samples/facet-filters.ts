/** Filters that a click on a value or a range adds and takes away. Pure. */
import {
  filterParts,
  folded,
  rangeFilter,
  type WrittenRange,
  writtenRange,
} from '../../../src/registry/search/filter-parts.js';

const isOf = (filter: string, kind: string, name: string): boolean => {
  const parts = filterParts(filter);
  return parts.kind === kind && folded(parts.name) === folded(name);
};

/** Two spellings of one filter of a value or a range. */
export function sameFilter(one: string, other: string): boolean {
  const { kind, name, detail } = filterParts(one);
  return isOf(other, kind, name) && folded(filterParts(other).detail) === folded(detail);
}

/** The filters that speak of values or ranges of this characteristic. */
export const filtersOf = (filters: readonly string[], name: string): string[] =>
  filters.filter((filter) => isOf(filter, 'range', name) || (isOf(filter, 'attr', name) && hasDetail(filter)));

const hasDetail = (filter: string): boolean => filterParts(filter).detail !== '';

/**
 * The filters with this one, or without it where it is there. Of one characteristic the service takes filters as
 * alternatives: a value takes the place of the filter that asks for any value, and a range that was counted within other
 * ranges takes their place, cut to them, so that a click always leads to what was counted or to more of its kind.
 */
export function toggled(filters: readonly string[], filter: string): string[] {
  if (filters.some((one) => sameFilter(one, filter))) return filters.filter((one) => !sameFilter(one, filter));
  const { kind, name, detail } = filterParts(filter);
  if (kind === 'attr') {
    return [...filters.filter((one) => !isOf(one, 'attr', name) || hasDetail(one)), filter];
  }
  const before = filters.filter((one) => isOf(one, 'range', name));
  const [only] = before;
  if (only === undefined) return [...filters, filter];
  const [within, present] = [writtenRange(detail), writtenRange(filterParts(only).detail)];
  const comparable = before.length === 1 && areNumbers(within) === areNumbers(present);
  const cut = comparable ? rangeFilter(name, cutTo(within, present)) : filter;
  return [...filters.filter((one) => !before.includes(one)), cut];
}

/** What both ranges hold. */
function cutTo(one: WrittenRange, other: WrittenRange): WrittenRange {
  const from = one.from !== undefined && (other.from === undefined || isBefore(other.from, one.from)) ? one : other;
  const [oneEnd, otherEnd] = [one.below ?? one.until, other.below ?? other.until];
  const to = oneEnd !== undefined && (otherEnd === undefined || !isBefore(otherEnd, oneEnd)) ? one : other;
  return {
    ...(from.from === undefined ? {} : { from: from.from }),
    ...(to.below === undefined ? {} : { below: to.below }),
    ...(to.until === undefined ? {} : { until: to.until }),
  };
}

/** Or else dates. */
const areNumbers = ({ from, until, below }: WrittenRange): boolean =>
  !Number.isNaN(Number(from ?? until ?? below ?? Number.NaN));

/** Numbers by their size, dates as they are written. */
function isBefore(one: string, other: string): boolean {
  const [a, b] = [Number(one), Number(other)];
  return Number.isNaN(a) || Number.isNaN(b) ? one < other : a < b;
}

/**
 * What a sample is counted by: its characteristics, each with the values that a filter `attr:` finds it by, and the
 * numbers and dates that a filter `range:` compares. The codes are those of search-terms.ts, so a count is that of the
 * filter.
 */
import { parseDateTime } from '../date-time.js';

/** Characteristics of a sample, and values of one of them, that are counted by; what goes beyond is only found. */
export const COUNTED_CHARACTERISTICS = 250;
const COUNTED_VALUES = 100;
/** Of a value that is listed: a text of pages is no choice, and its filter would not fit into an address. Texts of many samples are kept at once. */
export const LISTED_LETTERS = 500;

export interface FacetValue {
  /** Of the value under its characteristic (search-terms.ts). */
  code: number;
  /** As the sample spells it; absent of one that is too long to be listed. */
  text?: string;
  /** False where an ontology term alone says it: found by, and not listed. */
  said: boolean;
  /** A number, or milliseconds since 1970 of a date. */
  number?: number;
  date?: true;
}

export interface CharacteristicFacets {
  /** As spelled. */
  name: string;
  /** Each code once. */
  values: FacetValue[];
  /** Other samples may have it too: it is copied before it is changed. */
  shared?: true;
  /** Of a shared one, once it was made: its bytes in the columns of an index. */
  entry?: string;
}

/** Under the code of its name. */
export type CountedCharacteristic = readonly [code: number, CharacteristicFacets];

export interface SampleFacets {
  /** By the code of the name. */
  characteristics: Map<number, CharacteristicFacets>;
  /** There are more than are counted by. */
  more: boolean;
}

export const noFacets = (): SampleFacets => ({ characteristics: new Map(), more: false });

/** The characteristic of this code, undefined where the sample has too many. */
export function characteristicOf(facets: SampleFacets, code: number, name: string): CharacteristicFacets | undefined {
  const known = facets.characteristics.get(code);
  if (known !== undefined) {
    if (!known.shared) return known;
    const own = { name: known.name, values: [...known.values] };
    facets.characteristics.set(code, own);
    return own;
  }
  if (facets.characteristics.size >= COUNTED_CHARACTERISTICS) {
    facets.more = true;
    return undefined;
  }
  const made = { name, values: [] };
  facets.characteristics.set(code, made);
  return made;
}

/** Takes in a value that a text says, `plain` without case, or, without it, an ontology term alone. */
export function addFacet(
  facets: SampleFacets,
  { values }: CharacteristicFacets,
  code: number,
  text: string,
  plain: string | undefined,
): void {
  const place = values.findIndex((value) => value.code === code);
  if (place >= 0) {
    if (!values[place]?.said && plain !== undefined) values[place] = facetValue(code, text, plain);
  } else if (values.length < COUNTED_VALUES) values.push(facetValue(code, text, plain));
  else facets.more = true;
}

function facetValue(code: number, text: string, plain: string | undefined): FacetValue {
  const value: FacetValue = { code, said: plain !== undefined };
  if (text.length <= LISTED_LETTERS) value.text = text;
  const measure = plain === undefined ? undefined : measureOf(plain);
  if (measure !== undefined) value.number = measure.number;
  if (measure?.date) value.date = true;
  return value;
}

/** A characteristic of one value, for all samples that have no more under it. */
export const sharedCharacteristic = (
  name: string,
  code: number,
  text: string,
  plain: string,
): CharacteristicFacets => ({
  name,
  values: [facetValue(code, text, plain)],
  shared: true,
});

/** Takes in a characteristic that has only this; false where the sample has some of it already, or has too many. */
export function addShared({ characteristics }: SampleFacets, code: number, shared: CharacteristicFacets): boolean {
  if (characteristics.size >= COUNTED_CHARACTERISTICS || characteristics.has(code)) return false;
  characteristics.set(code, shared);
  return true;
}

/** A value may have a hundred thousand digits: each is of one part alone. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const MONTH = /^\d{4}-\d{2}$/;

/** The number or the date that a text is: a year alone is a number, a month its first day. */
export function measureOf(text: string): { number: number; date?: true } | undefined {
  const first = text.charCodeAt(0);
  // Digits, signs and the decimal point: most texts begin with none of them.
  if (first > 57 || first < 43) return undefined;
  if (NUMBER.test(text)) {
    const number = Number(text);
    return Number.isFinite(number) ? { number: number === 0 ? 0 : number } : undefined;
  }
  if (first < 48 || text.length < 7 || text[4] !== '-') return undefined;
  const time = parseDateTime(MONTH.test(text) ? `${text}-01` : text);
  return typeof time === 'number' ? { number: time, date: true } : undefined;
}

/** Coordinates that are none, that are swapped, or that lie outside the country that the row names. */
import { bothOf, type Coordinate, coordinateOf } from './coordinates.js';
import { type Box, boxesOf, isWithin } from './countries.js';
import type { Finding, SenseCheck, SenseRow } from './finding.js';

export interface PlaceCells {
  country?: number | undefined;
  /** The same cell twice: both stand in one. */
  latitude: number;
  longitude: number;
}

interface Texts {
  latitude: string;
  longitude: string;
  country: string;
}

interface Wrong {
  part: 'latitude' | 'longitude';
  what: string;
  suggestion?: string;
}

const MAX_CACHED = 2000;
const NONE: readonly Wrong[] = [];
/** Coordinates as most sheets have them; all others are read by `coordinateOf`. */
const PLAIN = /^-?\d{1,3}(?:\.\d+)?$/;

export class PlaceCheck implements SenseCheck {
  readonly #verdicts = new Map<string, readonly Wrong[]>();

  readonly wanted: readonly number[];
  /** The boxes of the country that was named last. */
  #country = '';
  #boxes: readonly Box[] | undefined;

  constructor(private readonly cells: PlaceCells) {
    const { country, latitude, longitude } = cells;
    this.wanted = [latitude, longitude, ...(country === undefined ? [] : [country])];
  }

  look({ cells }: SenseRow, found: Finding[]): void {
    const { country, latitude, longitude } = this.cells;
    const joint = latitude === longitude;
    const first = cells[latitude];
    const second = cells[longitude];
    if (!first || !second || first.length + second.length > 160) return;
    const named = (country === undefined ? undefined : cells[country]) ?? '';
    if (!joint && this.#isRight(first, second, named)) return;
    const key = `${first}\t${joint ? '' : second}\t${named}`;
    let wrong = this.#verdicts.get(key);
    if (!wrong) {
      wrong = joint ? inOneCell(first, named) : check({ latitude: first, longitude: second, country: named });
      if (this.#verdicts.size >= MAX_CACHED) this.#verdicts.clear();
      this.#verdicts.set(key, wrong);
    }
    for (const { part, what, suggestion } of wrong) {
      const cell = this.cells[part];
      const asked = suggestion === undefined ? what : `${what}; ${suggestion}?`;
      found.push({ code: 'suspect.place', cell, value: cells[cell] as string, what: asked, suggestion });
    }
  }

  /** Plain numbers on the earth and in the country, without a look-up: every row may have others. */
  #isRight(first: string, second: string, country: string): boolean {
    if (!PLAIN.test(first) || !PLAIN.test(second)) return false;
    const latitude = Number(first);
    const longitude = Number(second);
    if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return false;
    if (country !== this.#country) {
      this.#country = country;
      this.#boxes = country === '' ? undefined : boxesOf(country);
    }
    return this.#boxes === undefined || isWithin(this.#boxes, latitude, longitude);
  }
}

function inOneCell(text: string, country: string): readonly Wrong[] {
  const both = bothOf(text);
  if (!both) return NONE;
  const { first, between, second } = both;
  const wrong = check({ latitude: first, longitude: second, country });
  const of = (part: Wrong['part'], otherwise: string) =>
    wrong.find((one) => one.part === part)?.suggestion ?? otherwise;
  const [one] = wrong;
  if (!one) return NONE;
  const suggestion = `${of('latitude', first)}${between}${of('longitude', second)}`;
  const what = one.what.replace('be swapped with the longitude', 'have latitude and longitude swapped');
  return [{ part: 'latitude', what, ...(one.suggestion === undefined ? {} : { suggestion }) }];
}

function check(texts: Texts): readonly Wrong[] {
  const latitude = coordinateOf(texts.latitude);
  const longitude = coordinateOf(texts.longitude);
  if (!latitude || !longitude) return NONE;
  const boxes = texts.country === '' ? undefined : boxesOf(texts.country);
  const ownLetters = latitude.axis === 'latitude' || longitude.axis === 'longitude';
  const swappedFits = !ownLetters && Math.abs(longitude.degrees) <= 90 && Math.abs(latitude.degrees) <= 180;
  const within = (a: number, b: number): boolean => boxes !== undefined && isWithin(boxes, a, b);
  if (latitude.axis === 'longitude' && longitude.axis === 'latitude') return swapped(texts, 'as their letters say');
  if (Math.abs(latitude.degrees) > 90) {
    const fits = swappedFits && (boxes === undefined || within(longitude.degrees, latitude.degrees));
    return fits
      ? swapped(texts, 'as no latitude is beyond 90 degrees')
      : [{ part: 'latitude', what: 'is no latitude: those go from -90 to 90' }];
  }
  if (Math.abs(longitude.degrees) > 180)
    return [{ part: 'longitude', what: 'is no longitude: those go from -180 to 180' }];
  if (!boxes || within(latitude.degrees, longitude.degrees)) return NONE;
  if (swappedFits && within(longitude.degrees, latitude.degrees))
    return swapped(texts, `as only so they lie in ${texts.country}`);
  return otherSign(texts, latitude, longitude, within) ?? outside(texts);
}

const swapped = ({ latitude, longitude }: Texts, reason: string): readonly Wrong[] => [
  { part: 'latitude', what: `seems to be swapped with the longitude, ${reason}`, suggestion: longitude },
  { part: 'longitude', what: `seems to be swapped with the latitude, ${reason}`, suggestion: latitude },
];

function otherSign(
  texts: Texts,
  latitude: Coordinate,
  longitude: Coordinate,
  within: (latitude: number, longitude: number) => boolean,
): readonly Wrong[] | undefined {
  const parts = [
    ['longitude', latitude.degrees, -longitude.degrees],
    ['latitude', -latitude.degrees, longitude.degrees],
  ] as const;
  const fitting = parts.filter(([, a, b]) => within(a, b));
  const [only] = fitting;
  if (!only || fitting.length > 1) return undefined;
  const [part] = only;
  const text = texts[part];
  const suggestion = otherwise(text);
  const what = `lies outside ${texts.country}, and inside it on the other side of ${part === 'latitude' ? 'the equator' : 'Greenwich'}`;
  return [suggestion === undefined ? { part, what } : { part, what, suggestion }];
}

const OTHER: Record<string, string> = { N: 'S', S: 'N', E: 'W', W: 'E' };

function otherwise(text: string): string | undefined {
  if (/[NSEW]/i.test(text)) return text.replace(/[NSEW]/i, (letter) => OTHER[letter.toUpperCase()] as string);
  if (!/^[+-]?\d/.test(text)) return undefined;
  return text.startsWith('-') ? text.slice(1) : `-${text.replace('+', '')}`;
}

const outside = ({ latitude, longitude, country }: Texts): readonly Wrong[] => [
  {
    part: 'latitude',
    what: `with the longitude ${longitude} lies outside ${country}; look at the latitude ${latitude}, too`,
  },
];

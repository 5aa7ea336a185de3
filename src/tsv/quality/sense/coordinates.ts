/** Coordinates as sheets write them: `52.52`, `13,4 E`, `52°31'12"N`, and both in one cell: `38.98 N 77.11 W`. */

export interface Coordinate {
  /** Degrees, south and west negative. */
  degrees: number;
  /** What its letter says it is. */
  axis?: 'latitude' | 'longitude';
}

const NUMBER = '[+-\\u2212]?\\d{1,3}(?:[.,]\\d+)?';
const MINUTES = `(?:\\s*[\\u00b0\\u00ba]\\s*(?:(\\d{1,2}(?:[.,]\\d+)?)\\s*['\\u2032\\u2019]\\s*(?:(\\d{1,2}(?:[.,]\\d+)?)\\s*(?:"|''|\\u2033|\\u201d)\\s*)?)?)?`;
const ONE = new RegExp(`^([NSEW])?\\s*(${NUMBER})${MINUTES}\\s*([NSEW])?$`, 'i');
const HALF = `[NSEW]?\\s*${NUMBER}${MINUTES.replaceAll('((?:', '(?:').replaceAll('(\\d', '(?:\\d')}\\s*[NSEW]?`;
/** A comma parts two numbers only where another mark is the decimal sign. */
const BOTH = new RegExp(`^(${HALF})(\\s*[,;/]\\s+|\\s+|\\s*[;/]\\s*|(?<=\\.\\d+),(?=[+-]?\\d+\\.))(${HALF})$`, 'i');

/** Half a degree south is written as -0°30'. */
const MINUS = /^[-\u2212]/;

const numberOf = (text: string | undefined): number => Number((text ?? '0').replace(',', '.').replace('\u2212', '-'));

export function coordinateOf(text: string): Coordinate | undefined {
  if (text.length > 40) return undefined;
  const match = ONE.exec(text.trim());
  if (!match) return undefined;
  const [, before, whole, minutes, seconds, after] = match;
  if (before && after) return undefined;
  const letter = (before ?? after)?.toUpperCase();
  const parts = Math.abs(numberOf(whole)) + numberOf(minutes) / 60 + numberOf(seconds) / 3600;
  const negative = MINUS.test(whole as string) || letter === 'S' || letter === 'W';
  return {
    degrees: negative ? -parts : parts,
    ...(letter ? { axis: letter === 'N' || letter === 'S' ? 'latitude' : 'longitude' } : {}),
  };
}

/** Two coordinates in one cell, as they stand there, with what is between them. */
export function bothOf(text: string): { first: string; between: string; second: string } | undefined {
  const match = text.length > 80 ? null : BOTH.exec(text.trim());
  return match ? { first: match[1] as string, between: match[2] as string, second: match[3] as string } : undefined;
}

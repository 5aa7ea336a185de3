/** Which profile a header row is read by: never by guess, so two that fit alike are an error that names both. */
import { RegistryError } from '../../registry/errors.js';
import { fold } from '../dialect.js';
import { columnKind } from './header-name.js';
import type { ImportProfile, KnownProfile, Recognition } from './profile.js';

/** A header row with what stands above it: the first cells of those rows, without brackets. */
export interface SeenHeader {
  cells: readonly string[];
  above: readonly string[];
  /** First cell of the row below. */
  below?: string;
  line: number;
}

/** A sheet with our own name column is one of ours, unless a profile asks for that column. */
const OURS = 'samplename';
const RANKS = ['own', 'shared', 'shipped'] as const;

/**
 * The profile of this row, of those that are known; none when none fits wholly.
 * @throws RegistryError file.header with `profiles` when several fit
 */
export function recognise(seen: SeenHeader, known: readonly KnownProfile[]): KnownProfile | undefined {
  const all = fittingProfiles(seen, known);
  for (const rank of RANKS) {
    const ranked = all.filter((each) => each.rank === rank);
    const special = ranked.filter(({ general }) => !general);
    const fitting = special.length > 0 ? special : ranked;
    if (fitting.length < 2) {
      if (fitting[0]) return fitting[0];
      continue;
    }
    const names = fitting.map(({ name }) => name);
    throw new RegistryError(
      'file.header',
      `Line ${seen.line}: these columns are those of ${fitting.length} import profiles: ${names.join(', ')}. Say which with the option profile, or profile=none to read the sheet without.`,
      { extra: { line: seen.line, profiles: names } },
    );
  }
  return undefined;
}

export function fittingProfiles(seen: SeenHeader, known: readonly KnownProfile[]): KnownProfile[] {
  const headers = new Set(seen.cells.map(fold));
  return known.filter(({ document }) => fits(document, seen, headers));
}

function fits(document: ImportProfile, seen: SeenHeader, headers: ReadonlySet<string>): boolean {
  const { recognise: ways } = document;
  if (ways) return ways.some((way) => meets(way, seen, headers));
  const { missing, further } = comparedHeaders(document, seen.cells);
  return missing.length === 0 && further.length === 0;
}

function meets(way: Recognition, { above, below }: SeenHeader, headers: ReadonlySet<string>): boolean {
  const names = way.anyOf.map(fold);
  const has = (text: string): boolean => headers.has(fold(text));
  if (!(headers.has(OURS) ? names.includes(OURS) : names.some((name) => headers.has(name)))) return false;
  if (way.with && way.with.headers.filter(has).length < way.with.atLeast) return false;
  if (way.without?.some(has)) return false;
  if (way.above !== undefined && !above.includes(way.above)) return false;
  return way.below === undefined || (below ?? '').startsWith(way.below);
}

/** How many headers of a row and a profile are alike, of all that either has, for the row to be a changed one of its kind. */
const ALIKE = 0.6;

export interface ChangedHeader {
  profile: KnownProfile;
  missing: string[];
  further: string[];
}

/** The kept profile whose headers these nearly are: somebody has renamed, added or left out columns. */
export function nearlyRecognised(cells: readonly string[], known: readonly KnownProfile[]): ChangedHeader | undefined {
  let nearest: ChangedHeader | undefined;
  let best = ALIKE;
  for (const profile of known) {
    if (profile.rank === 'shipped' || profile.document.recognise) continue;
    const { missing, further, shared } = comparedHeaders(profile.document, cells);
    const alike = shared / Math.max(1, shared + missing.length + further.length);
    if (alike < best) continue;
    best = alike;
    nearest = { profile, missing, further };
  }
  return nearest;
}

/** Headers that a profile wants and the row lacks, and that the row has beside them. Columns of our own results count for neither. */
export function comparedHeaders(
  { columns }: ImportProfile,
  cells: readonly string[],
): { missing: string[]; further: string[]; shared: number } {
  const numbered = new Set(columns.flatMap(({ header, nth }) => (nth === undefined ? [] : [fold(header)])));
  const keyOf = (header: string, nth: number): string => {
    const folded = fold(header);
    return numbered.has(folded) ? `${folded} ${nth}` : folded;
  };
  const occurrence = occurrences();
  const present = new Map(cells.map((text) => [keyOf(text, occurrence(text)), text.trim()]));
  const listed = new Set(columns.map(({ header, nth = 1 }) => keyOf(header, nth)));
  const missing = columns.filter(({ header, nth = 1, optional }) => !optional && !present.has(keyOf(header, nth)));
  const further = [...present].filter(([key, text]) => !listed.has(key) && text !== '' && !isOfResult(text));
  return {
    missing: missing.map(({ header }) => header),
    further: further.map(([, text]) => text),
    shared: [...present.keys()].filter((key) => listed.has(key)).length,
  };
}

/** Counts how often a header has been given, from 1. */
export function occurrences(): (header: string) => number {
  const counts = new Map<string, number>();
  return (header) => {
    const count = (counts.get(fold(header)) ?? 0) + 1;
    counts.set(fold(header), count);
    return count;
  };
}

const RESULT: string[] = ['identifier', 'release', 'error'];
const isOfResult = (header: string): boolean => RESULT.includes(columnKind(header).kind);

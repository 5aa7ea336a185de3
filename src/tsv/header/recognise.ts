/** Which profile a header row is read by: never by guess, so two that fit alike are an error that names both. */
import { RegistryError } from '../../registry/errors.js';
import { compared, type HeaderWork, headersOf, type ProfileHeaders, RowHeaders } from './compared-headers.js';
import type { KnownProfile } from './profile.js';

/** A header row with what stands above it: the first cells of those rows, without brackets. */
export interface SeenHeader {
  cells: readonly string[];
  above: readonly string[];
  /** First cell of the row below. */
  below?: string;
  line: number;
  /** Of the head, where it has more rows. */
  work?: HeaderWork;
}

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
  const row = new RowHeaders(seen.cells);
  return known.filter(({ document }) => fits(headersOf(document), seen, row));
}

function fits(profile: ProfileHeaders, seen: SeenHeader, row: RowHeaders): boolean {
  const { listed, least, ways } = profile;
  seen.work?.spend(1, seen.line);
  if (ways) return ways.some((way) => meets(way, seen, row));
  if (row.mostShared(profile) < least || row.foreign > listed.size) return false;
  seen.work?.spend(row.filled + listed.size, seen.line);
  const { missing, further } = compared(profile, row);
  return missing.length === 0 && further.length === 0;
}

function meets(
  { anyOf, with: most, without, said }: NonNullable<ProfileHeaders['ways']>[number],
  { above, below, line, work }: SeenHeader,
  row: RowHeaders,
): boolean {
  const { all } = row;
  const [few, many] = anyOf.size < all.size ? [anyOf, all] : [all, anyOf];
  work?.spend(few.size, line);
  // A sheet with our own name column is one of ours, unless the profile asks for that column.
  if (!row.own.every((name) => anyOf.has(name)) || ![...few].some((name) => many.has(name))) return false;
  work?.spend((most?.headers.length ?? 0) + without.length + (said.above === undefined ? 0 : above.length), line);
  if (most && most.headers.filter((header) => all.has(header)).length < most.atLeast) return false;
  if (without.some((header) => all.has(header))) return false;
  if (said.above !== undefined && !above.includes(said.above)) return false;
  return said.below === undefined || (below ?? '').startsWith(said.below);
}

/** How many headers of a row and a profile are alike, of all that either has, for the row to be a changed one of its kind. */
const ALIKE = 0.6;

export interface ChangedHeader {
  profile: KnownProfile;
  missing: string[];
  further: string[];
}

/** The kept profile whose headers these nearly are: somebody has renamed, added or left out columns. */
export function nearlyRecognised(
  { cells, line, work }: Pick<SeenHeader, 'cells' | 'line' | 'work'>,
  known: readonly KnownProfile[],
): ChangedHeader | undefined {
  const row = new RowHeaders(cells);
  let nearest: ChangedHeader | undefined;
  let best = ALIKE;
  for (const profile of known) {
    if (profile.rank === 'shipped' || profile.document.recognise) continue;
    const headers = headersOf(profile.document);
    work?.spend(1, line);
    if (mostAlike(headers, row) < best) continue;
    work?.spend(row.filled + headers.listed.size, line);
    const { missing, further, shared } = compared(headers, row);
    const alike = shared / Math.max(1, shared + missing.length + further.length);
    if (alike < best) continue;
    best = alike;
    nearest = { profile, missing, further };
  }
  return nearest;
}

/** How many could be alike at most, by their numbers. */
const mostAlike = (profile: ProfileHeaders, row: RowHeaders): number =>
  Math.min(row.mostShared(profile) / Math.max(1, profile.least), profile.listed.size / Math.max(1, row.foreign));

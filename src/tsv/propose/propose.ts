/** A header row and the rows below it → what each column is taken for, and the same as an import profile to edit and keep. */
import { fold } from '../dialect.js';
import type { CellReading, ColumnMeaning, ImportProfile, KnownProfile, ProfileColumn } from '../header/profile.js';
import { rulesOf } from '../header/profile-columns.js';
import { saidRelease } from '../header/profile-release.js';
import { comparedHeaders, nearlyRecognised, occurrences } from '../header/recognise.js';
import { proposedName } from './name-columns.js';
import type { KnownField, Proposal, ProposedColumn } from './proposal.js';
import type { Surroundings, Taken } from './propose-characteristic.js';
import { takenFor } from './propose-column.js';
import { type SeenColumn, seenColumns } from './seen-column.js';

export interface SheetHead {
  header: readonly string[];
  /** The first rows of samples. */
  rows: readonly (readonly string[])[];
  /** The profile that reads the sheet as it is. */
  readBy?: KnownProfile;
}

export interface Knowledge {
  /** Kept profiles, the account's own first. */
  profiles: readonly KnownProfile[];
  fields: readonly KnownField[];
  /** Of this registry's accessions. */
  prefix: string;
  /** The allowed value that a text probably means. */
  meant: (text: string, allowed: readonly string[]) => string | undefined;
  /** Of the profile that is proposed. */
  title: string;
}

export function proposeProfile(
  { header, rows, readBy }: SheetHead,
  { profiles, fields, prefix, meant, title }: Knowledge,
): Proposal {
  const columns = seenColumns(header, rows);
  const changed = readBy ? undefined : nearlyRecognised(header, profiles);
  const earlier = new EarlierProfiles(header, readBy ?? changed?.profile, profiles);
  const name = earlier.basis ? undefined : proposedName(columns);
  const nameColumns =
    name?.columns ?? columns.flatMap(({ at }) => (earlier.of(at)?.meaning?.as === 'name' ? [at] : []));
  const around: Surroundings = {
    columns,
    names: new Set(nameColumns.length === 1 ? columns[nameColumns[0] as number]?.values.values : []),
    fields: new Map([...fields].reverse().map((field) => [fold(field.name), field])),
    prefix,
    meant,
  };
  const taken = columns.map((column): Taken => {
    if (name?.columns.includes(column.at))
      return { meaning: { as: 'name' }, why: name.why, confidence: name.confidence };
    return earlier.of(column.at) ?? takenFor(column, around);
  });
  const proposed = held(columns, taken).map(
    (each, at): ProposedColumn => ({
      column: at,
      header: columns[at]?.header ?? '',
      examples: columns[at]?.values.examples ?? [],
      ...each,
      ...(changed?.further.some((text) => fold(text) === fold(columns[at]?.header ?? '')) ? { fresh: true } : {}),
    }),
  );
  const basis = readBy ?? changed?.profile;
  const said = basis && heldBy(basis);
  return {
    columns: proposed,
    document: documentOf(proposed, said, title),
    lacks: lacking(proposed, said),
    ...(basis
      ? {
          profile: {
            name: basis.name,
            rank: basis.rank,
            ...(changed ? { missing: changed.missing, further: changed.further } : {}),
          },
        }
      : {}),
  };
}

/** Without the release that somebody else's profile says. */
function heldBy(basis: KnownProfile): ImportProfile {
  const { release: _, ...document } = basis.document;
  const release = saidRelease(basis);
  return release === undefined ? document : { ...document, release };
}

/** What kept profiles, and the one that reads the sheet, say of its columns. */
class EarlierProfiles {
  readonly #rules: (ProfileColumn | undefined)[];
  readonly #others: Map<string, { rule: ProfileColumn; profile: string }>;

  /** `basis`: the profile that reads the sheet, or nearly does; what it says counts before all else. */
  constructor(
    private readonly header: readonly string[],
    readonly basis: KnownProfile | undefined,
    profiles: readonly KnownProfile[],
  ) {
    this.#rules = basis ? rulesOf(basis.document, header) : [];
    this.#others = new Map();
    if (basis && basis.rank !== 'shipped') return;
    for (const { name, document } of profiles) {
      if (comparedHeaders(document, header).shared < 2) continue;
      for (const rule of document.columns) {
        const key = fold(rule.header);
        if (rule.nth === undefined && rule.as !== 'name' && !this.#others.has(key))
          this.#others.set(key, { rule, profile: name });
      }
    }
  }

  of(column: number): Taken | undefined {
    const rule = this.#rules[column];
    if (rule)
      return { meaning: meaningOf(rule), why: `The import profile ${this.basis?.name} says so.`, confidence: 'high' };
    const other = this.#others.get(fold(this.header[column] ?? ''));
    if (!other) return undefined;
    return {
      meaning: meaningOf(other.rule),
      why: `Your import profile ${other.profile} says so of a column with this header.`,
      confidence: 'middle',
    };
  }
}

function meaningOf({ header: _, nth: __, optional: ___, ...meaning }: ProfileColumn): ColumnMeaning & CellReading {
  return meaning;
}

/** A unit or a term is of a characteristic; of what is none it is a column like any other. */
function held(columns: readonly SeenColumn[], taken: readonly Taken[]): Taken[] {
  return taken.map((each, at) => {
    const { meaning } = each;
    if (meaning?.as !== 'unit' && meaning?.as !== 'term') return each;
    const { of } = meaning;
    const isOwner = (other: Taken | undefined): boolean =>
      other?.meaning?.as === 'characteristic' || (meaning.as === 'term' && other?.meaning?.as === 'unit');
    if (of === undefined ? ownsLeft(taken, at, isOwner) : ownsNamed(columns, taken, of, isOwner)) return each;
    return {
      meaning: { as: 'characteristic' },
      why: `It speaks of ${meaning.as === 'unit' ? 'a unit' : 'a term'} of something that is no characteristic: kept under its header.`,
      confidence: 'low',
    };
  });
}

/** Of several units and terms side by side the first that is none of them counts. */
function ownsLeft(taken: readonly Taken[], at: number, isOwner: (other: Taken | undefined) => boolean): boolean {
  for (let left = at - 1; left >= 0; left--) {
    if (isOwner(taken[left])) return true;
    const as = taken[left]?.meaning?.as;
    if (as !== 'unit' && as !== 'term' && as !== 'ignored') return false;
  }
  return false;
}

function ownsNamed(
  columns: readonly SeenColumn[],
  taken: readonly Taken[],
  of: string,
  isOwner: (other: Taken | undefined) => boolean,
): boolean {
  const at = columns.findIndex(({ header }) => fold(header) === fold(of));
  // A term of a name that no column has is the characteristic itself.
  return at < 0 || isOwner(taken[at]);
}

/** The document that the page and the command edit: columns with a header and a meaning, each with what it was taken for. */
export function documentOf(
  columns: readonly Pick<ProposedColumn, 'header' | 'meaning'>[],
  basis: ImportProfile | undefined,
  title: string,
): ImportProfile {
  const occurrence = occurrences();
  const repeated = new Map<string, number>();
  for (const { header } of columns) repeated.set(fold(header), (repeated.get(fold(header)) ?? 0) + 1);
  const listed = columns.flatMap(({ header, meaning }): ProfileColumn[] => {
    const nth = occurrence(header);
    if (header === '' || !meaning) return [];
    return [{ header, ...((repeated.get(fold(header)) ?? 0) > 1 ? { nth } : {}), ...meaning }];
  });
  const names = listed.filter(({ as }) => as === 'name').length;
  return {
    profile: 1,
    title: basis?.title ?? title,
    columns: listed,
    ...(names > 1 ? { joinNames: basis?.joinNames ?? '-' } : {}),
    ...(basis?.fixed ? { fixed: basis.fixed } : {}),
    ...(basis?.release ? { release: basis.release } : {}),
    ...(basis?.key ? { key: basis.key } : {}),
    ...(basis?.mark === undefined ? {} : { mark: basis.mark }),
    ...(basis?.sameName ? { sameName: basis.sameName } : {}),
    ...(basis?.labels ? { labels: basis.labels } : {}),
  };
}

function lacking(columns: readonly ProposedColumn[], basis: ImportProfile | undefined): Proposal['lacks'] {
  const has = (test: (meaning: ColumnMeaning, header: string) => boolean): boolean =>
    columns.some(({ meaning, header }) => meaning !== undefined && test(meaning, header));
  const organism = has(
    (meaning, header) =>
      (meaning.as === 'characteristic' && fold(meaning.name ?? header) === 'organism') ||
      (meaning.as === 'term' && meaning.of === 'organism'),
  );
  const fixed = basis?.fixed?.some(({ characteristic }) => fold(characteristic) === 'organism');
  return [
    ...(has(({ as }) => as === 'name') ? [] : (['name'] as const)),
    ...(organism || fixed ? [] : (['organism'] as const)),
    ...(basis?.release || has(({ as }) => as === 'release' || as === 'identifier') ? [] : (['release'] as const)),
  ];
}

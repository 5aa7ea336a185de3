/** A header row and the rows below it → what each column is taken for, and the same as an import profile to edit and keep. */
import { fold } from '../dialect.js';
import { headersOf, RowHeaders, sharedHeaders } from '../header/compared-headers.js';
import type { CellReading, ColumnMeaning, ImportProfile, KnownProfile, ProfileColumn } from '../header/profile.js';
import { namesOf, rulesOf } from '../header/profile-columns.js';
import { saidRelease } from '../header/profile-release.js';
import { nearlyRecognised } from '../header/recognise.js';
import { agreed } from './agreed-columns.js';
import { proposedName } from './name-columns.js';
import type { KnownField, Proposal, ProposedColumn } from './proposal.js';
import { calledName, type Surroundings, type Taken } from './propose-characteristic.js';
import { isOrganism, takenFor } from './propose-column.js';
import { counted, documentOf } from './proposed-document.js';
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
  const changed = readBy ? undefined : nearlyRecognised({ cells: header, line: 1 }, profiles);
  const earlier = new EarlierProfiles(header, readBy ?? changed?.profile, profiles);
  const name = earlier.basis ? undefined : proposedName(columns, prefix);
  const nameColumns =
    name?.columns ?? columns.flatMap(({ at }) => (earlier.of(at)?.meaning?.as === 'name' ? [at] : []));
  const byName = new Map([...fields].reverse().map((field) => [fold(field.name), field]));
  const around: Surroundings = {
    columns,
    byWords: firstByWords(columns),
    organisms: columns.filter(isOrganism).length,
    names: new Set(nameColumns.length === 1 ? columns[nameColumns[0] as number]?.values.values : []),
    fields: byName,
    called: counted(columns.map((column) => calledName(column, byName))),
    prefix,
    meant,
  };
  const taken = columns.map((column): Taken => {
    if (name?.columns.includes(column.at)) {
      const { why, confidence } = name;
      return { meaning: nameMeaning(column, name.columns.length > 1, around), why, confidence };
    }
    return earlier.of(column.at) ?? takenFor(column, around);
  });
  const isSaid = (at: number): boolean => earlier.of(at) !== undefined;
  const proposed = agreed(columns, taken, { isSaid, nameColumns }, around).map(
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
            ...(basis.version === undefined ? {} : { version: basis.version }),
            ...(changed ? { missing: changed.missing, further: changed.further } : {}),
          },
        }
      : {}),
  };
}

/** A column that is joined is kept, too: as the characteristic that it would be by itself; one with a unit under its header, which says it. */
function nameMeaning(column: SeenColumn, joined: boolean, around: Surroundings): ColumnMeaning {
  const alone = joined ? takenFor(column, around).meaning : undefined;
  return alone?.as === 'characteristic' && alone.name !== undefined && alone.unit === undefined
    ? { as: 'name', characteristic: alone.name }
    : { as: 'name' };
}

function firstByWords(columns: readonly SeenColumn[]): Map<string, SeenColumn[]> {
  const found = new Map<string, SeenColumn[]>();
  for (const column of columns) {
    const alike = found.get(column.words);
    if (alike === undefined) found.set(column.words, [column]);
    else if (alike.length < 2) alike.push(column);
  }
  return found;
}

/** Without the release that somebody else's profile says; of a shipped one also without what is for all sheets of its format. */
function heldBy(basis: KnownProfile): ImportProfile {
  const { release: _, otherColumns, otherColumnsUntil, columns, ...document } = basis.document;
  const release = saidRelease(basis);
  const kept = basis.rank !== 'shipped';
  return {
    ...document,
    columns: kept ? columns : [],
    ...(kept && otherColumns ? { otherColumns } : {}),
    ...(kept && otherColumnsUntil ? { otherColumnsUntil } : {}),
    ...(release === undefined ? {} : { release }),
  };
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
    this.#rules = basis ? readRules(basis.document, header) : [];
    this.#others = new Map();
    if (basis && basis.rank !== 'shipped') return;
    const row = new RowHeaders(header);
    for (const { name, document } of profiles) {
      if (sharedHeaders(headersOf(document), row) < 2) continue;
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

/** Without the columns for names that the profile passes over, because the sheet has one that it prefers. */
function readRules(document: ImportProfile, header: readonly string[]): (ProfileColumn | undefined)[] {
  const rules = rulesOf(document, header);
  const names = new Set(namesOf(document, header, rules));
  return rules.map((rule, at) => (rule?.as === 'name' && !names.has(at) ? undefined : rule));
}

function meaningOf({ header: _, nth: __, optional: ___, ...meaning }: ProfileColumn): ColumnMeaning & CellReading {
  return meaning;
}

function lacking(columns: readonly ProposedColumn[], basis: ImportProfile | undefined): Proposal['lacks'] {
  const has = (test: (meaning: ColumnMeaning, header: string) => boolean): boolean =>
    columns.some(({ meaning, header }) => meaning !== undefined && test(meaning, header));
  const organism = has(
    (meaning, header) =>
      (meaning.as === 'characteristic' && fold(meaning.name ?? header) === 'organism') ||
      (meaning.as === 'name' && fold(meaning.characteristic ?? '') === 'organism') ||
      (meaning.as === 'term' && fold(meaning.of ?? '') === 'organism'),
  );
  const fixed = basis?.fixed?.some(({ characteristic }) => fold(characteristic) === 'organism');
  return [
    ...(has(({ as }) => as === 'name') ? [] : (['name'] as const)),
    ...(organism || fixed ? [] : (['organism'] as const)),
    ...(basis?.release || has(({ as }) => as === 'release' || as === 'identifier') ? [] : (['release'] as const)),
  ];
}

/** The headers of a row beside those of a profile. A head has thousands of rows and an account a hundred profiles, so each is made ready once. */
import { RegistryError } from '../../registry/errors.js';
import { fold } from '../dialect.js';
import { columnKind, namesSamples } from './header-name.js';
import type { ImportProfile, Recognition } from './profile.js';

/** Headers that are looked at in all rows of a head: a few million take some tenths of a second. */
const MOST_LOOKED_AT = 3_000_000;

/** What comparing the rows of one head may cost: it is read where requests are answered. */
export class HeaderWork {
  #left = MOST_LOOKED_AT;

  /** @throws RegistryError file.header when the rows before this line were too many */
  spend(headers: number, line: number): void {
    this.#left -= headers;
    if (this.#left >= 0) return;
    throw new RegistryError(
      'file.header',
      `Line ${line}: there is no header so far, and the rows above are too many to compare each with all import profiles. Take out what stands above the header, or say by the option profile which one it is read by (none for none).`,
      { extra: { line } },
    );
  }
}

const RESULT: string[] = ['identifier', 'release', 'error'];

/** The cells of a row as headers. */
export class RowHeaders {
  readonly folded: readonly string[];
  readonly all: ReadonlySet<string>;
  readonly filled: number;
  #foreign: boolean[] | undefined;
  #kinds: number | undefined;
  #own: readonly string[] | undefined;

  constructor(readonly cells: readonly string[]) {
    this.folded = cells.map(fold);
    this.all = new Set(this.folded);
    this.filled = this.folded.filter((text) => text !== '').length;
  }

  /** Folded headers of ours that name samples, as a form marks them, too. */
  get own(): readonly string[] {
    this.#own ??= this.folded.filter((_, column) => namesSamples(this.cells[column] as string));
    return this.#own;
  }

  /** Whether a column is none that our own results have beside those of the sheet. */
  isForeign(column: number): boolean {
    this.#foreign ??= this.cells.map((text) => text.trim() !== '' && !RESULT.includes(columnKind(text).kind));
    return this.#foreign[column] === true;
  }

  /** Different headers of such columns. */
  get foreign(): number {
    this.#kinds ??= new Set(this.folded.filter((_, column) => this.isForeign(column))).size;
    return this.#kinds;
  }

  /** Headers that a profile may share with it at most. */
  mostShared({ numbered }: ProfileHeaders): number {
    return numbered.size > 0 ? this.filled : this.all.size;
  }
}

interface Way {
  anyOf: ReadonlySet<string>;
  with?: { headers: readonly string[]; atLeast: number };
  without: readonly string[];
  said: Recognition;
}

/** What a profile says of headers. */
export interface ProfileHeaders {
  /** Those of which it tells several columns apart. */
  numbered: ReadonlySet<string>;
  listed: ReadonlySet<string>;
  required: readonly { key: string; header: string }[];
  /** How many different ones are required. */
  least: number;
  /** Of the columns that name the samples. */
  names: readonly string[];
  ways?: readonly Way[];
}

const ready = new WeakMap<ImportProfile, ProfileHeaders>();

export function headersOf(document: ImportProfile): ProfileHeaders {
  const known = ready.get(document);
  if (known) return known;
  const { columns, recognise } = document;
  const numbered = new Set(columns.flatMap(({ header, nth }) => (nth === undefined ? [] : [fold(header)])));
  const keyed = columns.map(({ header, nth = 1, optional }) => ({
    key: keyOf(numbered, fold(header), nth),
    header,
    optional,
  }));
  const required = keyed.filter(({ optional }) => !optional);
  const made: ProfileHeaders = {
    numbered,
    listed: new Set(keyed.map(({ key }) => key)),
    required,
    least: new Set(required.map(({ key }) => key)).size,
    names: columns.filter(({ as }) => as === 'name').map(({ header }) => fold(header)),
    ...(recognise ? { ways: recognise.map(wayOf) } : {}),
  };
  ready.set(document, made);
  return made;
}

const wayOf = (said: Recognition): Way => ({
  anyOf: new Set(said.anyOf.map(fold)),
  ...(said.with ? { with: { headers: said.with.headers.map(fold), atLeast: said.with.atLeast } } : {}),
  without: (said.without ?? []).map(fold),
  said,
});

const keyOf = (numbered: ReadonlySet<string>, folded: string, nth: number): string =>
  numbered.has(folded) ? `${folded} ${nth}` : folded;

export interface ComparedHeaders {
  missing: string[];
  further: string[];
  shared: number;
}

/** Headers that a profile wants and the row lacks, and that the row has beside them. Columns of our own results count for neither. */
export const comparedHeaders = (document: ImportProfile, cells: readonly string[]): ComparedHeaders =>
  compared(headersOf(document), new RowHeaders(cells));

export function compared({ numbered, listed, required }: ProfileHeaders, row: RowHeaders): ComparedHeaders {
  const nthOf = counter();
  /** The last column of each. */
  const present = new Map<string, number>();
  row.folded.forEach((folded, column) => {
    present.set(keyOf(numbered, folded, nthOf(folded)), column);
  });
  const further = [...present].filter(([key, column]) => !listed.has(key) && row.isForeign(column));
  return {
    missing: required.filter(({ key }) => !present.has(key)).map(({ header }) => header),
    further: further.map(([, column]) => (row.cells[column] as string).trim()),
    shared: [...present.keys()].filter((key) => listed.has(key)).length,
  };
}

/** How many headers a profile has in common with a row that may be much longer. */
export function sharedHeaders(profile: ProfileHeaders, row: RowHeaders): number {
  if (profile.numbered.size > 0) return compared(profile, row).shared;
  let shared = 0;
  for (const key of profile.listed) if (row.all.has(key)) shared++;
  return shared;
}

/** Counts how often a header has been given, from 1. */
export function occurrences(): (header: string) => number {
  const nthOf = counter();
  return (header) => nthOf(fold(header));
}

function counter(): (folded: string) => number {
  const counts = new Map<string, number>();
  return (folded) => {
    const count = (counts.get(folded) ?? 0) + 1;
    counts.set(folded, count);
    return count;
  };
}

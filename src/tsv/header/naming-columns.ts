/** What rows below a header have in the columns that name the samples: these are worked out once, for there may be a thousand rows below it. */
import { fold } from '../dialect.js';
import { isNoName } from './column-notes.js';
import type { ChosenProfile } from './columns.js';
import { namesSamples } from './header-name.js';
import { columnTitle, isNamed } from './name-column.js';
import { isUnitsRow } from './units.js';

/** A header, with what says which of its columns name the samples. */
interface Header {
  cells: readonly string[];
  profile?: ChosenProfile;
  nameColumn?: string;
}

export class NamingColumns {
  readonly #columns: readonly number[];
  readonly #labels: ReadonlySet<string>;

  constructor(private readonly header: Header) {
    const isName = nameHeaders(header);
    this.#columns = header.cells.flatMap((text, column) => (isName(text, column) ? [column] : []));
    this.#labels = new Set(header.profile?.known.document.labels?.map(fold));
  }

  isOf({ cells, profile, nameColumn }: Header): boolean {
    return cells === this.header.cells && profile === this.header.profile && nameColumn === this.header.nameColumn;
  }

  in(row: readonly string[]): string[] {
    return this.#columns.map((column) => row[column] ?? '');
  }

  /** Whether the row names no sample and has units of the header above it; one of the columns that are joined to a name may have its own. */
  areUnits(row: readonly string[]): boolean {
    const names = this.in(row);
    return isUnitsRow(row) && (names.length === 0 || names.some(isNoName));
  }

  /** Whether the row says in words what the header above it names. */
  areLabels(row: readonly string[]): boolean {
    return this.#labels.size > 0 && this.in(row).some((text) => this.#labels.has(fold(text)));
  }

  /** Whether the row says of the column of names what the header does: it is merged over both, or written twice. */
  areAgain(row: readonly string[]): boolean {
    return this.#columns.some((column) => {
      const text = (this.header.cells[column] as string).trim();
      return text !== '' && row[column]?.trim() === text;
    });
  }

  areNone(row: readonly string[]): boolean {
    return this.in(row).every((name) => /^(?:units?)?$/i.test(name.trim()));
  }
}

/** Whether a column with this header names the samples. */
function nameHeaders({ profile, nameColumn }: Header): (header: string, column: number) => boolean {
  if (nameColumn !== undefined) return (text, column) => isNamed(columnTitle(text, column), nameColumn);
  if (profile === undefined) return namesSamples;
  const names = new Set(
    profile.known.document.columns.filter(({ as }) => as === 'name').map(({ header }) => fold(header)),
  );
  return (text) => names.has(fold(text));
}

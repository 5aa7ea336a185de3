/**
 * Sheets that were made for another archive or program and are read as they are: which column names the sample, and
 * what the others become. A format is chosen by the header row alone, so a sheet is read the same way each time.
 * Columns that a format does not mention are kept as characteristics under their own header. docs/sheet-formats.md
 * lists the same.
 */
import { fold } from '../dialect.js';
import { type ColumnKind, columnKind } from './header-name.js';

export interface SheetFormat {
  id: 'ena' | 'ncbi' | 'mixs' | 'sampletab' | 'nextstrain' | 'qiime' | 'terra';
  /** As messages and receipts name it: "Read as an ENA sample sheet". */
  title: string;
  /** Folded headers of the column that names the sample, best first. */
  names: readonly string[];
  /** `header`: its folded cells. `before`: the first cells of the rows above it. */
  recognises(header: ReadonlySet<string>, before: readonly string[]): boolean;
  /** Columns, by folded header, that are more than a characteristic of their name. */
  columns?: Readonly<Record<string, ColumnKind>>;
  /** A row above the header without which the sheet would be taken for another: it is sent back with the result. */
  above?: string;
  /** What is taken from the front of a header before it becomes a name. */
  mark?: string;
}

const ORGANISM: ColumnKind = { kind: 'characteristic', name: 'organism' };
/** A number of the NCBI taxonomy: the term of the organism, or the organism itself where the sheet names none. */
const TAXON: ColumnKind = { kind: 'term-of', name: 'organism' };

const has = (header: ReadonlySet<string>, names: readonly string[], atLeast = 1): boolean =>
  names.filter((name) => header.has(name)).length >= atLeast;

export const SHEET_FORMATS: readonly SheetFormat[] = [
  {
    id: 'ena',
    title: 'an ENA sample sheet',
    names: ['alias', 'samplealias'],
    recognises: (header) =>
      has(header, ['title', 'sampletitle', 'taxonid', 'taxid', 'scientificname', 'sampledescription']),
    columns: { scientificname: ORGANISM, taxonid: TAXON, taxid: TAXON },
  },
  {
    id: 'ncbi',
    title: 'an NCBI BioSample package',
    names: ['*samplename'],
    recognises: () => true,
    columns: { taxonomyid: TAXON },
    mark: '*',
  },
  { id: 'mixs', title: 'a MIxS sheet', names: ['sampname', '*sampname'], recognises: () => true, mark: '*' },
  {
    id: 'sampletab',
    title: 'a SampleTab file',
    names: ['samplename'],
    recognises: (_header, before) => before.some((text) => SCD.test(text)),
    above: '[SCD]',
    columns: { termsourceid: { kind: 'term-accession' } },
  },
  {
    id: 'nextstrain',
    title: 'a GISAID or Nextstrain table',
    names: ['strain', 'virusname'],
    recognises: (header) =>
      has(
        header,
        ['virus', 'gisaidepiisl', 'genbankaccession', 'originatinglab', 'submittinglab', 'country', 'date'],
        2,
      ),
  },
  {
    id: 'qiime',
    title: 'QIIME 2 metadata',
    names: ['#sampleid', 'sampleid', 'sample-id', '#sample-id'],
    recognises: () => true,
  },
  { id: 'terra', title: 'a Terra table', names: ['entity:sampleid'], recognises: () => true },
];

/** A sheet with our own name column is one of ours, unless what stands above it says otherwise. */
const OURS = 'samplename';

/** @throws Error for an id that no format has */
export function sheetFormatOf(id: SheetFormat['id']): SheetFormat {
  const format = SHEET_FORMATS.find((each) => each.id === id);
  if (!format) throw new Error(`there is no sheet format ${id}`);
  return format;
}

const MSI = /^\[?MSI\]?$/;
const SCD = /^\[?SCD\]?$/;

/** The format of a header row without a Sample Name of ours, or of one that stands below the mark of another format. */
export function sheetFormat(header: readonly string[], before: readonly string[]): SheetFormat | undefined {
  const folded = new Set(header.map(fold));
  return SHEET_FORMATS.find(({ names, recognises }) => {
    const named = folded.has(OURS) ? names.includes(OURS) : names.some((name) => folded.has(name));
    return named && recognises(folded, before);
  });
}

/**
 * What each column of such a sheet is. A Sample Identifier, a Release Date and bracketed headers of ours keep their
 * meaning; of the others only those that the format knows are kept when unknown columns are to be ignored.
 */
export function formatKinds(
  format: SheetFormat,
  header: readonly string[],
  unknownColumns: 'ignore' | 'characteristics' | 'reject',
): ColumnKind[] {
  const folded = header.map(fold);
  const name = format.names.find((each) => folded.includes(each));
  return header.map((text, column) => {
    const key = folded[column] as string;
    if (key === name) return { kind: 'name' };
    const given = format.columns && Object.hasOwn(format.columns, key) ? format.columns[key] : undefined;
    if (given) return given;
    const ours = columnKind(text);
    const plain =
      ours.kind === 'unknown' || ours.kind === 'ignored column' || (ours.kind === 'owner' && !text.includes('['));
    if (!plain || unknownColumns === 'ignore' || (text.includes('[') && ours.kind !== 'unknown')) return ours;
    return { kind: 'characteristic', name: unmarked(text.trim(), format.mark) };
  });
}

const unmarked = (text: string, mark: string | undefined): string =>
  mark !== undefined && text.startsWith(mark) ? text.slice(mark.length).trim() || text : text;

/**
 * Rows above the header of another format that are no comments: the checklist line of an ENA sheet, the head of a
 * SampleTab file up to its table.
 */
export class Preamble {
  #inHead = false;

  /** True for a row that the header stands below of; rows are given from the top of the file on. */
  takes(cells: readonly string[]): boolean {
    const first = (cells.find((cell) => cell.trim() !== '') ?? '').trim();
    if (this.#inHead) {
      this.#inHead = !SCD.test(first);
      return true;
    }
    if (SCD.test(first)) return true;
    this.#inHead = MSI.test(first);
    return this.#inHead || (fold(first) === 'checklist' && cells.some((cell) => /^ERC\d+$/.test(cell.trim())));
  }
}

/** Rows below the header of another format that are no samples: the units of an ENA sheet, the types of QIIME 2. */
export const isDirective = (first: string): boolean => first.startsWith('#q2:') || first.toLowerCase() === UNITS;

const UNITS = '#units';

/** Units of the columns, from the row below an ENA header; undefined when the row is another. */
export const unitsRow = (cells: readonly string[]): readonly string[] | undefined =>
  (cells.find((cell) => cell.trim() !== '') ?? '').trim().toLowerCase() === UNITS ? cells : undefined;

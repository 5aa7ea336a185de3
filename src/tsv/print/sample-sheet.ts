/**
 * Stored samples → a sheet to edit and upload. What cannot be said in a sheet so that its upload would change nothing
 * is found by reading the sheet back; such samples are left out and named.
 */
import { formatAccession } from '../../registry/accession.js';
import { sameContent } from '../../registry/samples/canonical.js';
import { type SampleLayout, unpackCells } from '../../registry/samples/packed-sample.js';
import type { Characteristic, SampleContent, StoredSample, TextRecord } from '../../registry/samples/sample.js';
import { timeSlices } from '../../registry/time-slices.js';
import { COLUMN_LIMIT, isClearMarker } from '../dialect.js';
import { type ColumnList, type PlacedCell, SharedColumns } from '../header/column-list.js';
import { planColumns, type SheetPlan } from '../header/columns.js';
import { RECORDS, SINGLE } from '../header/header-name.js';

export interface SampleSheet {
  header: string[];
  rows: string[][];
  /** Accessions of samples that a sheet cannot hold, or that `isUnsafe` keeps out. */
  leftOut: string[];
}

/** Columns that every sheet of samples begins with. */
export const OWN = [SINGLE.identifier, SINGLE.name, SINGLE.release];

/** A number with or without a unit behind it, and signs alone (a result, or nothing): -5, -80 °C, -, +/-. */
const HARMLESS = /^[+-](\/?[+-])?$|^[+-]?\d[\d.,]*(e[+-]?\d+)?(\s*[\p{L}°%µ][\p{L}\d\s°%µ./]*)?$/iu;

/** With which a formula begins. */
export const FORMULA_SIGNS = '=+-@\uFF1D\uFF0B\uFF0D\uFF20';
const SIGNS = FORMULA_SIGNS.replace('-', '\\-');
const BEGINS_AS_FORMULA = new RegExp(`^[${SIGNS}\t\r]`);

/** Of cells with TABs between them, whether one may be a formula: to be looked at closely. */
export const MAY_HAVE_FORMULA = new RegExp(`(?:^|\t)[${SIGNS}]`);

/** What a spreadsheet program would calculate when it opens the text. */
export const isFormula = (cell: string): boolean => BEGINS_AS_FORMULA.test(cell) && !HARMLESS.test(cell);

/** Cells of one sheet, empty ones too. */
export const MAX_CELLS = 1_500_000;

/** A sheet of these samples would have more cells than it may have, or more columns than are read. */
export class TooManyCells extends Error {}

/**
 * `maxCell`: longest text that a cell may have. In slices: others are answered meanwhile.
 * @throws TooManyCells
 */
export async function sampleSheet(
  samples: readonly StoredSample[],
  prefix: string,
  maxCell = Number.POSITIVE_INFINITY,
  isUnsafe: (sample: StoredSample, row: readonly string[]) => boolean = () => false,
): Promise<SampleSheet> {
  const nextSlice = timeSlices();
  const columns = new SharedColumns();
  for (const { content } of samples) {
    columns.add(cellsOf(content));
    const { width } = columns;
    if (width * samples.length > MAX_CELLS || OWN.length + width > COLUMN_LIMIT) throw new TooManyCells();
    await nextSlice();
  }
  const header = [...OWN, ...columns.headers()];
  const plan = planOfSamples(header, prefix);
  const sheet: SampleSheet = { header, rows: [], leftOut: [] };
  for (const sample of samples) {
    const accession = formatAccession(prefix, sample.id);
    const release = new Date(sample.release).toISOString();
    const row = [accession, sample.name, release, ...columns.place(cellsOf(sample.content))];
    const fits = row.every((cell) => cell.length <= maxCell) && readsBack(sample, row, plan);
    if (fits && !isUnsafe(sample, row)) sheet.rows.push(row);
    else sheet.leftOut.push(accession);
    await nextSlice();
  }
  return sheet;
}

const readsBack = ({ name, content }: StoredSample, row: readonly string[], plan: SheetPlan): boolean =>
  isPlainName(name) && saysTheSame(row, plan, content);

/** A name that a cell can hold. */
export const isPlainName = (name: string): boolean => name !== '' && name.trim() === name && !isClearMarker(name);

/** Whether a row of the planned sheet is read as this content. */
export function saysTheSame(row: readonly string[], plan: SheetPlan, content: SampleContent): boolean {
  const cells = plan.keptColumns.map((column) => (row[column] ?? '').trim());
  // Sent back, such a cell would take its value away.
  if (cells.some((cell) => isClearMarker(cell))) return false;
  const layout: SampleLayout = plan.layout;
  return sameContent(unpackCells(layout, cells), content);
}

/** How a sheet of samples with this header is read. */
export const planOfSamples = (header: string[], prefix: string): SheetPlan =>
  planColumns(
    header,
    { encoding: 'utf-8', delimiter: '\t', headerLine: 1, headerEnd: 1 },
    { prefix, unknownColumns: 'ignore' },
  );

/** What stands below the rows for a sample that is left out: rows that begin with # and have no name are skipped when the sheet is uploaded. */
export const leftOutRemark = (accession: string): string =>
  `# ${accession} is left out: a sheet cannot hold all that it says (for example a taxId of its own), or it is of another account and a spreadsheet would calculate one of its cells (take format=xlsx). Change it as JSON.`;

/** The content as header and cell, in an order in which the dialect puts it together again. */
export function cellsOf(content: SampleContent): ColumnList {
  const list: ColumnList = [];
  const single = (key: string, header: string, text: string): void => {
    list.push({ key, cells: [{ role: key, header, text }] });
  };
  for (const name of Object.keys(content.characteristics)) {
    for (const entry of content.characteristics[name] ?? []) {
      list.push({ key: `c ${name}`, cells: characteristicCells(name, entry) });
    }
  }
  for (const { type, target } of content.relationships)
    single(`r ${type}`, `Comment[bsd_relationship:${type}]`, target);
  for (const { url } of content.externalReferences) single('x', 'Comment[external DB REF]', url);
  for (const [member, word] of RECORDS) {
    for (const record of content[member]) list.push({ key: member, cells: recordCells(record, word) });
  }
  return list;
}

function characteristicCells(
  name: string,
  { text = '', ontologyTerms = [], unit, unitOntologyTerms = [] }: Characteristic,
): PlacedCell[] {
  return [
    valueCell('text', `Characteristics[${name}]`, text),
    ...ontologyTerms.map((term) => valueCell('term', 'Term Accession Number', term)),
    ...(unit === undefined ? [] : [valueCell('unit', 'Unit', unit)]),
    ...unitOntologyTerms.map((term) => valueCell('unit term', 'Term Accession Number', term)),
  ];
}

/** In which order the columns of a characteristic stand; a source before its own term, of which there may be several. */
const ORDER = { text: 0, 'term source': 1, term: 1, unit: 2, 'unit term source': 3, 'unit term': 3 } as const;

/** One cell of a characteristic. */
export const valueCell = (role: keyof typeof ORDER, header: string, text: string): PlacedCell => ({
  role,
  header,
  text,
  order: ORDER[role],
});

const recordCells = (record: TextRecord, word: string): PlacedCell[] =>
  Object.keys(record).map((member) => ({
    role: member,
    header: `Comment[${word}:${member}]`,
    text: record[member] as string,
  }));

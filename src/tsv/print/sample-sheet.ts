/**
 * Stored samples → a sheet to edit and upload. What cannot be said in a sheet so that its upload would change nothing
 * is found by reading the sheet back; such samples are left out and named.
 */
import { formatAccession } from '../../registry/accession.js';
import { sameContent } from '../../registry/canonical.js';
import { type SampleLayout, unpackCells } from '../../registry/packed-sample.js';
import type { Characteristic, SampleContent, StoredSample, TextRecord } from '../../registry/sample.js';
import { timeSlices } from '../../registry/time-slices.js';
import { COLUMN_LIMIT } from '../dialect.js';
import { type ColumnList, type PlacedCell, SharedColumns } from '../header/column-list.js';
import { planColumns, type SheetPlan } from '../header/columns.js';

export interface SampleSheet {
  header: string[];
  rows: string[][];
  /** Accessions of samples that a sheet cannot hold, or that `isUnsafe` keeps out. */
  leftOut: string[];
}

/** Columns that every sheet of samples begins with. */
const OWN = ['Sample Identifier', 'Sample Name', 'Release Date'];

const RECORDS = [
  ['contact', 'submission_contact'],
  ['organization', 'submission_organization'],
  ['publications', 'publication'],
] as const;

/** What a spreadsheet program would calculate when it opens the text; numbers are none. */
export const isFormula = (cell: string): boolean =>
  /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell) && !/^[+-]?\d[\d.,]*(e[+-]?\d+)?$/i.test(cell);

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
  const place = { encoding: 'utf-8', delimiter: '\t', headerLine: 1, headerEnd: 1 } as const;
  const plan = planColumns(header, place, { prefix, unknownColumns: 'ignore' });
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

function readsBack(sample: StoredSample, row: readonly string[], plan: SheetPlan): boolean {
  const cells = plan.keptColumns.map((column) => (row[column] ?? '').trim());
  const layout: SampleLayout = plan.layout;
  return (
    sample.name.trim() === sample.name && sample.name !== '' && sameContent(unpackCells(layout, cells), sample.content)
  );
}

/** The content as header and cell, in an order in which the dialect puts it together again. */
function cellsOf(content: SampleContent): ColumnList {
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
  const cell = (role: string, header: string, value: string): PlacedCell => ({ role, header, text: value });
  return [
    cell('text', `Characteristics[${name}]`, text),
    ...ontologyTerms.map((term) => cell('term', 'Term Accession Number', term)),
    ...(unit === undefined ? [] : [cell('unit', 'Unit', unit)]),
    ...unitOntologyTerms.map((term) => cell('unit term', 'Term Accession Number', term)),
  ];
}

const recordCells = (record: TextRecord, word: string): PlacedCell[] =>
  Object.keys(record).map((member) => ({
    role: member,
    header: `Comment[${word}:${member}]`,
    text: record[member] as string,
  }));

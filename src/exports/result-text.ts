/** The text of a whole result: what stands before its samples, the samples, and what stands behind them. */
import { formatNamed } from '../formats/formats.js';
import { isSheet } from '../formats/names.js';
import { formatAccession } from '../registry/accession.js';
import { RegistryError } from '../registry/errors.js';
import type { ResultRow, WholeResult } from '../registry/samples/whole-result.js';
import { editLine } from '../submissions/batch-edit/edit-file.js';
import { COLUMN_LIMIT } from '../tsv/dialect.js';
import { printCommaRow, printRow } from '../tsv/print/print-row.js';
import { type SheetRows, TooManyColumns } from '../tsv/print/sheet-columns.js';
import { CellBytes } from './cell-bytes.js';
import { recordOf } from './document-forms.js';
import { DocumentLines } from './document-lines.js';
import { MAX_TEXT_CELLS } from './formats.js';
import type { ExportOrder, ProduceDependencies } from './production.js';
import { columnsOf, type LeftOut, remarksOf, SheetLines } from './sheet-lines.js';

export interface ResultText {
  head: string;
  /** With its line end; empty when the sample is left out. */
  sample(row: ResultRow): string;
  /** The same in UTF-8 from there on; where it ends, or -1 where it has to be written as text. */
  put?(row: ResultRow, room: Uint8Array, from: number): number;
  /** Of the samples since it was last asked. */
  takeLeftOut(): LeftOut;
  /** `leftOut`: in the order of the samples. */
  tail(leftOut: readonly LeftOut[]): string;
}

/** Nothing stands before, between or behind samples that depends on other samples: they can be printed in any order. */
export const isMadeOfLines = (format: ExportOrder['format']): boolean =>
  format === 'tsv' || format === 'csv' || format === 'ndjson';

const LEAVES_NONE_OUT = (): LeftOut => ({ named: [], further: 0 });

/** @throws RegistryError request.invalid where a sheet cannot hold the result */
export async function textOf(deps: ProduceDependencies, order: ExportOrder, result: WholeResult): Promise<ResultText> {
  const { format } = order;
  if (format === 'tsv' || format === 'csv') return sheetText(deps, { ...order, format }, result);
  if (format === 'accessions') return editLines(deps);
  return format === 'ndjson' ? documentLines(deps, order) : formatted(deps, order);
}

async function sheetText(
  deps: ProduceDependencies,
  { format, account }: ExportOrder & { format: 'tsv' | 'csv' },
  result: WholeResult,
): Promise<ResultText> {
  const sheet = await sheetOf(result, deps.prefix, MAX_TEXT_CELLS);
  const maxCell = Number.POSITIVE_INFINITY;
  const lines = new SheetLines(sheet, { prefix: deps.prefix, keepsFormulas: false, account, maxCell });
  const print = format === 'tsv' ? printRow : printCommaRow;
  const bytes = new CellBytes(format);
  return {
    head: print(sheet.header),
    sample: (row) => lines.line(row, print),
    put: (row, room, from) => lines.put(row, bytes, room, from),
    takeLeftOut: () => lines.takeLeftOut(),
    tail: (leftOut) =>
      remarksOf(leftOut)
        .map((remark) => print([remark]))
        .join(''),
  };
}

function documentLines({ document, prefix }: ProduceDependencies, { curated, query }: ExportOrder): ResultText {
  const lines = new DocumentLines({ prefix, now: query.now, document: (record) => document(record, curated) });
  return {
    head: '',
    sample: (row) => lines.line(row),
    put: (row, room, from) => lines.put(row, room, from),
    takeLeftOut: LEAVES_NONE_OUT,
    tail: () => '',
  };
}

const editLines = ({ prefix }: ProduceDependencies): ResultText => ({
  head: '',
  sample: ({ id, name }) => editLine(formatAccession(prefix, id), name),
  takeLeftOut: LEAVES_NONE_OUT,
  tail: () => '',
});

/** One document of all samples, or one on each line. */
function formatted({ document, prefix }: ProduceDependencies, { format, curated, registry }: ExportOrder): ResultText {
  const many = format === 'accessions' || isSheet(format) ? undefined : formatNamed(format)?.many(registry);
  if (many === undefined) throw new Error(`${format} is no format of text`);
  return {
    ...many,
    takeLeftOut: LEAVES_NONE_OUT,
    sample: (row) => {
      const accession = formatAccession(prefix, row.id);
      const address = `${registry}/samples/${accession}`;
      return many.sample({ sample: { ...document(recordOf(row), curated), accession }, address, registry });
    },
  };
}

/** @throws RegistryError request.invalid where the sheet would be too wide or too large */
export async function sheetOf(result: WholeResult, prefix: string, maxCells: number): Promise<SheetRows> {
  const sheet = await columnsOf(result, prefix).catch((error: unknown) => {
    throw error instanceof TooManyColumns ? tooWide(result.count, COLUMN_LIMIT) : error;
  });
  const cells = (result.count + 1) * sheet.header.length;
  if (cells > maxCells) throw tooManyCells(cells, maxCells);
  return sheet;
}

const OTHERWISE = 'Narrow the search, or take format=ndjson, which has no such bound.';

const tooWide = (count: number, most: number): RegistryError =>
  new RegistryError(
    'request.invalid',
    `These ${count} samples have so many different characteristics that their sheet would have more than ${most} columns. ${OTHERWISE}`,
  );

const tooManyCells = (cells: number, most: number): RegistryError =>
  new RegistryError(
    'request.invalid',
    `This sheet would have ${cells} cells; at most ${most} are printed. ${OTHERWISE}`,
  );

/** Makes the file of a whole result: one walk for its columns, one for its rows, both of one moment. */

import type { ManySamples } from '../formats/format.js';
import { formatNamed } from '../formats/formats.js';
import { type ExportFormat, isSheet, type SheetFormat } from '../formats/names.js';
import { formatAccession } from '../registry/accession.js';
import { RegistryError } from '../registry/errors.js';
import type { Caller } from '../registry/permissions.js';
import type { SampleDocument } from '../registry/representation.js';
import type { ShownRecord } from '../registry/sample-reader.js';
import type { ResultQuery, WholeResult, WholeResultStore } from '../registry/whole-result.js';
import { editLine } from '../submissions/batch-edit/edit-file.js';
import { COLUMN_LIMIT } from '../tsv/dialect.js';
import { printCommaRow, printRow } from '../tsv/print/print-row.js';
import { type SheetRows, TooManyColumns } from '../tsv/print/sheet-columns.js';
import { DocumentLines, recordOf } from './document-lines.js';
import { MAX_TEXT_CELLS, type SheetLimits } from './formats.js';
import { columnsOf, SheetLines } from './sheet-lines.js';

export interface ExportOrder {
  /** `accessions`: the lines of a batch edit. */
  format: ExportFormat | 'accessions';
  query: ResultQuery;
  account: Caller['account'] | undefined;
  /** Documents as readers see them, with curations; a sheet always has the samples as they were submitted. */
  curated: boolean;
  /** Address of the registry, for links and identifiers. */
  registry: string;
  /** Nothing is printed. */
  countOnly: boolean;
}

export interface ProduceDependencies {
  store: WholeResultStore;
  prefix: string;
  /** What `GET /samples/{accession}` shows of a sample, without links. */
  document(record: ShownRecord, curated: boolean): SampleDocument;
  workbook: {
    limits: SheetLimits & { cellText: number };
    /** The rows, of which the first is a header, as .xlsx. */
    print(rows: AsyncIterable<string[]>, columns: number): AsyncIterable<Buffer>;
  };
}

export interface ExportOutput {
  /** Of the samples, when nothing more can be refused; before the first byte. */
  counted(count: number): void;
  /** The bytes are used again when it resolves. */
  write(bytes: Uint8Array): Promise<void> | void;
}

/** Characters that are printed before they are handed on, and bytes that are handed on at once. */
const PIECE = 128 * 1024;

/** @throws RegistryError request.invalid where the format cannot hold the result, service.unavailable, storage.damaged */
export const produceExport = (deps: ProduceDependencies, order: ExportOrder, out: ExportOutput): Promise<void> =>
  deps.store.wholeResult(order.query, async (result) => {
    const { format, countOnly } = order;
    const { rows } = deps.workbook.limits;
    if (format === 'xlsx' && result.count >= rows) throw tooManyRows(result.count, rows);
    if (countOnly) out.counted(result.count);
    else if (format === 'accessions') {
      out.counted(result.count);
      await write(out, editLines(deps.prefix, result));
    } else if (!isSheet(format)) {
      out.counted(result.count);
      const many = formatNamed(format)?.many(order.registry);
      await write(out, many ? formatted(deps, order, result, many) : documents(deps, order, result));
    } else await printSheet(deps, { format, account: order.account }, result, out);
  });

async function printSheet(
  { prefix, workbook }: ProduceDependencies,
  { format, account }: { format: SheetFormat; account: string | undefined },
  result: WholeResult,
  out: ExportOutput,
): Promise<void> {
  const asText = format !== 'xlsx';
  const sheet = await columnsOf(result, prefix).catch((error: unknown) => {
    throw error instanceof TooManyColumns ? tooWide(result.count, COLUMN_LIMIT) : error;
  });
  const cells = (result.count + 1) * sheet.header.length;
  const most = asText ? MAX_TEXT_CELLS : workbook.limits.cells;
  if (cells > most) throw tooManyCells(cells, most);
  out.counted(result.count);
  const maxCell = asText ? Number.POSITIVE_INFINITY : workbook.limits.cellText;
  const lines = new SheetLines(sheet, { prefix, keepsFormulas: !asText, account, maxCell });
  if (asText) return write(out, textOf(result, sheet, lines, format));
  for await (const piece of workbook.print(cellsOf(result, sheet, lines), sheet.header.length)) await out.write(piece);
}

async function* documents(
  { document, prefix }: ProduceDependencies,
  { curated, query }: ExportOrder,
  result: WholeResult,
): AsyncGenerator<string> {
  const lines = new DocumentLines({ prefix, now: query.now, document: (record) => document(record, curated) });
  for await (const rows of result.rows()) {
    let text = '';
    for (const row of rows) text += lines.line(row);
    yield text;
  }
}

/** One document of all samples, or one on each line. */
async function* formatted(
  { document, prefix }: ProduceDependencies,
  { curated, registry }: ExportOrder,
  result: WholeResult,
  { head, sample, tail }: ManySamples,
): AsyncGenerator<string> {
  yield head;
  for await (const rows of result.rows()) {
    for (const row of rows) {
      const accession = formatAccession(prefix, row.id);
      const address = `${registry}/samples/${accession}`;
      yield sample({ sample: { ...document(recordOf(row), curated), accession }, address, registry });
    }
  }
  yield tail();
}

async function* editLines(prefix: string, result: WholeResult): AsyncGenerator<string> {
  for await (const rows of result.rows()) {
    yield rows.map(({ id, name }) => editLine(formatAccession(prefix, id), name)).join('');
  }
}

async function* textOf(
  result: WholeResult,
  sheet: SheetRows,
  lines: SheetLines,
  format: 'tsv' | 'csv',
): AsyncGenerator<string> {
  const print = format === 'tsv' ? printRow : printCommaRow;
  yield print(sheet.header);
  for await (const rows of result.rows()) {
    let text = '';
    for (const row of rows) text += format === 'tsv' ? lines.tabLine(row) : lines.commaLine(row);
    yield text;
  }
  for (const remark of lines.remarks()) yield print([remark]);
}

async function* cellsOf(result: WholeResult, sheet: SheetRows, lines: SheetLines): AsyncGenerator<string[]> {
  yield sheet.header;
  for await (const rows of result.rows()) {
    for (const row of rows) {
      const cells = lines.cells(row);
      if (cells) yield cells;
    }
  }
  for (const remark of lines.remarks()) yield [remark];
}

/** Through one buffer: the texts of a result are many, and some are large. */
async function write(out: ExportOutput, texts: AsyncIterable<string>): Promise<void> {
  const encoder = new TextEncoder();
  const room = new Uint8Array(PIECE);
  const give = async (text: string): Promise<void> => {
    for (let rest = text; rest !== ''; ) {
      const { read, written } = encoder.encodeInto(rest, room);
      await out.write(room.subarray(0, written));
      rest = rest.slice(read);
    }
  };
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    await give(piece);
    piece = '';
  }
  await give(piece);
}

const OTHERWISE = 'Narrow the search, or take format=ndjson, which has no such bound.';

const tooManyRows = (count: number, most: number): RegistryError =>
  new RegistryError(
    'request.invalid',
    `These are ${count} samples, and a worksheet holds ${most - 1} below its header. Take format=tsv or csv, or narrow the search.`,
  );

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

/** Prints what a whole result is, one walk for its columns and one for its rows. */
import { RegistryError } from '../registry/errors.js';
import type { ResultRow, WholeResult } from '../registry/whole-result.js';
import type { SheetRows } from '../tsv/print/sheet-columns.js';
import type { ExportOrder, ExportOutput, OtherHalf, ProduceDependencies } from './production.js';
import { type ResultText, sheetOf, textOf } from './result-text.js';
import { type LeftOut, SheetLines } from './sheet-lines.js';

/** Characters that are printed before they are handed on, and bytes that are handed on at once. */
const PIECE = 128 * 1024;
/** @throws RegistryError request.invalid where the format cannot hold the result */
export async function printResult(
  deps: ProduceDependencies,
  order: ExportOrder,
  result: WholeResult,
  out: ExportOutput,
  division?: { other: OtherHalf; middle: number },
): Promise<void> {
  const { rows: sheetRows } = deps.workbook.limits;
  if (order.format === 'xlsx' && result.count >= sheetRows) throw tooManyRows(result.count, sheetRows);
  if (order.countOnly) out.counted(result.count);
  else if (order.format === 'xlsx') await printWorkbook(deps, order, result, out);
  else {
    division?.other.print(division.middle);
    const text = await textOf(deps, order, result);
    out.counted(result.count);
    const bytes = new TextBytes(out);
    await bytes.write(text.head);
    await printRows(text, result.rows(division && { below: division.middle }), bytes);
    if (division) {
      await bytes.flush();
      for await (const piece of division.other.printed()) await out.write(piece);
      text.leaveOut?.(await division.other.leftOut());
    }
    await bytes.write(text.tail());
    await bytes.flush();
  }
}

async function printRows(text: ResultText, blocks: AsyncIterable<ResultRow[]>, bytes: TextBytes): Promise<void> {
  for await (const rows of blocks) {
    let piece = '';
    for (const row of rows) piece += text.sample(row);
    await bytes.write(piece);
  }
}

export async function printSecondHalf(
  deps: ProduceDependencies,
  order: ExportOrder,
  result: WholeResult,
  out: Pick<ExportOutput, 'write'>,
  from: number,
): Promise<LeftOut> {
  const text = await textOf(deps, order, result);
  const bytes = new TextBytes(out);
  await printRows(text, result.rows({ from }), bytes);
  await bytes.flush();
  return text.leftOut ?? { count: 0, named: [] };
}

async function printWorkbook(
  { prefix, workbook }: ProduceDependencies,
  { account }: ExportOrder,
  result: WholeResult,
  out: ExportOutput,
): Promise<void> {
  const { cells, cellText } = workbook.limits;
  const sheet = await sheetOf(result, prefix, cells);
  out.counted(result.count);
  const lines = new SheetLines(sheet, { prefix, keepsFormulas: true, account, maxCell: cellText });
  for await (const piece of workbook.print(cellsOf(result, sheet, lines), sheet.header.length)) await out.write(piece);
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

/** Text as bytes, through one buffer: the texts of a result are many, and some are large. */
class TextBytes {
  readonly #encoder = new TextEncoder();
  readonly #room = new Uint8Array(PIECE);
  #text = '';

  constructor(private readonly out: Pick<ExportOutput, 'write'>) {}

  async write(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length >= PIECE) await this.flush();
  }

  async flush(): Promise<void> {
    for (let rest = this.#text; rest !== ''; ) {
      const { read, written } = this.#encoder.encodeInto(rest, this.#room);
      await this.out.write(this.#room.subarray(0, written));
      rest = rest.slice(read);
    }
    this.#text = '';
  }
}

const tooManyRows = (count: number, most: number): RegistryError =>
  new RegistryError(
    'request.invalid',
    `These are ${count} samples, and a worksheet holds ${most - 1} below its header. Take format=tsv or csv, or narrow the search.`,
  );

/** Makes the file of a whole result: one walk for its columns, one for its rows, both of one moment. */
import { RegistryError } from '../registry/errors.js';
import type { WholeResult } from '../registry/whole-result.js';
import type { SheetRows } from '../tsv/print/sheet-columns.js';
import type { ExportOrder, ExportOutput, ProduceDependencies } from './production.js';
import { sheetOf, textOf } from './result-text.js';
import { SheetLines } from './sheet-lines.js';

/** Characters that are printed before they are handed on, and bytes that are handed on at once. */
const PIECE = 128 * 1024;

/** Makes the file of a whole result. @throws RegistryError request.invalid where the format cannot hold it, service.unavailable, storage.damaged */
export const produceExport = (deps: ProduceDependencies, order: ExportOrder, out: ExportOutput): Promise<void> =>
  deps.store.wholeResult(order.query, async (result) => {
    const { rows } = deps.workbook.limits;
    if (order.format === 'xlsx' && result.count >= rows) throw tooManyRows(result.count, rows);
    if (order.countOnly) out.counted(result.count);
    else if (order.format === 'xlsx') await printWorkbook(deps, order, result, out);
    else await printText(deps, order, result, out);
  });

async function printText(
  deps: ProduceDependencies,
  order: ExportOrder,
  result: WholeResult,
  out: ExportOutput,
): Promise<void> {
  const text = await textOf(deps, order, result);
  out.counted(result.count);
  const bytes = new TextBytes(out);
  await bytes.write(text.head);
  for await (const rows of result.rows()) {
    let piece = '';
    for (const row of rows) piece += text.sample(row);
    await bytes.write(piece);
  }
  await bytes.write(text.tail());
  await bytes.flush();
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

/** Makes the file of a whole result: one walk for its columns, one for its rows, both of one moment. */
import { RegistryError } from '../registry/errors.js';
import type { IdRange, Moment, WholeResult } from '../registry/samples/whole-result.js';
import type { SheetRows } from '../tsv/print/sheet-columns.js';
import { type PartLeftOut, type SharedParts, type Together, takeParts } from './parts.js';
import type { ExportOrder, ExportOutput, ProduceDependencies } from './production.js';
import { type ResultText, sheetOf, textOf } from './result-text.js';
import { type LeftOut, remarksOf, SheetLines } from './sheet-lines.js';
import { TextBytes } from './text-bytes.js';

/** How threads that make a result together see its moment, and then which parts they take; undefined where one makes all. */
export interface Sharing {
  moment: Moment;
  begun(): Together | undefined;
}

/** Makes a whole result. @throws RegistryError request.invalid where the format cannot hold it, service.unavailable, storage.damaged */
export const produceExport = (
  deps: ProduceDependencies,
  order: ExportOrder,
  out: ExportOutput,
  sharing?: Sharing,
): Promise<void> =>
  deps.store.wholeResult(
    order.query,
    async (result) => {
      const { rows } = deps.workbook.limits;
      if (order.format === 'xlsx' && result.count >= rows) throw tooManyRows(result.count, rows);
      if (order.countOnly) out.counted(result.count);
      else if (order.format === 'xlsx') await printWorkbook(deps, order, result, out);
      else await printText(await textOf(deps, order, result), result, out, sharing?.begun());
    },
    sharing?.moment,
  );

async function printText(text: ResultText, result: WholeResult, out: ExportOutput, together?: Together): Promise<void> {
  const bytes = new TextBytes(out);
  const print = async (range?: IdRange): Promise<LeftOut> => {
    for await (const rows of result.rows(range)) {
      for (const row of rows) {
        if (!bytes.put((room, from) => text.put?.(row, room, from) ?? -1)) await bytes.write(text.sample(row));
        if (bytes.isFull) await bytes.flush();
      }
    }
    return text.takeLeftOut();
  };
  const printParts = async (parts: SharedParts, requireOthers = (): void => undefined): Promise<PartLeftOut[]> => {
    const leftOut: PartLeftOut[] = [];
    for (const { part, range } of takeParts(parts)) {
      requireOthers();
      await bytes.begin(part);
      leftOut.push({ part, ...(await print(range)) });
    }
    return leftOut;
  };
  if (together && 'madeParts' in together) {
    const leftOut = await printParts(together.parts);
    await bytes.end();
    together.madeParts(leftOut);
    return;
  }
  out.counted(result.count);
  await bytes.begin(0);
  await bytes.write(text.head);
  if (together === undefined) {
    await bytes.write(text.tail([await print()]));
  } else {
    const own = await printParts(together.parts, together.requireOthers);
    await bytes.begin(together.parts.ranges.length + 1);
    const leftOut = [...own, ...(await together.others())].sort((one, other) => one.part - other.part);
    await bytes.write(text.tail(leftOut));
  }
  await bytes.end();
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
  for await (const piece of workbook.print(cellsOf(result, sheet, lines), sheet.header.length))
    await out.write(0, piece);
  await out.ended(0);
}

async function* cellsOf(result: WholeResult, sheet: SheetRows, lines: SheetLines): AsyncGenerator<string[]> {
  yield sheet.header;
  for await (const rows of result.rows()) {
    for (const row of rows) {
      const cells = lines.cells(row);
      if (cells) yield cells;
    }
  }
  for (const remark of remarksOf([lines.takeLeftOut()])) yield [remark];
}

const tooManyRows = (count: number, most: number): RegistryError =>
  new RegistryError(
    'request.invalid',
    `These are ${count} samples, and a worksheet holds ${most - 1} below its header. Take format=tsv or csv, or narrow the search.`,
  );

/** Makes the file of a whole result: one walk for its columns, one for its rows, both of one moment. */
import { RegistryError } from '../registry/errors.js';
import type { IdRange, Moment, WholeResult } from '../registry/whole-result.js';
import type { SheetRows } from '../tsv/print/sheet-columns.js';
import { type PartLeftOut, type SharedParts, type Together, takeParts } from './parts.js';
import type { ExportOrder, ExportOutput, ProduceDependencies } from './production.js';
import { type ResultText, sheetOf, textOf } from './result-text.js';
import { type LeftOut, remarksOf, SheetLines } from './sheet-lines.js';

/** Characters that are printed before they are handed on, and bytes that are handed on at once. */
const PIECE = 128 * 1024;

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
      let piece = '';
      for (const row of rows) piece += text.sample(row);
      await bytes.write(piece);
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

/** The text of one part after the other as bytes, through one buffer: the texts of a result are many, and some are large. */
class TextBytes {
  readonly #encoder = new TextEncoder();
  readonly #room = new Uint8Array(PIECE);
  #text = '';
  #part: number | undefined;

  constructor(private readonly out: Pick<ExportOutput, 'write' | 'ended'>) {}

  /** Ends the part before. */
  async begin(part: number): Promise<void> {
    await this.end();
    this.#part = part;
  }

  async write(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length >= PIECE) await this.#flush();
  }

  async end(): Promise<void> {
    if (this.#part === undefined) return;
    await this.#flush();
    await this.out.ended(this.#part);
    this.#part = undefined;
  }

  async #flush(): Promise<void> {
    for (let rest = this.#text; rest !== ''; ) {
      const { read, written } = this.#encoder.encodeInto(rest, this.#room);
      await this.out.write(this.#part as number, this.#room.subarray(0, written));
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

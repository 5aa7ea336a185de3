/** Whole results as sheets to edit and upload: what is printed of each sample, and which are left out. */
import { formatAccession } from '../registry/accession.js';
import { contentOf } from '../registry/samples/decide.js';
import type { ResultRow, WholeResult } from '../registry/samples/whole-result.js';
import { isClearMarker } from '../tsv/dialect.js';
import { isFormula, isPlainName, leftOutRemark } from '../tsv/print/sample-sheet.js';
import { directCells, SheetColumns, type SheetRows } from '../tsv/print/sheet-columns.js';
import { type CellBytes, putAscii } from './cell-bytes.js';
import { dateTexts } from './date-texts.js';

/** Samples that are named among those that are left out; of further ones it is said how many. */
const NAMED = 1_000;
/** Bytes of the longest accession and date, with what stands between. */
const LONGEST_OWN = 128;
const LINE_FEED = 0x0a;

export interface LineSettings {
  prefix: string;
  /** Cells of others that a spreadsheet program would calculate keep their sample out, but where cells say that they are text. */
  keepsFormulas: boolean;
  /** Account of the caller. */
  account: string | undefined;
  /** Longest text that a cell may have. */
  maxCell: number;
}

/** Samples that a sheet cannot hold: the accessions of the first ones, in order, and of how many more. */
export interface LeftOut {
  named: string[];
  further: number;
}

/** As lines to stand below the others. */
export function remarksOf(leftOut: readonly LeftOut[]): string[] {
  const all = leftOut.flatMap(({ named }) => named);
  const named = all.slice(0, NAMED);
  const further = leftOut.reduce((sum, one) => sum + one.further, all.length - named.length);
  return [
    ...named.map(leftOutRemark),
    ...(further > 0
      ? [`# and ${further} further samples are left out for such reasons; format=ndjson has all of them.`]
      : []),
  ];
}

export async function columnsOf(result: WholeResult, prefix: string): Promise<SheetRows> {
  const columns = new SheetColumns();
  for await (const { layouts, documents } of result.shapes()) {
    for (const layout of layouts) columns.addLayout(layout);
    for (const doc of documents) columns.addContent(contentOf({ layout: undefined, doc }));
  }
  return columns.finish(prefix);
}

export class SheetLines {
  #leftOut: LeftOut = { named: [], further: 0 };
  readonly #dates = dateTexts();

  constructor(
    private readonly sheet: SheetRows,
    private readonly settings: LineSettings,
  ) {}

  /** The row's cells, or undefined when the sample is left out. */
  cells(row: ResultRow): string[] | undefined {
    const { layout, doc } = row;
    const direct = layout && this.sheet.directOf(layout);
    const content = direct ? directCells(direct, doc) : this.sheet.place(contentOf(row));
    const cells = content && [
      formatAccession(this.settings.prefix, row.id),
      row.name,
      this.#dates.of(row.release),
      ...content,
    ];
    if (cells && isPlainName(row.name) && this.#isAllowed(row, cells)) return cells;
    if (this.#leftOut.named.length === NAMED) this.#leftOut.further++;
    else this.#leftOut.named.push(formatAccession(this.settings.prefix, row.id));
    return undefined;
  }

  /** With its line end; empty when the sample is left out. */
  line(row: ResultRow, print: (cells: readonly string[]) => string): string {
    const cells = this.cells(row);
    return cells === undefined ? '' : print(cells);
  }

  /** The same in UTF-8, of a row whose cells stand as they are stored; where it ends, or -1 where only `line` can print it. */
  put({ id, release, layout, bytes, account }: ResultRow, cells: CellBytes, into: Uint8Array, from: number): number {
    const columns = layout && this.sheet.directOf(layout);
    if (!bytes || !columns?.inOrder || !cells.isPlainName(bytes)) return -1;
    // Of a cell with commas and nothing else, a third is the quotes around it.
    const most = 3 * (bytes.end - bytes.name) + columns.cells.length + LONGEST_OWN;
    if (most > into.length - from) return -1;
    const keepsOutFormulas = account !== this.settings.account;
    let at = putAscii(formatAccession(this.settings.prefix, id), into, from);
    into[at++] = cells.separator;
    at = cells.put(bytes.bytes, bytes.name, bytes.doc, into, at, keepsOutFormulas);
    if (at === -1) return -1;
    into[at++] = cells.separator;
    at = putAscii(this.#dates.of(release), into, at);
    if (columns.cells.length > 0) {
      into[at++] = cells.separator;
      at = cells.put(bytes.bytes, bytes.doc, bytes.end, into, at, keepsOutFormulas);
      if (at === -1) return -1;
      for (let missing = columns.cells.length - cells.cells; missing > 0; missing--) into[at++] = cells.separator;
    }
    into[at++] = LINE_FEED;
    return at;
  }

  /** Of the samples since it was last asked. */
  takeLeftOut(): LeftOut {
    const leftOut = this.#leftOut;
    this.#leftOut = { named: [], further: 0 };
    return leftOut;
  }

  #isAllowed({ account }: ResultRow, cells: readonly string[]): boolean {
    const { keepsFormulas, maxCell } = this.settings;
    if (cells.some((cell) => cell.length > maxCell || isClearMarker(cell))) return false;
    return keepsFormulas || account === this.settings.account || !cells.some(isFormula);
  }
}

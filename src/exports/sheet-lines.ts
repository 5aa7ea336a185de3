/** Whole results as sheets to edit and upload: what is printed of each sample, and which are left out. */
import { formatAccession } from '../registry/accession.js';
import { contentOf } from '../registry/decide.js';
import { CELL_SEPARATOR } from '../registry/packed-sample.js';
import type { ResultRow, WholeResult } from '../registry/whole-result.js';
import { isClearMarker, MAY_HOLD_CLEAR_MARKER } from '../tsv/dialect.js';
import { needsQuotes, printCommaRow, printRow } from '../tsv/print/print-row.js';
import { isFormula, isPlainName, leftOutRemark, MAY_HAVE_FORMULA } from '../tsv/print/sample-sheet.js';
import { directCells, SheetColumns, type SheetRows } from '../tsv/print/sheet-columns.js';
import { DateTexts } from './date-texts.js';

/** Samples that are named among those that are left out; of further ones it is said how many. */
const NAMED = 1_000;

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
  readonly #dates = new DateTexts();

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
      this.#dates.text(row.release),
      ...content,
    ];
    if (cells && isPlainName(row.name) && this.#isAllowed(row, cells)) return cells;
    if (this.#leftOut.named.length === NAMED) this.#leftOut.further++;
    else this.#leftOut.named.push(formatAccession(this.settings.prefix, row.id));
    return undefined;
  }

  /** With its line end; empty when the sample is left out. */
  tabLine(row: ResultRow): string {
    return this.#copied(row) ?? this.#printed(row, printRow);
  }

  commaLine(row: ResultRow): string {
    return this.#printed(row, printCommaRow);
  }

  /** Of the samples since it was last asked. */
  takeLeftOut(): LeftOut {
    const leftOut = this.#leftOut;
    this.#leftOut = { named: [], further: 0 };
    return leftOut;
  }

  #printed(row: ResultRow, print: (cells: readonly string[]) => string): string {
    const cells = this.cells(row);
    return cells === undefined ? '' : print(cells);
  }

  /** The line of a sample whose cells stand as they are stored, which is most samples of sheets. */
  #copied({ id, name, release, layout, doc, account }: ResultRow): string | undefined {
    const direct = layout && this.sheet.directOf(layout);
    if (!direct?.inOrder || !isPlainName(name) || needsQuotes(name) || name.includes(CELL_SEPARATOR)) return undefined;
    if (needsQuotes(doc) || MAY_HOLD_CLEAR_MARKER.test(doc)) return undefined;
    if (account !== this.settings.account && (MAY_HAVE_FORMULA.test(name) || MAY_HAVE_FORMULA.test(doc)))
      return undefined;
    const missing = direct.cells.length - cellCount(doc);
    const end = missing > 0 ? `${CELL_SEPARATOR.repeat(missing)}\n` : '\n';
    const start = `${this.settings.prefix}${id}\t${name}\t${this.#dates.text(release)}`;
    return direct.cells.length === 0 ? `${start}\n` : `${start}\t${doc}${end}`;
  }

  #isAllowed({ account }: ResultRow, cells: readonly string[]): boolean {
    const { keepsFormulas, maxCell } = this.settings;
    if (cells.some((cell) => cell.length > maxCell || isClearMarker(cell))) return false;
    return keepsFormulas || account === this.settings.account || !cells.some(isFormula);
  }
}

function cellCount(doc: string): number {
  let count = 1;
  for (let at = doc.indexOf(CELL_SEPARATOR); at !== -1; at = doc.indexOf(CELL_SEPARATOR, at + 1)) count++;
  return count;
}

/** The cells of a sheet in OpenDocument, row by row. Rows and cells that are alike are written once, with how often they come. */
import { linkInFormula, shownByLink } from '../cell-notes.js';
import { LIMITS } from '../limits.js';
import { AnnotationReader } from '../read-comments.js';
import { broken, tooLarge, uncalculated } from '../refusal.js';
import type { CellContent, SheetNotes, SheetSink } from '../sheet.js';
import { ofNumber } from '../shown-number.js';
import type { XmlHandler } from '../xml.js';
import { CellText } from './open-document-text.js';
import { ASIDE, cellText, GROUPS, isNumber, timesOf } from './open-document-values.js';

type Place = 'outside' | 'document' | 'table' | 'row' | 'cell' | 'paragraph';

/** The cells of one of the tables, row by row, as they stream by; what is no cell passes by unread. */
export class TableReader implements XmlHandler {
  readonly notes: SheetNotes = { merged: 0, formulas: 0, hiddenRows: 0 };
  #place: Place = 'outside';
  /** Open elements within one that passes by. */
  #aside = 0;
  /** Open groups of rows. */
  #groups = 0;
  #table = -1;
  /** The last row that is behind. */
  #row = 0;
  #rowTimes = 1;
  #rowHidden = false;
  #rowStyle: string | undefined;
  /** Of each column, from 0, the style of its cells. */
  readonly #columnStyles: (string | undefined)[] = [];
  #column = 0;
  /** Of the present row. */
  #cells: { column: number; content: CellContent; link: string | undefined; struck: boolean }[] = [];
  /** Up to the last filled one of each row of the table. */
  #positions = 0;
  #cell: Record<string, string> = {};
  readonly #text: CellText;
  #comment: AnnotationReader | undefined;

  /** `table`: its number, from 0; `sheet`: its name, for messages; `styles`: those of raised text, and of cells that are struck through. */
  constructor(
    private readonly table: number,
    private readonly sheet: string,
    private readonly sink: SheetSink,
    private readonly styles: { raised?: ReadonlySet<string>; struck?: ReadonlySet<string> } = {},
  ) {
    this.#text = new CellText(styles.raised ?? new Set(), () =>
      tooLarge(`A cell in row ${this.#row + 1} of the sheet ${sheet} holds more text than is read.`),
    );
  }

  /** All of the table has been read. */
  get isBehind(): boolean {
    return this.#table >= this.table && (this.#place === 'document' || this.#place === 'outside') && this.#aside === 0;
  }

  /** Where all has been read. @throws RegistryError file.not-understood */
  requireBehind(): void {
    if (!this.isBehind) throw this.#misplaced();
  }

  open(name: string, attributes: Record<string, string>): void {
    if (this.#aside > 0) {
      this.#aside++;
      this.#comment?.open(name);
      return;
    }
    switch (this.#place) {
      case 'outside':
        if (name === 'spreadsheet') this.#place = 'document';
        return;
      case 'document':
        if (name === 'table' && ++this.#table === this.table) this.#openTable(attributes);
        else this.#aside = 1;
        return;
      case 'table':
        if (name === 'table-row') this.#openRow(attributes);
        else if (GROUPS.has(name)) this.#groups++;
        else {
          this.#aside = 1;
          if (name === 'table-column') this.#passColumns(attributes);
        }
        return;
      case 'row':
        if (name === 'table-cell' || name === 'covered-table-cell') this.#openCell(attributes);
        else this.#aside = 1;
        return;
      case 'cell':
        if (name === 'p') {
          this.#place = 'paragraph';
          this.#text.openParagraph();
        } else this.#passBy(name);
        return;
      case 'paragraph':
        if (ASIDE.has(name)) this.#aside = 1;
        else this.#text.openPart(name, attributes);
    }
  }

  /** Within a cell, what is none of its paragraphs. */
  #passBy(name: string): void {
    this.#aside = 1;
    if (name === 'annotation') this.#comment = new AnnotationReader();
  }

  #closeComment(): void {
    const said = this.#comment?.said();
    if (said !== undefined) this.sink.commented?.(this.#row + 1, this.#column + 1, said);
    this.#comment = undefined;
  }

  close(name: string): void {
    if (this.#aside > 0) {
      this.#aside--;
      this.#comment?.close(name);
      if (this.#aside === 0) this.#closeComment();
      return;
    }
    switch (this.#place) {
      case 'paragraph':
        if (!this.#text.closePart()) this.#place = 'cell';
        return;
      case 'cell':
        this.#closeCell();
        return;
      case 'row':
        this.#closeRow();
        return;
      case 'table':
        if (this.#groups > 0) this.#groups--;
        else this.#place = 'document';
        return;
      case 'document':
        this.#place = 'outside';
    }
  }

  text(text: string): void {
    this.#comment?.text(text);
    if (this.#place === 'paragraph' && this.#aside === 0) this.#text.write(text);
  }

  /** Its place was found by the bytes of the tags, which may stand where they are none. */
  #openTable(attributes: Record<string, string>): void {
    if ((attributes['table:name'] ?? '') !== this.sheet) throw this.#misplaced();
    this.#place = 'table';
  }

  #misplaced(): Error {
    return broken(`The sheet ${this.sheet} is not where the workbook seems to have it.`);
  }

  /** The style of cells that name none of their own. */
  #passColumns(attributes: Record<string, string>): void {
    const style = attributes['table:default-cell-style-name'];
    const all = this.#columnStyles.length + timesOf(attributes['table:number-columns-repeated']);
    while (this.#columnStyles.length < Math.min(all, LIMITS.columns)) this.#columnStyles.push(style);
  }

  #isStruck(column: number): boolean {
    const { struck } = this.styles;
    if (struck === undefined || struck.size === 0) return false;
    const own = this.#cell['table:style-name'] ?? this.#rowStyle;
    return struck.has(own ?? this.#columnStyles[column - 1] ?? '');
  }

  #openRow(attributes: Record<string, string>): void {
    this.#place = 'row';
    this.#rowTimes = timesOf(attributes['table:number-rows-repeated']);
    this.#rowStyle = attributes['table:default-cell-style-name'];
    this.#rowHidden = (attributes['table:visibility'] ?? 'visible') !== 'visible';
    this.#column = 0;
    this.#cells = [];
  }

  #openCell(attributes: Record<string, string>): void {
    this.#place = 'cell';
    this.#cell = attributes;
    this.#text.begin(linkInFormula(attributes['table:formula'] ?? ''));
    const rows = timesOf(attributes['table:number-rows-spanned']);
    if (rows > 1 || timesOf(attributes['table:number-columns-spanned']) > 1) this.notes.merged++;
    const row = this.#row + 1;
    this.sink.merged?.({ row, column: this.#column + 1, lastRow: row + rows - 1 });
  }

  #closeCell(): void {
    this.#place = 'row';
    const times = timesOf(this.#cell['table:number-columns-repeated']);
    const first = this.#column + 1;
    this.#column += times;
    const text = this.#value();
    if (text === '') return;
    if (this.#column > LIMITS.columns) throw this.#tooManyCells();
    const content = isNumber(this.#cell) ? ofNumber(text) : { text };
    for (let column = first; column <= this.#column; column++)
      this.#cells.push({ column, content, link: this.#text.link, struck: this.#isStruck(column) });
  }

  #closeRow(): void {
    this.#place = 'table';
    const cells = this.#cells;
    const first = this.#row + 1;
    this.#row += this.#rowTimes;
    const last = cells.at(-1);
    if (last === undefined) return;
    if (this.#row > LIMITS.rows) throw tooLarge(`The sheet ${this.sheet} has more than ${LIMITS.rows} rows.`);
    this.#positions += last.column * this.#rowTimes;
    if (this.#positions > LIMITS.cells) throw this.#tooManyCells();
    if (this.#rowHidden) this.notes.hiddenRows += this.#rowTimes;
    for (let row = first; row <= this.#row; row++) {
      if (this.#rowHidden) this.sink.hidden?.(row);
      this.sink.row(row);
      for (const { column, content, link, struck } of cells) {
        if (struck) this.sink.struck?.(row, column);
        if (link !== undefined) this.sink.linked?.(row, column, link);
        this.sink.cell(row, column, content);
      }
    }
  }

  #value(): string {
    const formula = this.#cell['table:formula'];
    if (formula !== undefined) {
      this.notes.formulas++;
      // A result that is an empty text is a paragraph without any.
      if (this.#cell['office:value-type'] === undefined && this.#text.isEmpty) {
        const shown = shownByLink(formula);
        if (shown === undefined) throw uncalculated(this.sheet, this.#row + 1, this.#column);
        return shown;
      }
    }
    return cellText(this.#cell, this.#text.text);
  }

  #tooManyCells(): Error {
    return tooLarge(
      `The sheet ${this.sheet} has more cells than are read (${LIMITS.columns} columns, ${LIMITS.cells} cells).`,
    );
  }
}

/** Addresses that the cells of a sheet link to. In an .xlsx workbook the cells stand behind all cells, and the addresses in a part of their own. */
import { columnNumber } from '../tsv/dialect.js';
import type { CellLinks } from './cell-notes.js';

/** Cells that are looked at. */
const MOST = 20_000;
const REF = /(?:^|\s)ref\s*=\s*["']([^"']*)["']/;
const ID = /(?:^|\s)[^\s:="']+:id\s*=\s*["']([^"']*)["']/;
const PLACE = /^\$?([A-Z]{1,3})\$?(\d{1,7})(?::|$)/;

/** The cell, or the first of a range. */
export function placeOf(reference: string): { row: number; column: number } | undefined {
  const [, letters, row] = PLACE.exec(reference) ?? [];
  return letters === undefined ? undefined : { row: Number(row), column: columnNumber(letters) + 1 };
}

/** The cells as they are gathered. Of a range that links as a whole it is the first. */
export class LinkedCells {
  readonly #cells = new Map<number, Map<number, string>>();
  #count = 0;

  /** `addresses`: by the names that the sheet has for them; a link to a place of the workbook has none. */
  constructor(private readonly addresses: ReadonlyMap<string, string> = new Map()) {}

  get cells(): CellLinks {
    return this.#cells;
  }

  /** The attributes of a tag of an .xlsx sheet as they stand. */
  add(attributes: string): void {
    if (this.#count >= MOST) return;
    const place = placeOf(attributeOf(attributes, REF) ?? '');
    const address = this.addresses.get(attributeOf(attributes, ID) ?? '');
    if (place !== undefined && address !== undefined) this.set(place.row, place.column, address);
  }

  set(row: number, column: number, address: string): void {
    if (++this.#count > MOST) return;
    const ofRow = this.#cells.get(row) ?? new Map<number, string>();
    this.#cells.set(row, ofRow.set(column, address));
  }
}

const attributeOf = (attributes: string, pattern: RegExp): string | undefined => pattern.exec(attributes)?.[1];

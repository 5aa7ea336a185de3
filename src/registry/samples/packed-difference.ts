/**
 * A cheap proof that two rows of one sheet say different things, so that updating a million rows need not unpack each
 * twice: measured at 14 cells: 5.6 µs a decision with unpacking, 1.1 µs with this.
 */
import { CELL_SEPARATOR, type SampleLayout } from './packed-sample.js';

/**
 * Pieces of both rows are copied here and compared as numbers: asking two parts of longer texts for each of their units takes three
 * times as long, 1.0 µs where the rows differ behind 124.
 */
const PIECE = 512;
const FIRST_UNITS = new Uint16Array(PIECE);
const SECOND_UNITS = new Uint16Array(PIECE);
const FIRST = Buffer.from(FIRST_UNITS.buffer);
const SECOND = Buffer.from(SECOND_UNITS.buffer);
const SEPARATOR = new Uint16Array(new Uint8Array(Buffer.from(CELL_SEPARATOR, 'utf16le')).buffer)[0];

/** Of each layout: which cells are the text of a characteristic whose name no other column bears. */
const TELLING = new WeakMap<SampleLayout, Uint8Array>();

/**
 * True when the first cell that differs is one whose every change shows. False proves nothing: a term without its text,
 * or values that moved between columns of one name, may spell the same content.
 */
export function surelyDiffers(layout: SampleLayout, one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let cell = 0;
  let at = 0;
  for (let from = 0; at === from && from < shorter; from += PIECE) {
    const end = Math.min(shorter, from + PIECE);
    FIRST.write(one.substring(from, end), 'utf16le');
    SECOND.write(other.substring(from, end), 'utf16le');
    for (; at < end; at++) {
      const unit = FIRST_UNITS[at - from];
      if (unit !== SECOND_UNITS[at - from]) break;
      if (unit === SEPARATOR) cell++;
    }
  }
  // One ends where the other only goes on to the next cell: this cell is the same in both.
  if (at === shorter && (one.length === other.length || charAfter(one, other, at) === SEPARATOR)) return false;
  return tellingCells(layout)[cell] === 1;
}

const charAfter = (one: string, other: string, at: number): number =>
  (one.length > other.length ? one : other).charCodeAt(at);

function tellingCells(layout: SampleLayout): Uint8Array {
  const known = TELLING.get(layout);
  if (known) return known;
  const uses = new Map<string, number>();
  for (const { name } of layout.characteristics) uses.set(name, (uses.get(name) ?? 0) + 1);
  const telling = new Uint8Array(layout.cells);
  for (const { name, text } of layout.characteristics) if (uses.get(name) === 1) telling[text] = 1;
  TELLING.set(layout, telling);
  return telling;
}

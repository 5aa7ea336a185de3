/** Comments on cells of a binary workbook: an object with a text, and behind all of them which cell has which ([MS-XLS] 2.4.179, 2.4.181, 2.4.329). */

import { ColumnNotes } from '../cell-notes.js';
import { saidIn } from '../read-comments.js';
import { type BiffRecord, RECORD } from './biff-records.js';
import { textAt } from './biff-strings.js';

/** Texts that wait for their cells; Excel has as many rows. */
const MOST_TEXTS = 65_536;
const LETTERS = 200;

export class BiffComments {
  readonly notes = new ColumnNotes();
  readonly #texts = new Map<number, string>();
  #object = -1;
  /** A text of so many letters follows, in what continues its record. */
  #letters = 0;

  /** @throws RangeError of a record that is shorter than it should be */
  take({ type, data }: BiffRecord): void {
    if (type === RECORD.object) this.#object = data.readUInt16LE(6);
    else if (type === RECORD.objectText) this.#letters = data.readUInt16LE(10);
    else if (type === RECORD.continued && this.#letters > 0) this.#takeText(data);
    else if (type === RECORD.note) this.#takeNote(data);
  }

  #takeText(data: Buffer): void {
    const letters = Math.min(this.#letters, LETTERS);
    this.#letters = 0;
    const text = data[0] === 0 ? data.toString('latin1', 1, 1 + letters) : data.toString('utf16le', 1, 1 + 2 * letters);
    if (this.#texts.size < MOST_TEXTS) this.#texts.set(this.#object, text);
  }

  #takeNote(data: Buffer): void {
    const said = saidIn(this.#texts.get(data.readUInt16LE(6)) ?? '', textAt(data, 8, 2));
    if (said !== undefined) this.notes.add(data.readUInt16LE(0) + 1, data.readUInt16LE(2) + 1, said);
  }
}

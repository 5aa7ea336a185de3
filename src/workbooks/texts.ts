/**
 * The texts that cells of a workbook share, kept as the bytes of table cells outside of the JavaScript heap: a million
 * different texts take what they are long and eight bytes each, and are copied into the table without becoming strings.
 */
import { printCell } from '../tsv/print/print-row.js';
import { LIMITS } from './limits.js';
import type { Package } from './package.js';
import { RaisedRuns } from './raised.js';
import { tooLarge } from './refusal.js';
import type { TsvOut } from './tsv-out.js';
import { readXml } from './xml.js';

export class Texts {
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #used = 0;
  #ends = new Uint32Array(1024);
  count = 0;

  add(text: string): void {
    const cell = printCell(text);
    const size = Buffer.byteLength(cell);
    this.#grow(size);
    this.#bytes.write(cell, this.#used, 'utf8');
    this.#used += size;
    this.#ends[this.count++] = this.#used;
  }

  /** Whether there is a text of this number with something in it. */
  isFilled(index: number): boolean {
    return index >= 0 && index < this.count && this.#start(index) < (this.#ends[index] as number);
  }

  writeTo(out: TsvOut, index: number): void {
    out.copy(this.#bytes, this.#start(index), this.#ends[index] as number);
  }

  /** The text as a cell of the table, i.e. perhaps quoted. */
  cell(index: number): string {
    return index < this.count ? this.#bytes.toString('utf8', this.#start(index), this.#ends[index]) : '';
  }

  #start(index: number): number {
    return index === 0 ? 0 : (this.#ends[index - 1] as number);
  }

  #grow(size: number): void {
    if (this.#used + size > LIMITS.textsKept) {
      throw tooLarge(`The workbook holds more than ${LIMITS.textsKept / 1024 / 1024} MiB of different texts.`);
    }
    if (this.#used + size > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#used + size, Math.ceil(this.#bytes.length * 1.5)));
      this.#bytes.copy(larger, 0, 0, this.#used);
      this.#bytes = larger;
    }
    if (this.count + 1 > this.#ends.length) {
      const longer = new Uint32Array(this.#ends.length * 2);
      longer.set(this.#ends);
      this.#ends = longer;
    }
  }
}

/** Rich text counts by its letters; phonetic guides (`rPh`) are no part of a value. */
export async function readTexts(workbook: Package, part: string | undefined): Promise<Texts> {
  const texts = new Texts();
  if (part === undefined || !workbook.has(part)) return texts;
  let current = '';
  const runs = new RaisedRuns();
  let inText = false;
  let aside = 0;
  await readXml(part, workbook.read(part, LIMITS.textBytes), {
    open(name, { val }) {
      if (name === 't') {
        inText = aside === 0;
        runs.begin(current.length);
      } else if (name === 'si') {
        current = '';
        runs.beginRun();
      } else if (name === 'r') runs.beginRun();
      else if (name === 'vertAlign') runs.align(val);
      else if (name === 'rPh') aside++;
    },
    close(name) {
      if (name === 't') {
        inText = false;
        current = runs.end(current);
      }
      if (name === 'rPh') aside--;
      else if (name === 'si') texts.add(unescapeXstring(current));
    },
    text(text) {
      if (!inText) return;
      current += text;
      if (current.length > LIMITS.cellText) throw tooLarge('A cell of the workbook holds more text than is read.');
    },
  });
  return texts;
}

/** `_x000D_` stands for a character that XML cannot hold (ECMA-376 22.9.2.19). */
export function unescapeXstring(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

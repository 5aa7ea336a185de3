/**
 * Texts of a binary workbook ([MS-XLS] 2.5.293, 2.5.296), which may go on in the next record: within its letters
 * that begins with a byte that says whether they go on in one byte each or two, everywhere else without.
 */
import { LIMITS } from '../limits.js';
import { withRaised } from '../raised.js';
import { broken, tooLarge } from '../refusal.js';

const WIDE = 1;
const WITH_PHONETICS = 4;
const RICH = 8;
/** A letter, and the number of a font. */
const RUN_BYTES = 4;
const NO_RUNS = Buffer.alloc(0);

export class BiffStrings {
  #left: Buffer = Buffer.alloc(0);
  #text = '';
  #letters = 0;
  #wide = false;
  /** Bytes of formats and phonetics behind the letters. */
  #behind = 0;
  /** Those of the formats, which come first. */
  #runsLeft = 0;
  #runs: Buffer[] = [];
  #inText = false;

  /** `count`: how many texts there are; `add` hears of each, with where its runs begin and the fonts of these. */
  constructor(
    private count: number,
    private readonly add: (text: string, runs: Buffer) => void,
  ) {}

  get isWhole(): boolean {
    return this.count === 0;
  }

  /** The bytes of a record; `again` of one that goes on where the last one ended. */
  feed(record: Buffer, again: boolean): void {
    let bytes = record;
    if (again && this.#inText && this.#letters > 0) {
      this.#wide = ((bytes[0] ?? 0) & WIDE) !== 0;
      bytes = bytes.subarray(1);
    } else if (this.#left.length > 0) {
      bytes = Buffer.concat([this.#left, bytes]);
    }
    this.#left = Buffer.alloc(0);
    while (bytes.length > 0 && this.count > 0) {
      const taken = this.#inText ? this.#takeLetters(bytes) : this.#takeHead(bytes);
      if (taken === 0) {
        this.#left = bytes;
        return;
      }
      bytes = bytes.subarray(taken);
    }
  }

  /** 0 where it is not whole. */
  #takeHead(bytes: Buffer): number {
    if (bytes.length < 3) return 0;
    const flags = bytes[2] as number;
    const head = 3 + (flags & RICH ? 2 : 0) + (flags & WITH_PHONETICS ? 4 : 0);
    if (bytes.length < head) return 0;
    this.#letters = bytes.readUInt16LE(0);
    this.#wide = (flags & WIDE) !== 0;
    this.#behind =
      (flags & RICH ? bytes.readUInt16LE(3) * RUN_BYTES : 0) +
      (flags & WITH_PHONETICS ? bytes.readUInt32LE(head - 4) : 0);
    this.#runsLeft = flags & RICH ? bytes.readUInt16LE(3) * RUN_BYTES : 0;
    this.#runs = [];
    this.#text = '';
    this.#inText = true;
    if (this.#letters === 0 && this.#behind === 0) this.#end();
    return head;
  }

  #takeLetters(bytes: Buffer): number {
    const each = this.#wide ? 2 : 1;
    const letters = Math.min(this.#letters, Math.floor(bytes.length / each));
    if (letters > 0) {
      this.#text += bytes.toString(this.#wide ? 'utf16le' : 'latin1', 0, letters * each);
      this.#letters -= letters;
      if (this.#text.length > LIMITS.cellText) throw tooLarge('A cell of the workbook holds more text than is read.');
    }
    if (this.#letters > 0) {
      if (bytes.length - letters * each > 0) throw broken('A text of the workbook is cut within a letter.');
      return letters * each;
    }
    const behind = Math.min(this.#behind, bytes.length - letters * each);
    this.#behind -= behind;
    this.#takeRuns(bytes.subarray(letters * each, letters * each + behind));
    if (this.#behind === 0) this.#end();
    return letters * each + behind;
  }

  #takeRuns(behind: Buffer): void {
    const runs = behind.subarray(0, this.#runsLeft);
    if (runs.length > 0) this.#runs.push(runs);
    this.#runsLeft -= runs.length;
  }

  #end(): void {
    this.#inText = false;
    this.count--;
    this.add(this.#text, this.#runs.length === 0 ? NO_RUNS : Buffer.concat(this.#runs));
  }
}

/** The text with its runs in one of the fonts raised, where these make it another number. */
export function raisedIn(text: string, runs: Buffer, isRaised: (font: number) => boolean): string {
  let all = text.slice(0, runs.length < RUN_BYTES ? text.length : runs.readUInt16LE(0));
  for (let at = 0; at + RUN_BYTES <= runs.length; at += RUN_BYTES) {
    const next = at + 2 * RUN_BYTES <= runs.length ? runs.readUInt16LE(at + RUN_BYTES) : text.length;
    const run = text.slice(runs.readUInt16LE(at), next);
    all = isRaised(runs.readUInt16LE(at + 2)) ? withRaised(all, run) : all + run;
  }
  return all;
}

/** A text that is whole in one record: `at` its length, of one byte or two. */
export function textAt(record: Buffer, at: number, lengthBytes: 1 | 2): string {
  const letters = lengthBytes === 1 ? record.readUInt8(at) : record.readUInt16LE(at);
  const wide = (record.readUInt8(at + lengthBytes) & WIDE) !== 0;
  const start = at + lengthBytes + 1;
  return record.toString(wide ? 'utf16le' : 'latin1', start, start + letters * (wide ? 2 : 1));
}

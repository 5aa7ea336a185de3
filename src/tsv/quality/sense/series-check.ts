/** A value that was filled down where it should stay: `COVID-19`, `COVID-20`, `COVID-21`; `32 Data St`, `33 Data St`. */
import type { Finding, SenseCheck, SenseRow } from './finding.js';

/** Rows one after another from which a series is one. */
const RUN = 3;
const MAX_LENGTH = 100;
/** Values that end in a number or hold one, whatever their column is called: diseases named by it, and addresses. */
const CONSTANT_VALUE =
  /^(?:(?:covid|sars-cov|mers-cov|hiv|hpv|htlv|hhv)[- ]?\d+|type \d+ diabetes.*|.*\bdiabetes(?: mellitus)? type \d+|(?:\d{1,5} (?:\p{L}[\p{L}.'-]* ){0,4}(?:st|street|rd|road|ave|avenue|lane|ln|drive|blvd|boulevard|square|sq|way)\b\.?.*)|.*\p{L}(?:str\.|stra(?:ß|ss)e|platz|weg|allee|gasse) \d{1,5}\b.*|(?:rue|via|calle|avenida|rua|plaza) [\p{L}' ]+,? \d{1,5}\b.*)$/iu;

/** A number with a unit behind it is measured: doses and concentrations go up by one, too. */
const UNIT = /^ ?(?:%|°|[munpkµμ]?(?:g|l|m|mol|M|U|IU|Pa|Gy)\b|h\b|hours?|d\b|days?|weeks?|months?|years?|min|ppm|x\b)/;

interface Counted {
  before: string;
  number: number;
  after: string;
}

const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
};
/** Digits of a number that is counted. */
const MAX_DIGITS = 12;

/**
 * A spreadsheet counts the number that a text ends with, else the one that it begins with; others count the last one.
 * By characters: as expressions it took half of the time of all these checks.
 */
function countedIn(value: string): Counted | undefined {
  let end = value.length;
  while (end > 0 && !isDigit(value, end - 1)) end--;
  if (end === 0) return undefined;
  if (end < value.length) {
    let to = 0;
    while (to <= MAX_DIGITS && isDigit(value, to)) to++;
    if (to > 0 && to <= MAX_DIGITS) return { before: '', number: Number(value.slice(0, to)), after: value.slice(to) };
  }
  let from = end - 1;
  while (from > 0 && end - from < MAX_DIGITS && isDigit(value, from - 1)) from--;
  return { before: value.slice(0, from), number: Number(value.slice(from, end)), after: value.slice(end) };
}

/** How much the header of a column says: its values are all one, or so unless they count from 0 or 1, or nothing. */
export type Constancy = 'always' | 'unless it counts' | 'by its values';

export class SeriesCheck implements SenseCheck {
  readonly wanted: readonly number[];
  #line = Number.NaN;
  #previous = '';
  /** Of a series of `#length` rows: its first value and line, and what it counts. */
  #first = '';
  #firstLine = 0;
  #counted: Counted | undefined;
  #length = 1;
  #constant = false;
  /** Any series so far was one of values that should stay. */
  #everConstant = false;
  /** Found by `learn` and not asked for by `look`, in order of lines. */
  #found: { line: number; finding: Finding }[] = [];

  constructor(
    private readonly cell: number,
    private readonly constancy: Constancy,
  ) {
    this.wanted = [cell];
  }

  /** Where the header says nothing, the first rows show what its values are like. */
  isDone(rows: number): boolean {
    return this.constancy === 'by its values' && rows >= 2000 && !this.#everConstant;
  }

  look({ line }: SenseRow, found: Finding[]): void {
    while (this.#found.length > 0 && (this.#found[0]?.line as number) <= line) {
      const one = this.#found.shift();
      if (one?.line === line) found.push(one.finding);
    }
  }

  /** The second row of a series is found with the third: in the same batch, no row is missed but the first, which is right. */
  learn({ line, cells }: SenseRow): void {
    const value = cells[this.cell] ?? '';
    const step = line - this.#line;
    const previous = this.#previous;
    this.#line = line;
    this.#previous = value;
    // A blank line or a comment may lie between two rows; rows that are not looked at may not.
    if (!(step > 0 && step < 3) || !mayCount(previous, value) || !this.#continues(previous, value)) {
      this.#length = 1;
      this.#firstLine = line;
      this.#first = value;
      this.#counted = undefined;
      return;
    }
    if (++this.#length < RUN) return;
    if (this.#length === RUN) {
      this.#constant = this.#isConstant();
      this.#everConstant ||= this.#constant;
      if (this.#constant) this.#find(line - step, previous);
    }
    if (!this.#constant) return;
    this.#find(line, value);
  }

  #find(line: number, value: string): void {
    const what = `goes on a series that begins on line ${this.#firstLine} with "${this.#first}", as when a cell is filled down; ${this.#first}?`;
    this.#found.push({
      line,
      finding: { code: 'suspect.series', cell: this.cell, value, what, suggestion: this.#first },
    });
  }

  #continues(previous: string, value: string): boolean {
    const counted = this.#counted ?? countedIn(previous);
    if (!counted) return false;
    const { before, number, after } = counted;
    if (!value.startsWith(before) || !value.endsWith(after) || value.length < before.length + after.length)
      return false;
    const middle = value.slice(before.length, value.length - after.length);
    if (!/^\d{1,12}$/.test(middle) || Number(middle) !== number + this.#length) return false;
    this.#counted = counted;
    return true;
  }

  #isConstant(): boolean {
    if (CONSTANT_VALUE.test(this.#first)) return true;
    const { number = 0, after = '' } = this.#counted ?? {};
    if (this.constancy === 'by its values' || UNIT.test(after)) return false;
    return this.constancy === 'always' || number > 1;
  }
}

/** Whether they differ first in a digit, as cheap as it can be asked. */
function mayCount(previous: string, value: string): boolean {
  const { length } = value;
  if (previous === '' || length > MAX_LENGTH || length < previous.length || length > previous.length + 1) return false;
  for (let at = 0; at < length; at++) {
    const code = value.charCodeAt(at);
    if (code !== previous.charCodeAt(at)) return code >= 48 && code <= 57;
  }
  return false;
}

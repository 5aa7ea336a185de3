/** Digits that stand raised behind others: read as plain ones, `10` and a raised `6` would be 106. */

const RAISED: Readonly<Record<string, string>> = {
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
  '+': '⁺',
  '-': '⁻',
  '−': '⁻',
  '–': '⁻',
};
/** Letters before a raised part, and of one that is an exponent: each part is taken from its text, which may have a million, with as many parts. */
const MOST_BEFORE = 10_000;
const LONGEST = 100;
const BEHIND_NUMBER = /[\d⁰¹²³⁴-⁹⁺⁻]$/u;
const EXPONENT = /^\s*[-+−–]?\d*\s*$/;

/** The text with a raised part behind it. `m2` and `Ca2+` are written so everywhere, and stay. */
export function withRaised(text: string, raised: string): string {
  const isExponent =
    mayHaveExponent(text.length) &&
    raised.length <= LONGEST &&
    BEHIND_NUMBER.test(text.slice(-1)) &&
    EXPONENT.test(raised);
  return text + (isExponent ? raised.replace(/\S/g, (sign) => RAISED[sign] ?? sign) : raised);
}

/** Behind so many letters. */
export const mayHaveExponent = (letters: number): boolean => letters <= MOST_BEFORE;

/** Which parts of a rich text of an .xlsx workbook are raised, as they come. */
export class RaisedRuns {
  #isRaised = false;
  #from = -1;

  /** A text begins, or a run of one, whose format follows. */
  beginRun(): void {
    this.#isRaised = false;
  }

  /** Of the format of the run. */
  align(how: string | undefined): void {
    this.#isRaised = how === 'superscript';
  }

  /** The letters of the run follow, behind so many of those before. */
  begin(letters: number): void {
    if (this.#isRaised && mayHaveExponent(letters)) this.#from = letters;
  }

  /** The text with what has come of it. */
  end(text: string): string {
    const from = this.#from;
    this.#from = -1;
    return from < 0 ? text : withRaised(text.slice(0, from), text.slice(from));
  }
}

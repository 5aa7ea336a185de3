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
const BEHIND_NUMBER = /[\d⁰¹²³⁴-⁹⁺⁻]$/u;
const EXPONENT = /^\s*[-+−–]?\d*\s*$/;

/** The text with a raised part behind it. `m2` and `Ca2+` are written so everywhere, and stay. */
export const withRaised = (text: string, raised: string): string =>
  text +
  (BEHIND_NUMBER.test(text) && EXPONENT.test(raised) ? raised.replace(/\S/g, (sign) => RAISED[sign] ?? sign) : raised);

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
    if (this.#isRaised) this.#from = letters;
  }

  /** The text with what has come of it. */
  end(text: string): string {
    const from = this.#from;
    this.#from = -1;
    return from < 0 ? text : withRaised(text.slice(0, from), text.slice(from));
  }
}

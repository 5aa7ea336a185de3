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

/** Runs of a rich text of an .xlsx workbook, put together as they come. */
export class RichText {
  text = '';
  #run = '';
  #isRaised = false;

  /** A run that is formatted as a whole begins. */
  beginRun(): void {
    this.#isRaised = false;
  }

  /** Of its format. */
  align(how: string | undefined): void {
    this.#isRaised = how === 'superscript';
  }

  add(text: string): void {
    this.#run += text;
  }

  get length(): number {
    return this.text.length + this.#run.length;
  }

  endText(): void {
    this.text = this.#isRaised ? withRaised(this.text, this.#run) : this.text + this.#run;
    this.#run = '';
  }

  clear(): void {
    this.text = '';
    this.#run = '';
    this.#isRaised = false;
  }
}

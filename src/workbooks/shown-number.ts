/** A number with what its cell shows beside it, as its format says: a unit, a percent sign, `<`, a currency (docs/decisions/0183). */

export interface Beside {
  before: string;
  after: string;
  /** Shown times ten to this power: 2 of a percentage, -3 of thousands. */
  power: number;
  /** What stands before a number below zero says so in words. */
  unsigned?: boolean;
}

/** Spreadsheets keep 15 digits; what a double has beyond them is an artefact (`0.30000000000000004`). */
export function plain(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  return String(Number(value.toPrecision(15)));
}

/** `text`: the number as the workbook holds it, all digits of it. */
export function withBeside(text: string, { before, after, power, unsigned = false }: Beside): string {
  const shown = power === 0 ? text : plain(Number(text) * 10 ** power);
  const isSigned = before !== '' && shown.startsWith('-');
  return `${isSigned && !unsigned ? '-' : ''}${before}${isSigned ? shown.slice(1) : shown}${after}`;
}

/** Brackets and a minus around a negative number are its sign. */
const SIGN_BEFORE = /^\s*[-−(]|[-−(]\s*$/;
const SIGN_AFTER = /^\s*[-−)]|[-−)]\s*$/;
const ALONE_BEFORE = /^[-−+ ]*$/;
const ALONE_AFTER = /^[-− ]*$/;

/** What stands there beside a number and is more than its sign or the room for one. `isSigned`: a sign of the number may be part of it. */
export function besideOf(before: string, after: string, power: number, isSigned: boolean): Beside {
  const single = (text: string): string => text.replace(/\s+/gu, ' ');
  const first = single(isSigned ? before.replace(SIGN_BEFORE, '') : before).trimStart();
  const last = single(isSigned ? after.replace(SIGN_AFTER, '') : after).trimEnd();
  return {
    before: ALONE_BEFORE.test(first) ? '' : first,
    after: ALONE_AFTER.test(last) ? '' : last,
    power,
    unsigned: isSigned && !SIGN_BEFORE.test(before) && /\p{L}/u.test(before),
  };
}

/** Words in place of a number, or a limit; what has no letter, as the `-` of a zero, says nothing that its value does not. */
export const saysWords = (text: string): boolean => /\p{L}|[<>≤≥]/u.test(text);

/** As a cell that holds the text of a number. */
export const ofNumber = (text: string): { text: string; measured?: boolean } =>
  endsInDigit(text) ? { text } : { text, measured: true };

const [ZERO, NINE] = [48, 57];

function endsInDigit(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= ZERO && last <= NINE;
}

/** `5.25 mg` without its unit, where the cell behind it says that. */
export function withoutUnit(text: string, unit: string): string {
  if (unit === '' || !text.endsWith(unit)) return text;
  const number = text.slice(0, -unit.length).trimEnd();
  return endsInDigit(number) ? number : text;
}

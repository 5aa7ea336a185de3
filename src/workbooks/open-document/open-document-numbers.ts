/** A number of an OpenDocument by its value, with what its cell shows beside it. */
import { numberText } from '../number-format.js';
import { type Beside, besideOf, saysWords, withBeside } from '../shown-number.js';

/** A number that is shown with zeros in front is an id: of `00042` the value is 42, and of `PAT-0042`. */
export function shownNumber(value: string | undefined, shown: string, isPercentage: boolean): string {
  if (value === undefined) return shown;
  const text = shown.replace(/\s+/gu, ' ').trim();
  const number = numberText(value, { kind: 'number' }, false);
  if (text === '' || text === number || FRACTION.test(text)) return number;
  if (isPadded(text, value)) return text;
  const beside = besideIn(Number(value) === 0 ? text.replace(DASH, '0') : text, Number(value), isPercentage);
  if (beside) return withBeside(number, beside);
  return isSpelt(text, number) || (!isPercentage && saysWords(text)) ? text : number;
}

const FRACTION = /\d ?\/ ?\d/;
/** By which a zero is shown in accounts. */
const DASH = /^([^\p{L}\p{N}]*)[-–−](?!\p{L}|\p{N})/u;

function isPadded(shown: string, value: string): boolean {
  if (/\d[.,]\d|%/.test(shown)) return false;
  const groups = shown.match(/\d+/g) ?? [];
  return [groups.join(''), ...groups].some((digits) => /^0\d/.test(digits) && Number(digits) === Number(value));
}

/** Its digits, with signs between them: `555-1234`. */
const isSpelt = (shown: string, number: string): boolean => shown.replace(/\D/g, '') === number;

/** In a number of any language. */
const RUN = /\d(?:[\d.,'’ ]*\d)?(?:E[+-]?\d+)?/gu;
/** Thousands, millions and so on may be left away. */
const POWERS = [0, -3, -6, -9];

/** What stands around the part that is the number, as it is rounded. */
function besideIn(shown: string, value: number, isPercentage: boolean): Beside | undefined {
  for (const { 0: run, index } of shown.matchAll(RUN)) {
    const [before, after] = [shown.slice(0, index), shown.slice(index + run.length)];
    const isLimit = /[<>≤≥]/.test(before);
    const power = (isPercentage ? [2] : POWERS).find((power) => isRounded(run, Math.abs(value) * 10 ** power, isLimit));
    if (power !== undefined && !(power < 0 && Number.parseInt(run, 10) === 0))
      return besideOf(before, after, power, value < 0);
  }
  return undefined;
}

/** Whether the number is shown so, whichever of its signs parts whole ones from their parts. */
function isRounded(run: string, value: number, exactly: boolean): boolean {
  const [digits = '', exponent = '0'] = run.split('E');
  const whole = digits.replace(/\D/g, '');
  const parts = /[.,](\d+)$/.exec(digits)?.[1]?.length ?? 0;
  return [0, parts].some((places) => {
    const unit = 10 ** (Number(exponent) - places);
    return Math.abs(Number(whole) * unit - value) <= (exactly ? 1e-9 : 0.5 + 1e-6) * unit;
  });
}

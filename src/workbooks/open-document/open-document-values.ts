/** What a cell of an OpenDocument holds by its type: dates in ISO 8601, numbers by their value (ODF 1.3, 19.385); and words of its XML. */
import { numberText } from '../number-format.js';
import { shownNumber } from './open-document-numbers.js';

/** May stand between a table and its rows or columns. */
export const GROUPS: ReadonlySet<string> = new Set([
  'table-row-group',
  'table-header-rows',
  'table-rows',
  'table-column-group',
  'table-header-columns',
  'table-columns',
]);
/** Within a paragraph, and no part of what it says. */
export const ASIDE: ReadonlySet<string> = new Set([
  'annotation',
  'note',
  'ruby-text',
  'frame',
  'custom-shape',
  'g',
  'control',
]);

const NUMBERS: ReadonlySet<string> = new Set(['float', 'percentage', 'currency']);

/** By the attributes of its cell. */
export const isNumber = (cell: Readonly<Record<string, string>>): boolean =>
  NUMBERS.has(cell['office:value-type'] ?? '');

/** `cell`: its attributes; `shown`: its paragraphs. */
export function cellText(cell: Readonly<Record<string, string>>, shown: string): string {
  if (cell['calcext:value-type'] === 'error') return shown;
  if (isNumber(cell))
    return truthOf(cell) ?? shownNumber(cell['office:value'], shown, cell['office:value-type'] === 'percentage');
  switch (cell['office:value-type']) {
    case 'date':
      return dateOf(cell['office:date-value'] ?? shown, shown);
    case 'time':
      return clockOf(cell['office:time-value'], shown) ?? shown;
    case 'boolean':
      return cell['office:boolean-value'] === 'true' ? 'TRUE' : 'FALSE';
    default:
      // Of a formula that failed there is no text, but what is shown of it.
      return cell['office:string-value'] || shown;
  }
}

/** What was true or false in a workbook of another form, LibreOffice writes as a number that a formula gives. */
function truthOf(cell: Readonly<Record<string, string>>): string | undefined {
  return /^of:=(TRUE|FALSE)\(\)$/.exec(cell['table:formula'] ?? '')?.[1];
}

/** Parts of a second, where they are shown. */
const SHOWN_FRACTION = /:\d\d[.,]\d/;

const dateOf = (date: string, shown: string): string => {
  const text = date.replace(/T00:00:00(\.0+)?Z?$/, '');
  return SHOWN_FRACTION.test(shown) ? text.slice(0, 23) : text.slice(0, 19);
};

/** `PT09H30M00S`, hours beyond a day too → `09:30:00` */
function clockOf(duration: string | undefined, shown: string): string | undefined {
  const parts = /^PT(\d+)H(\d+)M(\d+(?:[.,]\d+)?)S$/.exec(duration ?? '');
  if (!parts) return undefined;
  const days = (Number(parts[1]) * 3600 + Number(parts[2]) * 60 + Number(parts[3]?.replace(',', '.'))) / 86_400;
  return numberText(String(days), { kind: 'time', fraction: SHOWN_FRACTION.test(shown) }, false);
}

/** How often; 1 where it is not said, or no number. */
export const timesOf = (text: string | undefined): number =>
  text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 1;

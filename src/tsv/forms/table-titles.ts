/** Tables below one another in one sheet, each with its title, as Apple Numbers writes all of its sheet into one. */
import type { Head, HeadRow } from '../bytes/head-rows.js';
import type { SheetPlan } from '../header/columns.js';
import { namesSamples } from '../header/header-name.js';

type Planned = Pick<
  SheetPlan,
  'header' | 'delimiter' | 'headerEnd' | 'nameColumn' | 'identifierColumn' | 'releaseColumn' | 'errorColumns'
>;

/** Rows below the header that are looked at. */
const LOOKED_AT = 1_000;
/** Looked for in the text: to split a thousand rows of every sheet took three times as long as all else that its header is planned by. */
const BLANK_ROW = /\n[\t,;| "\r]*\n|\r[\t,;| "]*\r/;

/**
 * Lines of rows that hold nothing but a name, stand behind a blank row, and right above a header: as samples they would have an accession for good.
 * In a result, which has the blank rows of no workbook, and a release in every row: behind a sample, and without an accession.
 */
export function tableTitles(plan: Planned, head: Head): number[] {
  if (!(BLANK_ROW.test(head.text) || hasHeaderAgain(plan, head))) return [];
  const { header, nameColumn, identifierColumn = -1, releaseColumn, errorColumns } = plan;
  const own = (header[nameColumn] ?? '').trim().toLowerCase();
  const isHeader = ({ cells }: HeadRow): boolean => {
    const text = (cells[nameColumn] ?? '').trim();
    return text !== '' && (text.toLowerCase() === own || namesSamples(text));
  };
  const isSample = ({ cells }: HeadRow): boolean => (cells[identifierColumn] ?? '').trim() !== '';
  const ours = new Set(identifierColumn < 0 ? [] : [releaseColumn, ...errorColumns]);
  const isBare = ({ cells }: HeadRow): boolean =>
    cells.every((text, column) => ours.has(column) || (text.trim() !== '') === (column === nameColumn));
  const isTitle = (row: HeadRow, before: HeadRow): boolean =>
    (row.line > before.lastLine + 1 || isSample(before)) && isBare(row);
  const lines: number[] = [];
  let [before, last]: (HeadRow | undefined)[] = [];
  let seen = 0;
  for (const row of head.rowsBelow(plan)) {
    if (last && before && isTitle(last, before) && isHeader(row)) lines.push(last.line);
    [before, last] = [last, row];
    if (++seen === LOOKED_AT) break;
  }
  return lines;
}

/** Whether the text may have the header over again, of which a result has each cell as it was. */
function hasHeaderAgain({ header, nameColumn, identifierColumn }: Planned, { text }: Head): boolean {
  if (identifierColumn === undefined) return false;
  const before = nameColumn === 0 ? '\n' : '\t';
  return text.includes(`${before}${header[nameColumn] ?? ''}\t`);
}

/** Tables below one another in one sheet, each with its title, as Apple Numbers writes all of its sheet into one. */
import type { Head, HeadRow } from '../bytes/head-rows.js';
import type { SheetPlan } from '../header/columns.js';
import { namesSamples } from '../header/header-name.js';

type Planned = Pick<SheetPlan, 'header' | 'delimiter' | 'headerEnd' | 'nameColumn'>;

/** Rows below the header that are looked at. */
const LOOKED_AT = 1_000;
/** Looked for in the text: to split a thousand rows of every sheet took three times as long as all else that its header is planned by. */
const BLANK_ROW = /\n[\t,;| "\r]*\n|\r[\t,;| "]*\r/;

/** Lines of rows that hold nothing but a name, stand behind a blank row, and right above a header: as samples they would have an accession for good. */
export function tableTitles(plan: Planned, head: Head): number[] {
  if (!BLANK_ROW.test(head.text)) return [];
  const { header, nameColumn } = plan;
  const own = (header[nameColumn] ?? '').trim().toLowerCase();
  const isHeader = ({ cells }: HeadRow): boolean => {
    const text = (cells[nameColumn] ?? '').trim();
    return text !== '' && (text.toLowerCase() === own || namesSamples(text));
  };
  const lines: number[] = [];
  let [before, last]: (HeadRow | undefined)[] = [];
  let seen = 0;
  for (const row of head.rowsBelow(plan)) {
    if (last && before && isTitle(last, before, nameColumn) && isHeader(row)) lines.push(last.line);
    [before, last] = [last, row];
    if (++seen === LOOKED_AT) break;
  }
  return lines;
}

function isTitle({ line, cells }: HeadRow, before: HeadRow, nameColumn: number): boolean {
  if (line <= before.lastLine + 1) return false;
  return cells.every((text, column) => (text.trim() !== '') === (column === nameColumn));
}

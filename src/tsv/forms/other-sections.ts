/** Sections of a file that stand behind that of its header and name samples, too, as the results that a program of an instrument writes below its sample list. */
import type { Head } from '../bytes/head-rows.js';
import { fold } from '../dialect.js';
import type { SheetPlan } from '../header/columns.js';
import { namesSamples } from '../header/header-name.js';
import { beginsSection, firstText, type Section } from '../header/preamble.js';
import { RECEIPT_START } from '../rows/receipt.js';

type Place = Pick<SheetPlan, 'header' | 'delimiter' | 'headerEnd' | 'nameColumn' | 'inSection'>;

/** Each as its header says, which stands in its first row. */
export function otherSections(plan: Place, head: Head): Section[] {
  if (plan.inSection === undefined) return [];
  const name = fold(plan.header[plan.nameColumn] ?? '');
  const names = (cell: string): boolean => namesSamples(cell) || (name !== '' && fold(cell) === name);
  const found: Section[] = [];
  let begun: Section | undefined;
  for (const { line, cells } of head.rowsBelow(plan)) {
    if (cells.some((cell) => cell.trim() === RECEIPT_START)) break;
    if (beginsSection(cells, plan)) begun = { line, title: firstText(cells) };
    else if (begun) {
      if (cells.some(names)) found.push(begun);
      begun = undefined;
    }
  }
  return found;
}

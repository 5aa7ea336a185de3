/** A sheet of which some rows are passed over, and what is said of those. */
import { codes, readSheet, type SheetSettings, table } from './read-sheet.js';

export async function readPassedOver(rows: string[][], settings: SheetSettings = {}) {
  const { samples, rejected, survey, batches } = await readSheet(table(...rows), {
    ...settings,
    header: { unknownColumns: 'characteristics', ...settings.header },
  });
  const warned = batches.flatMap(({ warnings = [] }) => warnings.flatMap(({ issues }) => issues));
  const passed = warned.filter(({ code }) => code === 'sheet.rows-passed-over').map(({ message }) => message);
  return { names: samples.map(({ name }) => name), rejected: codes(rejected), rows: survey.rows, passed };
}

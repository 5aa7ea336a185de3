/** The result of a first upload as the service sends it back, with its receipt. */
import { errorsHeader, errorsRow, receipt, resultHeader, resultRow } from '../../src/tsv/print/write.js';
import { readSheet, rowsOf, type SheetSettings } from './read-sheet.js';

export const receiptOf = async (rows: string[][]): Promise<string> => {
  let text = '';
  for await (const part of receipt(
    (async function* () {
      for (const row of rows) yield [row];
    })(),
  ))
    text += part;
  return text;
};
export const RECEIPT = await receiptOf([
  ['Submission ID', 'x'],
  ['line 3', 'Sample Name', 'name.missing', '', '=HYPERLINK("https://evil.example")', '"quoted\tand\nbroken'],
]);

/** The result of a first upload: accessions 100, 101 … for the rows that were good. `release`: it came with the upload. */
export async function resultOf(text: string, settings: SheetSettings, release?: string): Promise<string> {
  const { plan, samples } = await readSheet(text, settings);
  const ids = new Map(samples.map(({ line, id, reserved }) => [line, id || (reserved as number)]));
  const rows = (await rowsOf(text, plan)).map((row) =>
    resultRow(plan, row, {
      accession: ids.has(row.line) ? `SAMR${ids.get(row.line)}` : '',
      ...(release === undefined ? {} : { release }),
    }),
  );
  return resultHeader(plan, release !== undefined) + rows.join('') + RECEIPT;
}

/** The rows of a first upload that were not taken, with what is wrong with them. */
export async function errorsOf(text: string, settings: SheetSettings): Promise<string> {
  const { plan, rejected } = await readSheet(text, settings);
  const issues = new Map(rejected.map((row) => [row.line, row.issues]));
  const rows = (await rowsOf(text, plan)).filter(({ line }) => issues.has(line));
  return errorsHeader(plan) + rows.map((row) => errorsRow(plan, row, issues.get(row.line) ?? [])).join('');
}

export const numbered: SheetSettings = { read: { idOfRow: (ordinal) => 100 + ordinal } };

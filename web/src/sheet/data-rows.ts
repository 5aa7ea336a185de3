import { isBlankRow, type SheetRow } from './read-rows.js';

const RECEIPT_START = '********RECEIPT START********';
const RECEIPT_END = '********RECEIPT END********';

/** The rows that are meant as samples: blank rows, `#` rows without a name and receipts left out, as the service does. */
export function* dataRows(rows: Iterable<SheetRow>, nameColumn: number): Generator<SheetRow> {
  let inReceipt = false;
  for (const row of rows) {
    if (isBlankRow(row)) continue;
    const marker = onlyCell(row);
    if (inReceipt) {
      inReceipt = marker !== RECEIPT_END && firstCell(row) !== RECEIPT_END;
      continue;
    }
    if (marker === RECEIPT_START) {
      inReceipt = true;
      continue;
    }
    if (marker === RECEIPT_END) continue;
    const name = row.cells[nameColumn]?.trim() ?? '';
    if (name === '' && firstCell(row).startsWith('#')) continue;
    yield row;
  }
}

const filled = ({ cells }: SheetRow): string[] => cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
const firstCell = (row: SheetRow): string => filled(row)[0] ?? '';

/** The text of the one filled cell of a row; undefined when there are more. */
function onlyCell(row: SheetRow): string | undefined {
  const texts = filled(row);
  return texts.length === 1 ? texts[0] : undefined;
}

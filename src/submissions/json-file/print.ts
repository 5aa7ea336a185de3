/** The items of a JSON file as rows (name, text), and as they are sent back: with their accessions, or with what is wrong. */
import { isObject, type JsonForm } from '../../registry/json-form.js';
import { jsonItems, parseItem } from '../../registry/json-items.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import { readRows, type SheetRow } from '../../tsv/print/rows.js';
import type { Written } from '../../tsv/print/write.js';
import { isEditHead } from '../batch-edit/edit-file.js';
import { isReceipt } from './examine.js';

/** The data rows of a file as the user wrote them; of a JSON file, the name and the text of each item. */
export function fileRows(bytes: AsyncIterable<Buffer>, plan: SheetPlan): AsyncGenerator<SheetRow[]> {
  return plan.json === undefined ? readRows(bytes, plan) : itemRows(bytes, plan.json);
}

async function* itemRows(bytes: AsyncIterable<Buffer>, form: JsonForm): AsyncGenerator<SheetRow[]> {
  for await (const { items } of jsonItems(bytes, form)) {
    const rows = items.flatMap((item): SheetRow[] => {
      const value = readValue(item.text);
      if (isReceipt(value) || (form === 'edit' && isEditHead(value))) return [];
      return [{ line: item.line, cells: [textOf(value, form === 'edit' ? 'sampleName' : 'name'), item.text] }];
    });
    if (rows.length > 0) yield rows;
  }
}

/** The accession that an item of a row names, '' for none. */
export const identifierOf = ({ cells }: SheetRow): string => textOf(readValue(cells[1] ?? ''), 'accession');

/** An item on one line, with its accession and, where it said none, the date that the upload gave it. */
export function resultItem({ cells }: SheetRow, { accession, release }: Written): string {
  const text = cells[1] ?? '';
  const value = readValue(text);
  if (!isObject(value)) return JSON.stringify({ notRead: text });
  if (accession === '') return JSON.stringify(value);
  const dated = release && (value.release ?? '') === '' ? { release } : {};
  return JSON.stringify({ ...value, accession, ...dated });
}

/** A rejected item with what is wrong with it, which is ignored when it is sent again. */
export function errorsItem({ line, cells }: SheetRow, issues: readonly Issue[]): string {
  const text = cells[1] ?? '';
  const value = readValue(text);
  const errors = issues.map(({ line: _, severity: __, ...said }) => said);
  return JSON.stringify(isObject(value) ? { ...value, errors } : { line, text, errors });
}

function readValue(text: string): unknown {
  const parsed = parseItem({ line: 0, text });
  return 'value' in parsed ? parsed.value : undefined;
}

const textOf = (value: unknown, member: string): string => {
  const text = isObject(value) && Object.hasOwn(value, member) ? value[member] : '';
  return typeof text === 'string' ? text.trim() : '';
};

/** The plan of a file, sheet or JSON, from its first bytes; the same each time it is asked. */
import type { JsonForm } from '../../registry/json-form.js';
import { jsonFormOf } from '../../registry/json-items.js';
import { emptyLayout } from '../../registry/samples/packed-sample.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import { readHeader, type SheetOptions } from '../../tsv/header/header.js';
import { readEditHead } from '../batch-edit/edit-file.js';

const NAME = 'Sample Name';

/** @throws RegistryError file.*, of a sheet or of a batch edit */
export function planFile(head: Buffer, options: SheetOptions, complete: boolean): SheetPlan {
  // The text of a workbook is a sheet, whatever its first cell.
  const form = options.rowsAreLines ? undefined : jsonFormOf(head);
  if (form === undefined) return readHeader(head, options, complete);
  return form === 'edit' ? { ...jsonPlan(form), changes: readEditHead(head) } : jsonPlan(form);
}

const jsonPlan = (json: JsonForm): SheetPlan => ({
  json,
  encoding: 'utf-8',
  delimiter: '\t',
  header: [NAME, 'JSON'],
  headerLine: 1,
  headerEnd: 0,
  nameColumn: 0,
  layout: emptyLayout(),
  keptColumns: [1],
  relationshipColumns: [],
  errorColumns: [],
  fromPlainHeaders: [],
  notStored: [],
});

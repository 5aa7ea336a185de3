/** In which formats whole results leave, and what holds for each. Pure. */

import { type ExportFormat, namesOfMany, type SheetFormat } from '../formats/names.js';
import { NDJSON } from '../registry/json-form.js';

const OWN_TYPES: Record<SheetFormat | 'ndjson', string> = {
  tsv: 'text/tab-separated-values;charset=UTF-8',
  csv: 'text/csv;charset=UTF-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: NDJSON,
};

const isOwn = (format: ExportFormat): format is keyof typeof OWN_TYPES => Object.hasOwn(OWN_TYPES, format);

/** Media type and ending of the file. */
export function fileOf(format: ExportFormat): { contentType: string; fileEnding: string } {
  if (isOwn(format)) return { contentType: OWN_TYPES[format], fileEnding: format };
  const { mediaType, fileEnding } = namesOfMany(format);
  return { contentType: mediaType === NDJSON ? NDJSON : `${mediaType};charset=UTF-8`, fileEnding };
}

export interface SheetLimits {
  rows: number;
  columns: number;
  cells: number;
}

/** Cells of a sheet of text, empty ones too: beyond them a result is separators for the most part. */
export const MAX_TEXT_CELLS = 1_000_000_000;

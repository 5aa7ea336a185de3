/** In which formats whole results leave, and what holds for each. Pure. */

import { NDJSON } from '../registry/json-form.js';

export const EXPORT_FORMATS = ['tsv', 'csv', 'xlsx', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const CONTENT_TYPES: Record<ExportFormat, string> = {
  tsv: 'text/tab-separated-values;charset=UTF-8',
  csv: 'text/csv;charset=UTF-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: NDJSON,
};

export interface SheetLimits {
  rows: number;
  columns: number;
  cells: number;
}

/** Cells of a sheet of text, empty ones too: beyond them a result is separators for the most part. */
export const MAX_TEXT_CELLS = 1_000_000_000;

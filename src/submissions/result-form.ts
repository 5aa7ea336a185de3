/** In what form a submission's results are: that of its file. */
import type { Submission } from './submission.js';

/** A sheet, a JSON object on each line, or an ISA-JSON document. */
export type ResultForm = 'sheet' | 'lines' | 'isa';

export const formOf = ({ columns, options }: Pick<Submission, 'columns' | 'options'>): ResultForm => {
  if (options.readAs?.isa) return 'isa';
  return columns?.json === undefined ? 'sheet' : 'lines';
};

/** Of the file that holds the result. */
export const RESULT_ENDING: Record<ResultForm, string> = { sheet: 'tsv', lines: 'ndjson', isa: 'isa.json' };

/** Of the file that holds the rejected rows: those of ISA-JSON are samples as JSON, each on its line. */
export const REJECTED_ENDING: Record<ResultForm, string> = { ...RESULT_ENDING, isa: 'ndjson' };

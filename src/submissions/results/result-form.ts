/** In what form a submission's results are: that of its file. Imports nothing, so that clients can have it. */

/** A sheet, a JSON object on each line, or an ISA-JSON document. */
export type ResultForm = 'sheet' | 'lines' | 'isa';

/** What says so of a submission, here and in its status document. */
export interface FormSigns {
  columns?: { json?: unknown } | undefined;
  options?: { readAs?: { isa?: true } } | undefined;
}

export const formOf = ({ columns, options }: FormSigns): ResultForm => {
  if (options?.readAs?.isa) return 'isa';
  return columns?.json === undefined ? 'sheet' : 'lines';
};

/** Of the file that holds the result. */
export const RESULT_ENDING: Record<ResultForm, string> = { sheet: 'tsv', lines: 'ndjson', isa: 'isa.json' };

/** Of the file that holds the rejected rows: those of ISA-JSON are samples as JSON, each on its line. */
export const REJECTED_ENDING: Record<ResultForm, string> = { ...RESULT_ENDING, isa: 'ndjson' };

/** What a file of one part of a submission is called behind the name of the uploaded one. */
export const PART_ENDING = {
  result: (form: ResultForm) => `result.${RESULT_ENDING[form]}`,
  mapping: () => 'mapping.json',
  errors: (form: ResultForm) => `errors.${REJECTED_ENDING[form]}`,
} as const satisfies Record<string, (form: ResultForm) => string>;

/** Media type of the file that holds the result, and of that of the rejected rows. */
export const RESULT_TYPE: Record<ResultForm, string> = {
  sheet: 'text/tab-separated-values',
  lines: 'application/x-ndjson',
  isa: 'application/json',
};
export const REJECTED_TYPE: Record<ResultForm, string> = { ...RESULT_TYPE, isa: RESULT_TYPE.lines };

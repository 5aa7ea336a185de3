/** Whether a text is JSON of many samples. Imports nothing, so that the page can have it. */

/** Media type of one JSON object on each line. */
export const NDJSON = 'application/x-ndjson';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `lines`: one JSON object on each line (NDJSON); `edit`: such lines, of which the first says what is changed of the samples below. */
export type JsonForm = 'lines' | 'array' | 'edit';

/** Whether a text may begin an ISA-JSON document; whether it is one is for its reader to say. */
export const mayBeIsaJson = (text: string): boolean => /^\uFEFF?\s*\{/.test(text) && text.includes('"studies"');

/** Comment of ISA-JSON in which a document of ours says terms beside `termAccession`: further ones, and those that are no address. */
export const ISA_FURTHER_TERM = 'term accession';

/** By the first characters of a text; undefined for anything else, an object over several lines too: it is one document. */
export function jsonFormOfText(text: string): JsonForm | undefined {
  if (/^\s*\[\s*(?:[{\]]|$)/.test(text)) return 'array';
  if (!/^\s*\{\s*["}]/.test(text)) return undefined;
  const start = text.trimStart();
  const form = /^\{\s*"edit"\s*:/.test(start) ? 'edit' : 'lines';
  const end = start.indexOf('\n');
  // A first line that is longer than what there is may be a sample that is too long.
  if (end < 0) return form;
  return start.slice(0, end).trimEnd().endsWith('}') ? form : undefined;
}

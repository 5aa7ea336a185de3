/** Zip archives that are no workbook: what is in them, and which file of theirs to send. */
import type { RegistryError } from '../registry/errors.js';
import { shorten } from '../tsv/rows/issues.js';
import { wrongKind } from './refusal.js';

const MAX_NAMED = 5;
const STUDY_TABLE = /^(?:.*\/)?s_[^/]*\.txt$/i;
const INVESTIGATION = /^(?:.*\/)?i_[^/]*\.txt$/i;

/** `files`: names as written, without folders. */
export function archive(files: readonly string[]): RegistryError {
  const studies = files.filter((name) => STUDY_TABLE.test(name));
  const isaTab = studies.length > 0 || files.some((name) => INVESTIGATION.test(name));
  const size = `a zip archive with ${files.length} ${files.length === 1 ? 'file' : 'files'}`;
  if (!isaTab) {
    const inside = files.length > 0 ? ` (${listed(files)})` : '';
    return wrongKind(
      `This is ${size}${inside}.`,
      'Unpack it, and upload the table of samples in it, as .tsv, .csv or .xlsx.',
    );
  }
  const table = studies.length > 0 ? listed(studies) : '(s_….txt)';
  const each = studies.length > 1 ? 'each study table by itself:' : 'the study table';
  return wrongKind(`This is ${size} of an ISA-Tab investigation.`, `Unpack it, and upload ${each} ${table}.`);
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map((name) => shorten(name.replace(/\p{Cc}/gu, ' ')));
  return shown.join(', ') + (names.length > MAX_NAMED ? ' …' : '');
}

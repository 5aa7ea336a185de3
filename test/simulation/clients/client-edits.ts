/** What changes samples in a part: batch edits and sheets that leave what they do not mention. Each says another site of its samples. */

import { editHead, editLine } from '../../../src/submissions/batch-edit/edit-file.js';
import type { UploadOptions } from '../../../src/submissions/submission.js';
import { type KnownSample, OPTIONS } from './client-sheets.js';

/** Name of the characteristic that nothing else writes; what replaces a sample takes it away. */
export const SITE = 'site';
const SITE_COLUMN = `Characteristics[${SITE}]`;

export interface PartialChange {
  fileName: string;
  text: string;
  options: UploadOptions;
}

export function editOf(known: readonly KnownSample[], site: string, pick: number): PartialChange {
  const lines = known.map(({ accession, name }) => editLine(accession, name));
  return {
    fileName: 'edit.ndjson',
    text: editHead([{ set: SITE, values: [{ text: site }] }]) + lines.join(''),
    options: { ...OPTIONS, mode: pick % 5 === 0 ? 'atomic' : 'partial', dryRun: pick % 3 === 1 },
  };
}

export function mergingSheetOf(known: readonly KnownSample[], site: string, pick: number): PartialChange {
  const rows = known.map(({ accession, name }) => [name, accession, site]);
  return {
    fileName: 'sheet.tsv',
    text: `${[['Sample Name', 'Sample Identifier', SITE_COLUMN], ...rows].map((cells) => cells.join('\t')).join('\n')}\n`,
    options: { ...OPTIONS, update: 'merge', mode: pick % 5 === 0 ? 'atomic' : 'partial', dryRun: pick % 3 === 1 },
  };
}

/** The site that such a file gives its samples; undefined for every other file. */
export function siteIn(text: string): string | undefined {
  const [head = '', first = ''] = text.split('\n');
  if (head.startsWith('{"edit":')) {
    const { edit } = JSON.parse(head) as { edit: { values: { text: string }[] }[] };
    return edit[0]?.values[0]?.text;
  }
  return head.endsWith(`\t${SITE_COLUMN}`) ? first.split('\t').at(-1) : undefined;
}

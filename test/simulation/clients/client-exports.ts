/** What a LIMS sends: the same samples night after night, known by keys of its own. */
import type { UploadOptions } from '../../../src/submissions/submission.js';
import { PLAIN_COLUMNS } from '../../support/plain-sheet.js';
import { OPTIONS } from './client-sheets.js';

export const KEY_SPACE = 'lims';
const KEY_COLUMN = 'Barcode';
const KEYS = 8;

export const nameOfKey = (account: string, key: string): string => `k${account.slice(4)}_${key}`;

/** Each export lacks other samples; one of its rows may be bad, and its rows may refer to each other by name. */
export function exportSheet(account: string, note: string, pick: number): string {
  const keys = Array.from({ length: KEYS }, (_, key) => `B${key}`).filter((_, key) => (pick >> key) % 4 !== 3);
  const bad = pick % 6 === 5 ? keys[pick % keys.length] : undefined;
  const related = pick % 3 === 1;
  const header = [...PLAIN_COLUMNS, KEY_COLUMN, ...(related ? ['Comment[bsd_relationship:derived from]'] : [])];
  const rows = keys.map((key, at) => {
    const date = key === bad ? 'soon' : '2024-01-15';
    const parent = related ? [nameOfKey(account, keys[(at + 1) % keys.length] as string)] : [];
    return [nameOfKey(account, key), date, 'Homo sapiens', '1', 'year', note, key, ...parent];
  });
  return `${[header, ...rows].map((cells) => cells.join('\t')).join('\n')}\n`;
}

/** How an export is sent: into the key space, or as the whole of it. */
export function exportOptions(kind: 'export' | 'wholeExport', pick: number): UploadOptions {
  const mode = pick % 5 === 0 ? ('atomic' as const) : ('partial' as const);
  if (kind === 'wholeExport') {
    const commit = pick % 3 === 0 ? ('hand' as const) : ('auto' as const);
    const ceilings = { maxMissing: pick % 7 === 6 ? '1' : '100%' };
    return { ...OPTIONS, ...ceilings, mode, commit, key: KEY_COLUMN, standing: KEY_SPACE, missing: 'withdraw' };
  }
  const only = pick % 8 === 2 ? { onlyCreate: true } : pick % 8 === 6 ? { onlyUpdate: true } : {};
  return { ...OPTIONS, ...only, mode, dryRun: pick % 4 === 1, key: KEY_COLUMN, keySpace: KEY_SPACE };
}

/** Key and value of the characteristic "note" of each line of an export. */
export function exportLines(text: string): Map<number, { key: string; note: string }> {
  const lines = text.trimEnd().split('\n');
  const header = lines[0]?.split('\t') ?? [];
  const at = header.indexOf(KEY_COLUMN);
  const noteAt = header.indexOf('Characteristics[note]');
  return new Map(
    lines.slice(1).map((line, row) => {
      const cells = line.split('\t');
      return [row + 2, { key: cells[at] as string, note: cells[noteAt] as string }];
    }),
  );
}

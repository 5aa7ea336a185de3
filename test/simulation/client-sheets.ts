/** The sheets that clients send, and how. */
import type { UploadOptions } from '../../src/submissions/submission.js';
import { PLAIN_COLUMNS, plainSheet } from '../support/plain-sheet.js';
import { Random } from '../support/random.js';

export const OPTIONS: UploadOptions = {
  mode: 'partial',
  update: 'replace',
  dryRun: false,
  duplicate: 'reuse',
  unknownColumns: 'characteristics',
};

/** The sheets of an account, the same for all who work for it. */
export function sheetsOf(account: string, seed: number): string[] {
  const random = new Random(seed ^ Number.parseInt(account.slice(4), 10));
  return ['a', 'b'].map((letter) =>
    plainSheet({
      tag: `${account}_${letter}`,
      rows: 1 + random.below(12),
      badEvery: random.chance(0.3) ? 4 : 0,
      note: `sheet ${letter}`,
    }),
  );
}

/** A sample of which a client was answered. */
export interface KnownSample {
  accession: string;
  name: string;
  tag: string;
  /** The value of the characteristic "note" in what it was answered, in that order. */
  notes: string[];
}

/** Updates these samples and registers others of the names `fresh`: `note` is what is new of them. */
export function updateSheet(known: readonly KnownSample[], note: string, fresh: readonly string[] = []): string {
  const named = [...known, ...fresh.map((name) => ({ name, accession: '' }))];
  const rows = named.map(({ name, accession }) => [name, '2024-01-15', 'Homo sapiens', '1', 'year', note, accession]);
  return `${[[...PLAIN_COLUMNS, 'Sample Identifier'], ...rows].map((cells) => cells.join('\t')).join('\n')}\n`;
}

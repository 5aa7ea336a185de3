/** The sheets that clients send, and how. */
import type { UploadOptions } from '../../../src/submissions/submission.js';
import { PLAIN_COLUMNS, plainSheet } from '../../support/plain-sheet.js';
import { Random } from '../../support/random.js';

/** Whoever writes to a sample that is there by a sheet names it in this column. */
export const IDENTIFIER_COLUMN = 'Sample Identifier';

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

const RELEASE_DATE = '2024-01-15';
/** An upload with it registers what the row without a release date says, one without refuses it. */
export const GIVEN_RELEASE_DATE = { releaseDate: Date.parse(RELEASE_DATE) };
/** Mostly given later in a run, if at all. */
const LATER = 12;

/**
 * A sheet that comes again and again: one sample by its accession, and four new ones, of which the second has no release date, the third
 * refers to a sample that there may not be yet, and the last to the third.
 */
export function sheetOfAll({ accession, name }: KnownSample): string {
  const number = Number(/\d+$/.exec(accession)?.[0]);
  const parent = `${accession.slice(0, -String(number).length)}${number + LATER}`;
  const rows = [
    [name, RELEASE_DATE, accession, ''],
    [`s${number}_1`, RELEASE_DATE, '', ''],
    [`s${number}_2`, '', '', ''],
    [`s${number}_3`, RELEASE_DATE, '', parent],
    [`s${number}_4`, RELEASE_DATE, '', `s${number}_3`],
  ].map(([sample, date, identifier, related]) => [
    sample,
    date,
    'Homo sapiens',
    '1',
    'year',
    'of all',
    identifier,
    related,
  ]);
  const header = [...PLAIN_COLUMNS, IDENTIFIER_COLUMN, 'Comment[bsd_relationship:derived from]'];
  return `${[header, ...rows].map((cells) => cells.join('\t')).join('\n')}\n`;
}

/** Children that refer to parents by names that another sheet of the account brings (`parentSheet`), or has brought. */
export function childSheet(account: string, pick: number): string {
  const family = pick % 3;
  const rows = [0, 1, 2].map((child) => [childName(account, family, child), parentName(account, (family + child) % 4)]);
  const header = [...PLAIN_COLUMNS, 'Comment[bsd_relationship:derived from]'];
  const lines = rows.map(([name, parent]) => [name, RELEASE_DATE, 'Homo sapiens', '1', 'year', 'child', parent]);
  return `${[header, ...lines].map((cells) => cells.join('\t')).join('\n')}\n`;
}

export function parentSheet(account: string, pick: number): string {
  const names = pick % 2 === 0 ? [0, 1] : [2, 3];
  const rows = names.map((n) => [parentName(account, n), RELEASE_DATE, 'Homo sapiens', '30', 'year', 'parent']);
  return `${[PLAIN_COLUMNS, ...rows].map((cells) => cells.join('\t')).join('\n')}\n`;
}

const childName = (account: string, family: number, n: number): string => `c${account.slice(4)}_${family}_${n}`;
const parentName = (account: string, n: number): string => `p${account.slice(4)}_${n}`;

/** Name of the parent of a sample of a child sheet; undefined for every other sample. */
export function parentOf(name: string): string | undefined {
  const [, account, family, child] = /^c(\d+)_(\d)_(\d)$/.exec(name) ?? [];
  return account === undefined ? undefined : parentName(`lab-${account}`, (Number(family) + Number(child)) % 4);
}

/** Samples as JSON, one on each line: the same new ones each time, or what is new of known ones. */
export function jsonLines(account: string, known: readonly KnownSample[], note: string, pick: number): string {
  const fresh = [0, 1, 2, 3].map((n) => ({ name: `n${account.slice(4)}_${pick % 3}_${n}` }));
  const samples =
    pick % 2 === 0 || known.length === 0
      ? fresh
      : known.slice(0, 5).map(({ accession, name }) => ({ accession, name }));
  const text = samples === fresh ? 'of a file of JSON' : note;
  const items = samples.map((one) => ({ ...one, release: RELEASE_DATE, characteristics: { note: [{ text }] } }));
  return items.map((item) => `${JSON.stringify(item)}\n`).join('');
}

/** Updates these samples and registers others of the names `fresh`: `note` is what is new of them. */
export function updateSheet(known: readonly KnownSample[], note: string, fresh: readonly string[] = []): string {
  const named = [...known, ...fresh.map((name) => ({ name, accession: '' }))];
  const rows = named.map(({ name, accession }) => [name, RELEASE_DATE, 'Homo sapiens', '1', 'year', note, accession]);
  return `${[[...PLAIN_COLUMNS, IDENTIFIER_COLUMN], ...rows].map((cells) => cells.join('\t')).join('\n')}\n`;
}

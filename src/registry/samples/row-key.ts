/**
 * Which sample a row means that carries a key of its account's own, within a key space: the rule that stores run inside
 * their transactions and that a survey runs beforehand. Pure.
 */
import { formatAccession } from '../accession.js';
import { rowIssue, shorten } from '../row-issue.js';
import { ROW_PLACES, type RowPlaces } from '../row-places.js';
import type { Issue } from './sample-batch.js';

/** Characters of a key; PostgreSQL indexes no longer ones. */
export const KEY_LIMIT = 500;
/** Of a key space that nobody named. */
export const DEFAULT_KEY_SPACE = 'default';
/** Key spaces of one account. */
export const MOST_KEY_SPACES = 100;
export const KEY_SPACE_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const KEY_SPACE_WORDS =
  '1 to 64 letters, digits, points, dashes and underscores, beginning with a letter or digit';

/** What a key space says of the keys and samples that were asked for. */
export interface KnownKeys {
  /** Key → number of its sample. */
  samples: Map<string, number>;
  /** Number of a sample → its key. */
  keys: Map<number, string>;
}

export interface KeyedRow {
  line: number;
  key: string;
  /** Number of the sample that the row names by its accession; 0 for none. */
  id: number;
  /** Of a row that names none: the sample that it means unless its key says another; 0 for none. */
  meant: number;
  /** It says a release, or the upload does. */
  released: boolean;
}

export interface KeyRule {
  places: RowPlaces;
  prefix: string;
  onlyUpdate?: boolean | undefined;
  onlyCreate?: boolean | undefined;
}

/** `id`: 0 registers a sample. `gives`: the sample has no key yet and gets this one. */
export type KeyDecision = { id: number; gives: boolean } | { issue: Issue };

/** Asked for each row of every upload with keys: only what refuses one makes anything. */
export function decideKey(row: KeyedRow, known: KnownKeys, rule: KeyRule): KeyDecision {
  const { key, id } = row;
  const keyed = known.samples.size === 0 ? undefined : known.samples.get(key);
  if (id !== 0) {
    const issue = contradiction(row, keyed, known.keys.get(id), rule);
    if (issue) return { issue };
  }
  const meant = known.keys.has(row.meant) ? 0 : row.meant;
  const target = id || (keyed ?? meant);
  if (target !== 0)
    return rule.onlyCreate ? { issue: present(row, target, rule) } : { id: target, gives: keyed === undefined };
  if (rule.onlyUpdate) return { issue: absent(row, rule) };
  return row.released ? REGISTERS : { issue: undated(row, rule) };
}

const REGISTERS: KeyDecision = { id: 0, gives: true };

/** What keeps a row that names a sample by its accession from having its key. */
function contradiction(
  row: KeyedRow,
  keyed: number | undefined,
  other: string | undefined,
  { prefix, places }: KeyRule,
): Issue | undefined {
  const { line, key, id } = row;
  const named = formatAccession(prefix, id);
  if (keyed !== undefined && keyed !== id) {
    const owner = formatAccession(prefix, keyed);
    const message = `The key ${shown(row)} is that of sample ${owner}, and the row names ${named}. Correct one of the two cells, or empty the ${accessionTitle(places)} to update ${owner}.`;
    return rowIssue('key.of-another', { line, ...places.key }, { value: key, message });
  }
  if (other === undefined || other === key) return undefined;
  const message = `Sample ${named} has the key "${shorten(other)}" in this key space, and the row says ${shown(row)}. Correct one of the two cells, or take that key away first.`;
  return rowIssue('key.differs', { line, ...places.key }, { value: key, message });
}

function present(row: KeyedRow, target: number, { prefix, places }: KeyRule): Issue {
  const message = `The row means sample ${formatAccession(prefix, target)}, which is there already, by its key ${shown(row)}, its ${accessionTitle(places)} or an earlier upload of this file, and the upload was to create samples only. Take the row out, or upload without onlyCreate.`;
  return rowIssue('key.exists', { line: row.line, ...places.key }, { value: row.key, message });
}

function absent(row: KeyedRow, { places }: KeyRule): Issue {
  const message = `No sample has the key ${shown(row)} in this key space, and the upload was to update samples only. Correct the key, or upload without onlyUpdate.`;
  return rowIssue('key.unknown', { line: row.line, ...places.key }, { value: row.key, message });
}

const undated = (row: KeyedRow, { places }: KeyRule): Issue =>
  rowIssue(
    'release.missing',
    { line: row.line, ...(places.release ?? places.name) },
    {
      message: `No sample has the key ${shown(row)} yet, and the row has no ${(places.release ?? ROW_PLACES.release).column} to register it with. Fill it with a date such as 2024-11-21, or give one date for all rows with the option releaseDate.`,
    },
  );

const accessionTitle = ({ accession = ROW_PLACES.accession }: RowPlaces): string => accession.column;

const shown = ({ key }: KeyedRow): string => `"${shorten(key)}"`;

/** Notes that a sample has this key from now on, for the rows that follow; a file says no key twice, so those of new samples need none. */
export function learnKey({ samples, keys }: KnownKeys, key: string, id: number): void {
  if (id === 0) return;
  samples.set(key, id);
  keys.set(id, key);
}

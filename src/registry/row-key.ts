/**
 * Which sample a row means that carries a key of its account's own, within a key space: the rule that stores run inside
 * their transactions and that a survey runs beforehand. Pure.
 */
import { formatAccession } from './accession.js';
import type { RowIssueCode } from './issue-codes.js';
import { rowIssue, shorten } from './row-issue.js';
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
  /** Header of the column of the keys. */
  column: string;
  prefix: string;
  onlyUpdate?: boolean | undefined;
  onlyCreate?: boolean | undefined;
}

/** `id`: 0 registers a sample. `gives`: the sample has no key yet and gets this one. */
export type KeyDecision = { id: number; gives: boolean } | { issue: Issue };

export function decideKey(row: KeyedRow, known: KnownKeys, rule: KeyRule): KeyDecision {
  const { key, id } = row;
  const keyed = known.samples.get(key);
  const refuse = (code: RowIssueCode, message: string): KeyDecision => ({
    issue: rowIssue(code, { line: row.line, column: rule.column }, { value: key, message }),
  });
  const shown = `"${shorten(key)}"`;
  if (id !== 0) {
    const named = formatAccession(rule.prefix, id);
    if (keyed !== undefined && keyed !== id) {
      const owner = formatAccession(rule.prefix, keyed);
      return refuse(
        'key.of-another',
        `The key ${shown} is that of sample ${owner}, and the row names ${named}. Correct one of the two cells, or empty the Sample Identifier to update ${owner}.`,
      );
    }
    const other = known.keys.get(id);
    if (other !== undefined && other !== key) {
      return refuse(
        'key.differs',
        `Sample ${named} has the key "${shorten(other)}" in this key space, and the row says ${shown}. Correct one of the two cells, or take that key away first.`,
      );
    }
  }
  const meant = row.meant !== 0 && known.keys.get(row.meant) === undefined ? row.meant : 0;
  const target = id || (keyed ?? meant);
  if (target !== 0) {
    if (rule.onlyCreate)
      return refuse(
        'key.exists',
        `The row means sample ${formatAccession(rule.prefix, target)}, which is there already, by its key ${shown}, its Sample Identifier or an earlier upload of this file, and the upload was to create samples only. Take the row out, or upload without onlyCreate.`,
      );
    return { id: target, gives: keyed === undefined };
  }
  if (rule.onlyUpdate)
    return refuse(
      'key.unknown',
      `No sample has the key ${shown} in this key space, and the upload was to update samples only. Correct the key, or upload without onlyUpdate.`,
    );
  if (row.released) return { id: 0, gives: true };
  return { issue: undated(row, shown) };
}

const undated = ({ line }: KeyedRow, key: string): Issue =>
  rowIssue(
    'release.missing',
    { line, column: 'Release Date' },
    {
      message: `No sample has the key ${key} yet, and the row has no Release Date to register it with. Fill it with a date such as 2024-11-21, or give one date for all rows with the option releaseDate.`,
    },
  );

/** Notes that a sample has this key from now on, for the rows that follow. */
export function learnKey({ samples, keys }: KnownKeys, key: string, id: number): void {
  samples.set(key, id);
  if (id !== 0) keys.set(id, key);
}

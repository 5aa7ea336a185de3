/**
 * Names that the account has given before: a new row with one is more often a sample that exists than another of the
 * same name. A hint, so for small files only.
 */
import { formatAccession } from '../../registry/accession.js';
import { howToName, rowIssue, rowWord, shorten } from '../../registry/row-issue.js';
import { placesOf, type RowPlaces } from '../../registry/row-places.js';
import { batchName, type LaidOutBatch, type RejectedRow } from '../../registry/samples/sample-batch.js';
import type { SearchStore } from '../../registry/search/search-store.js';
import { joinedWarnings } from './joined-warnings.js';

/** Names in one question to the store. */
const MAX_NAMES = 200;

/** A row that names no sample to update. */
export interface NewRow {
  line: number;
  name: string;
  places: RowPlaces;
}

interface Known {
  account: string;
  prefix: string;
}

/** Adds a warning to each new row of a small batch whose name another sample of the account has. */
export async function warnOfKnownNames(
  store: Pick<SearchStore, 'findNamed'>,
  batch: LaidOutBatch,
  known: Known,
): Promise<void> {
  const rows = namedRows(batch);
  if (rows.length > MAX_NAMES) return;
  const warnings = await knownNames(store, rows, known);
  if (warnings.length > 0) batch.warnings = joinedWarnings([...(batch.warnings ?? []), ...warnings]);
}

/** A warning for each of these rows whose name another sample of the account has, in their order. */
export async function knownNames(
  store: Pick<SearchStore, 'findNamed'>,
  rows: readonly NewRow[],
  { account, prefix }: Known,
): Promise<RejectedRow[]> {
  const warnings: RejectedRow[] = [];
  for (let at = 0; at < rows.length; at += MAX_NAMES) {
    const asked = rows.slice(at, at + MAX_NAMES);
    const known = await store.findNamed(
      account,
      asked.map(({ name }) => name),
    );
    for (const row of asked) {
      const id = known.get(row.name)?.at(-1);
      if (id !== undefined) warnings.push(warning(row, formatAccession(prefix, id)));
    }
  }
  return warnings;
}

export function namedRows(batch: LaidOutBatch): NewRow[] {
  const places = placesOf(batch);
  return newRows(batch).map((row) => ({ line: batch.lines[row] as number, name: batchName(batch, row), places }));
}

/** Those that name no sample to update. */
export function newRows({ count, ids }: LaidOutBatch): number[] {
  const rows: number[] = [];
  for (let row = 0; row < count; row++) if (ids[row] === 0) rows.push(row);
  return rows;
}

function warning({ line, name, places }: NewRow, accession: string): RejectedRow {
  const value = shorten(name);
  const message = `You have a sample "${value}" already: ${accession}. If this ${rowWord(places.form)} means that one, ${howToName(places, accession)}.`;
  return { line, name, issues: [rowIssue('name.used-before', { line, ...places.name }, { value, message })] };
}

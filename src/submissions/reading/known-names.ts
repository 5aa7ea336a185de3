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

const MAX_NAMES = 200;

/** Adds a warning to each new row whose name another sample of the account has. */
export async function warnOfKnownNames(
  store: Pick<SearchStore, 'findNamed'>,
  batch: LaidOutBatch,
  { account, prefix }: { account: string; prefix: string },
): Promise<void> {
  const rows = newRows(batch);
  if (rows.length === 0 || rows.length > MAX_NAMES) return;
  const known = await store.findNamed(
    account,
    rows.map((row) => batchName(batch, row)),
  );
  const warnings = rows.flatMap((row): RejectedRow[] => {
    const name = batchName(batch, row);
    const id = known.get(name)?.at(-1);
    return id === undefined
      ? []
      : [warning(batch.lines[row] as number, name, formatAccession(prefix, id), placesOf(batch))];
  });
  if (warnings.length === 0) return;
  batch.warnings = joinedWarnings([...(batch.warnings ?? []), ...warnings]);
}

/** Those that name no sample to update. */
export function newRows({ count, ids }: LaidOutBatch): number[] {
  const rows: number[] = [];
  for (let row = 0; row < count; row++) if (ids[row] === 0) rows.push(row);
  return rows;
}

function warning(line: number, name: string, accession: string, places: RowPlaces): RejectedRow {
  const value = shorten(name);
  const message = `You have a sample "${value}" already: ${accession}. If this ${rowWord(places.form)} means that one, ${howToName(places, accession)}.`;
  return { line, name, issues: [rowIssue('name.used-before', { line, ...places.name }, { value, message })] };
}

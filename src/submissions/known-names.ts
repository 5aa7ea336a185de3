/**
 * Names that the account has given before: a new row with one is more often a sample that exists than another of the
 * same name. Asked of the search index, which lags behind the writes, and for small files only: it is a hint.
 */
import { formatAccession } from '../registry/accession.js';
import { batchName, type LaidOutBatch, type RejectedRow } from '../registry/sample-batch.js';
import type { SearchStore } from '../registry/search-store.js';
import { nameTerm } from '../registry/search-terms.js';

const MAX_NAMES = 200;
const MAX_VALUE = 100;

/** Adds a warning to each new row whose name another sample of the account has. */
export async function warnOfKnownNames(
  store: Pick<SearchStore, 'search'>,
  batch: LaidOutBatch,
  { account, prefix, now }: { account: string; prefix: string; now: number },
): Promise<void> {
  const rows = newRows(batch);
  if (rows.length === 0 || rows.length > MAX_NAMES) return;
  const terms = rows.map((row) => nameTerm(batchName(batch, row)));
  const query = { terms: [terms], accounts: [account], reader: { account, admin: false }, now, size: MAX_NAMES };
  const { records } = await store.search(query, {});
  const known = new Map<string, number>();
  for (const { sample } of records) if (sample.adminStatus === undefined) known.set(sample.name, sample.id);
  const warnings = rows.flatMap((row): RejectedRow[] => {
    const name = batchName(batch, row);
    const id = known.get(name);
    return id === undefined ? [] : [warning(batch.lines[row] as number, name, formatAccession(prefix, id))];
  });
  if (warnings.length === 0) return;
  batch.warnings = [...(batch.warnings ?? []), ...warnings].sort((a, b) => a.line - b.line);
}

function newRows({ count, ids }: LaidOutBatch): number[] {
  const rows: number[] = [];
  for (let row = 0; row < count; row++) if (ids[row] === 0) rows.push(row);
  return rows;
}

function warning(line: number, name: string, accession: string): RejectedRow {
  const value = name.slice(0, MAX_VALUE);
  const message = `You have a sample "${value}" already: ${accession}. If this row means that one, write ${accession} in its Sample Identifier.`;
  return {
    line,
    name,
    issues: [{ line, column: 'Sample Name', code: 'name.used-before', value, message, severity: 'warning' }],
  };
}

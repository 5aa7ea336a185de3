/** What the index keeps of one sample, written beside its columns. */
import { type IndexedSample, indexedSample, OPENED_AT_ONCE } from '../../registry/indexed-sample.js';
import { termsDigest } from '../../registry/search-terms.js';
import type { SqliteDatabase } from './database.js';
import type { HeadRow, SearchRecords } from './search-record.js';

interface Entering {
  prefix: string;
  now: () => number;
  records: SearchRecords;
}

/** Terms that are the same as before are not written again. `failed`: the sample is known by its name only. */
export function enterSample(
  index: SqliteDatabase,
  { prefix, now, records }: Entering,
  head: HeadRow,
  failed: boolean,
): IndexedSample {
  const { id, account, release, updated, hidden } = head;
  const sample = indexedSample(prefix, head, failed, () => records.content(id));
  const { terms, nameOnly } = sample;
  const text = terms.join(' ');
  const digest = termsDigest(text);
  const open = hidden === 0 && release <= now() ? 1 : 0;
  const known = index.sql<{ digest: string | null }>('select digest from entry where id = ?').get(id);
  if (known === undefined) {
    index
      .sql('insert into entry (id, account, release, updated, hidden, open, digest) values (?, ?, ?, ?, ?, ?, ?)')
      .run(id, account, release, updated, hidden, open, digest);
  } else {
    index
      .sql('update entry set release = ?, updated = ?, hidden = ?, open = ?, digest = ? where id = ?')
      .run(release, updated, hidden, open, digest, id);
    if (known.digest !== digest) index.sql('delete from entry_terms where rowid = ?').run(id);
  }
  if (known?.digest !== digest) index.sql('insert into entry_terms (rowid, terms) values (?, ?)').run(id, text);
  if (nameOnly === undefined) index.sql('delete from name_only where id = ?').run(id);
  else index.sql('replace into name_only (id, reason, at) values (?, ?, ?)').run(id, nameOnly, now());
  return sample;
}

/** Samples become public by the clock alone; searches look at the clock themselves, so this may be late. Resolves to whether any did. */
export async function openDue(index: SqliteDatabase, now: number): Promise<boolean> {
  const due = 'select id from entry where open = 0 and hidden = 0 and release <= ? order by release limit ?';
  if (index.sql(due).get(now, 1) === undefined) return false;
  await index.write(() => index.sql(`update entry set open = 1 where id in (${due})`).run(now, OPENED_AT_ONCE));
  return true;
}

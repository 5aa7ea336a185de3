/** Changed samples that the index has not taken in, read from the store beside it. */
import { indexedSample } from '../../registry/indexed-sample.js';
import {
  type JournalRow,
  PENDING_ROWS,
  type PendingEntry,
  pendingSamples,
  withinPendingBytes,
} from '../../registry/pending-samples.js';
import type { Session } from './database.js';
import type { Names } from './names.js';
import { leftOf } from './search-journal.js';
import { contentReader, readHeads } from './search-record.js';

export interface Pending {
  entries: PendingEntry[];
  /** Changes that are neither in the index nor in `entries`. */
  missing: number;
}

/** In the snapshot in which the index is read. */
export async function readPending(session: Session, names: Names, prefix: string): Promise<Pending> {
  const rows = await session.rows<JournalRow>('select seq, first, count from change order by seq desc limit $1', [
    PENDING_ROWS,
  ]);
  const { lag } = await leftOf(session);
  if (rows.length === 0) return { entries: [], missing: lag };
  const { ids: asked, covered } = pendingSamples(rows);
  const found = await readHeads(session, [...asked.keys()]);
  const heads = withinPendingBytes([...asked.keys()].flatMap((id) => found.get(id) ?? []));
  const read = await contentReader(
    session,
    names,
    heads.map(({ id }) => id),
  );
  const entries = heads.map((head): PendingEntry => {
    const { id, account, release, updated, hidden } = head;
    const { terms } = indexedSample(prefix, head, false, () => read(id));
    return { id, account, release, updated, hidden, terms: new Set(terms) };
  });
  return { entries, missing: Math.max(0, lag - covered + asked.size - entries.length) };
}

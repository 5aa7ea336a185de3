/** Changed samples that the index has not taken in, read from the store beside it. */
import { indexedSample } from '../../../registry/search/indexed-sample.js';
import {
  isCandidate,
  type JournalRow,
  PENDING_ROWS,
  type PendingEntry,
  pendingContent,
  pendingSamples,
  type Wanted,
  withinPendingBytes,
} from '../../../registry/search/pending-samples.js';
import type { Session } from '../database.js';
import type { Names } from '../samples/names.js';
import { leftOf } from './search-journal.js';
import { contentReader, readHeads } from './search-record.js';

export interface Pending {
  entries: PendingEntry[];
  /** Changes that are neither in the index nor in `entries`. */
  missing: number;
}

/** The newest rows of the journal; what the index has taken in is no longer there. */
export const newestChanges = (session: Session): Promise<JournalRow[]> =>
  session.rows<JournalRow>('select seq, first, count from change order by seq desc limit $1', [PENDING_ROWS]);

/** In the snapshot in which the index is read; the terms are those of samples that may be wanted. */
export async function readPending(
  session: Session,
  { names, prefix }: { names: Names; prefix: string },
  wanted: Wanted,
  before: number | undefined,
): Promise<Pending> {
  const rows = await newestChanges(session);
  const { missing } = await leftOf(session);
  if (rows.length === 0) return { entries: [], missing };
  const { ids: asked, covered } = pendingSamples(rows);
  const found = await readHeads(session, [...asked.keys()]);
  const heads = withinPendingBytes([...asked.keys()].flatMap((id) => found.get(id) ?? []));
  const read = await contentReader(
    session,
    names,
    wanted.query.terms.length === 0 && wanted.query.ranges === undefined && wanted.query.facets === undefined
      ? []
      : heads.filter((head) => isCandidate(head, wanted, before)).map(({ id }) => id),
  );
  const entries = heads.map((head): PendingEntry => {
    const { id, account, release, updated, hidden } = head;
    const content = pendingContent(() => indexedSample(prefix, head, false, () => read(id)));
    return { id, account, release, updated, hidden, ...content };
  });
  return { entries, missing: Math.max(0, missing - covered + asked.size - entries.length) };
}

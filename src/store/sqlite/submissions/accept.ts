/** Accepting uploads: one immediate transaction decides which of any number of equal ones is the first. */
import type { Acceptance, NewSubmission, ReplayRule, SubmissionStore } from '../../../submissions/submission-store.js';
import { decideReplay, isRepeated, isResumable, takesFile } from '../../replay.js';
import type { SubmissionRow } from '../../rows/submission-row.js';
import type { SqliteDatabase } from '../database.js';
import type { Names } from '../samples/names.js';
import { refusalToGoOn } from './newer-uploads.js';
import { reviveSubmission } from './submission-ends.js';
import { insertSubmission, readSubmissionRow, rowById, rowsOfSameBytes } from './submission-rows.js';

export function sqliteAcceptance(
  database: SqliteDatabase,
  names: Names,
  now: () => number,
): Pick<SubmissionStore, 'accept' | 'acceptFailed' | 'hasOriginal' | 'knowsKey'> {
  const answer = (kind: Acceptance['kind'], id: number): Acceptance => ({
    kind,
    submission: readSubmissionRow(rowById(database, id), names),
  });
  const replay = (row: SubmissionRow, draft: NewSubmission, revive: boolean): Acceptance => {
    if (takesFile(row, draft)) {
      database
        .sql('update submission set blob_key = ?, crc32 = ?, original_gone = null where id = ?')
        .run(draft.blobKey, draft.crc32 ?? null, row.id);
    }
    if (revive) reviveSubmission(database, row, now());
    return answer('replayed', row.id);
  };
  const acceptNow = (draft: NewSubmission, rule: ReplayRule): Acceptance => {
    const account = names.account(draft.account, draft.created);
    const keyed = rule.key === undefined ? undefined : rowOfKey(database, account, rule.key);
    if (keyed) {
      if (!isRepeated(keyed, draft)) return answer('key-reused', keyed.id);
      const submission = readSubmissionRow(keyed, names);
      return replay(keyed, draft, isResumable(submission) && refusalToGoOn(database, names, keyed) === undefined);
    }
    const rows = rowsOfSameBytes(database, account, draft.sha256);
    const earlier = rows.map((row) => readSubmissionRow(row, names));
    const verdict = decideReplay(draft, earlier, rule.sameBytes);
    if (verdict.kind === 'accepted') {
      const id = insertSubmission(database, names, draft, verdict.earlier?.id);
      rememberKey(database, account, rule.key, id);
      return answer('accepted', id);
    }
    const row = rows.find(({ uuid }) => uuid === verdict.submission.id) as SubmissionRow;
    if (verdict.kind !== 'replayed') return answer(verdict.kind, row.id);
    rememberKey(database, account, rule.key, row.id);
    return replay(row, draft, verdict.revive);
  };
  return {
    knowsKey: async (account, key) =>
      database
        .sql('select 1 from idempotency_key k join account a on a.id = k.account where a.name = ? and k.key = ?')
        .get(account, key) !== undefined,
    hasOriginal: async ({ account, sha256, blobKey }) =>
      database
        .sql(
          'select 1 from submission s join account a on a.id = s.account where a.name = ? and s.sha256 = ? and s.blob_key = ?',
        )
        .get(account, sha256, blobKey) !== undefined,
    accept: (draft, rule) => database.write(() => acceptNow(draft, rule)),
    acceptFailed: (draft, problem) =>
      database.write(() => {
        const id = insertSubmission(database, names, { ...draft, state: 'FAILED', phase: 'DONE', problem }, undefined);
        return readSubmissionRow(rowById(database, id), names);
      }),
  };
}

function rowOfKey(database: SqliteDatabase, account: number, key: string): SubmissionRow | undefined {
  return database
    .sql<SubmissionRow>(
      'select s.* from idempotency_key k join submission s on s.id = k.submission where k.account = ? and k.key = ?',
    )
    .get(account, key);
}

function rememberKey(database: SqliteDatabase, account: number, key: string | undefined, submission: number): void {
  if (key === undefined) return;
  database.sql('insert into idempotency_key (account, key, submission) values (?, ?, ?)').run(account, key, submission);
}

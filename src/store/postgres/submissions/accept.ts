/** Accepting uploads: one transaction per account at a time decides which of any number of equal ones is the first. */
import { RegistryError } from '../../../registry/errors.js';
import type { Submission } from '../../../submissions/submission.js';
import type { Acceptance, NewSubmission, ReplayRule, SubmissionStore } from '../../../submissions/submission-store.js';
import { decideReplay, isRepeated, isResumable, takesFile } from '../../replay.js';
import type { PostgresDatabase, Session } from '../database.js';
import type { Names } from '../samples/names.js';
import { refusalToGoOn } from './newer-uploads.js';
import { reviveSubmission } from './submission-ends.js';
import {
  insertSubmission,
  type JoinedRow,
  lockByUuid,
  readSubmissionRow,
  rowById,
  rowByUuid,
  SUBMISSIONS,
  sameBytes,
} from './submission-rows.js';

/** First half of the advisory lock that accepting for one account holds; the second is the account's number. */
const ACCEPTING = 7_263_402;

export function postgresAcceptance(
  database: PostgresDatabase,
  names: Names,
  now: () => number,
): Pick<SubmissionStore, 'accept' | 'acceptFailed' | 'hasOriginal' | 'knowsKey'> {
  return {
    knowsKey: (account, key) =>
      database.read(
        async (session) =>
          (await session.one(
            'select 1 from idempotency_key k join account a on a.id = k.account where a.name = $1 and k.key = $2',
            [account, key],
          )) !== undefined,
      ),
    hasOriginal: async ({ account, sha256, blobKey }) =>
      (await database.one(
        'select 1 from submission s join account a on a.id = s.account where a.name = $1 and s.sha256 = $2 and s.blob_key = $3',
        [account, sha256, blobKey],
      )) !== undefined,
    accept: (draft, rule) =>
      database.write(
        async (session) => {
          const account = await names.accountWithin(session, draft.account, draft.created);
          return acceptOne(session, account, draft, rule, now());
        },
        { repeatable: true },
      ),
    acceptFailed: (draft, problem) =>
      database.write(
        async (session) => {
          const account = await names.accountWithin(session, draft.account, draft.created);
          await insertSubmission(session, account, { ...draft, state: 'FAILED', phase: 'DONE', problem }, undefined);
          return requireSubmission(session, draft.id);
        },
        { repeatable: true },
      ),
  };
}

/** What decides by the account's uploads of the same bytes takes turns. Before any lock of a row. */
export const lockAccepting = (session: Session, account: number): Promise<unknown> =>
  session.run('select pg_advisory_xact_lock($1, $2)', [ACCEPTING, account]);

async function acceptOne(
  session: Session,
  account: number,
  draft: NewSubmission,
  rule: ReplayRule,
  now: number,
): Promise<Acceptance> {
  await lockAccepting(session, account);
  const own = await rowByUuid(session, draft.id);
  // The first run of this very transaction was committed and its answer lost.
  if (own) return { kind: 'accepted', submission: readSubmissionRow(own) };
  const keyed = rule.key === undefined ? undefined : await rowOfKey(session, account, rule.key);
  if (keyed) {
    const submission = readSubmissionRow(keyed);
    if (!isRepeated(keyed, draft)) return { kind: 'key-reused', submission };
    const revive = isResumable(submission) && (await refusalToGoOn(session, keyed)) === undefined;
    return replay(session, submission, draft, revive, now);
  }
  const earlier = await sameBytes(session, { account, sha256: draft.sha256 });
  const verdict = decideReplay(draft, earlier, rule.sameBytes);
  if (verdict.kind === 'accepted') {
    const id = await insertSubmission(session, account, draft, verdict.earlier?.id);
    if (id === undefined) throw new RegistryError('conflict', `There is a submission ${draft.id} already.`);
    await rememberKey(session, account, rule.key, id);
    return { kind: 'accepted', submission: readSubmissionRow(await rowById(session, id)) };
  }
  if (verdict.kind !== 'replayed') return verdict;
  if (rule.key !== undefined) {
    const row = await rowByUuid(session, verdict.submission.id);
    await rememberKey(session, account, rule.key, (row as JoinedRow).id);
  }
  return replay(session, verdict.submission, draft, verdict.revive, now);
}

async function replay(
  session: Session,
  submission: Submission,
  draft: NewSubmission,
  revive: boolean,
  now: number,
): Promise<Acceptance> {
  const row = await (revive ? lockByUuid : rowByUuid)(session, submission.id);
  if (row && takesFile(row, draft)) {
    await session.run('update submission set blob_key = $2, crc32 = $3, original_gone = null where id = $1', [
      row.id,
      draft.blobKey,
      draft.crc32 ?? null,
    ]);
  }
  if (revive && row && isResumable(readSubmissionRow(row))) await reviveSubmission(session, row, now);
  return { kind: 'replayed', submission: await requireSubmission(session, submission.id) };
}

async function requireSubmission(session: Session, uuid: string): Promise<Submission> {
  return readSubmissionRow((await rowByUuid(session, uuid)) as JoinedRow);
}

const rowOfKey = (session: Session, account: number, key: string): Promise<JoinedRow | undefined> =>
  session.one<JoinedRow>(
    `${SUBMISSIONS} join idempotency_key k on k.submission = s.id where k.account = $1 and k.key = $2`,
    [account, key],
  );

async function rememberKey(session: Session, account: number, key: string | undefined, submission: number) {
  if (key === undefined) return;
  await session.run('insert into idempotency_key (account, key, submission) values ($1, $2, $3)', [
    account,
    key,
    submission,
  ]);
}

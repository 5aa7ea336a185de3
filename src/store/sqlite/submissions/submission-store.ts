/** Submissions, their claims and their ledger in SQLite. */
import { keySpaceOf } from '../../../submissions/reading/row-keys.js';
import { isFinal, type Submission, type SubmissionState } from '../../../submissions/submission.js';
import type { LedgerChunk, SubmissionStore } from '../../../submissions/submission-store.js';
import { ChangeRuns } from '../../change-runs.js';
import {
  earlierIds,
  isWaiting,
  mayNameRest,
  positionAmong,
  statsOf,
  stoppedUndoFor,
  type WaitingAccount,
} from '../../claim-rules.js';
import { leaseOver } from '../../lease.js';
import { chunksQuery, ledgerFrom, type StoredChunk } from '../../ledger-runs.js';
import { isResumable } from '../../replay.js';
import type { SubmissionRow } from '../../rows/submission-row.js';
import type { SqliteDatabase } from '../database.js';
import { requireWhole } from '../row-checks.js';
import { applyBatch } from '../samples/apply-batch.js';
import { inCells } from '../samples/block-views.js';
import { CurrentSamples, headOf } from '../samples/current-samples.js';
import type { Names } from '../samples/names.js';
import { readKeysOf, readSpace } from '../samples/row-keys.js';
import { requireLedger } from '../upkeep-store.js';
import { sqliteAcceptance } from './accept.js';
import { sqliteClaims } from './claims.js';
import { refusalToGoOn, sqliteNewerUploads } from './newer-uploads.js';
import { endSubmission, reviveSubmission } from './submission-ends.js';
import { readSubmissionRow, rowById, rowByUuid, rowsOfSameBytes } from './submission-rows.js';
import { sqliteSubmissionSearch } from './submission-search.js';

export function sqliteSubmissionStore(
  database: SqliteDatabase,
  names: Names,
  now: () => number,
  prefix: string,
): SubmissionStore {
  const samples = new CurrentSamples(database, names);
  const readRow = (row: SubmissionRow) => readSubmissionRow(row, names);
  const read = (row: SubmissionRow | undefined): Submission | undefined => row && readRow(row);
  return {
    ...sqliteAcceptance(database, names, now),
    ...sqliteClaims(database, names, now),
    ...sqliteSubmissionSearch(database, names),
    ...sqliteNewerUploads(database),
    applyBatch: (claim, batch, options) =>
      database.write(
        () => {
          const at = now();
          const context = { database, names, samples, prefix, now: at, changes: new ChangeRuns(at) };
          return applyBatch(context, claim, batch, options);
        },
        claim.submission.lane === 'large' ? 'bulk' : 'urgent',
      ),

    knownKeys: async ({ account, options }, keys, samples) => {
      const place = { account, space: keySpaceOf(options) ?? '' };
      return database.read(() => readKeysOf(database, names, place, { keys, samples }));
    },

    keyedSamples: async ({ account, options }, after, limit) =>
      database.read(() => readSpace(database, names, { account, space: keySpaceOf(options) ?? '' }, after, limit)),

    unheldSamples: async (ids) =>
      database.read(() =>
        [...new Set(ids)].filter((id) => headOf(database, id)?.admin_status === null).sort((one, other) => one - other),
      ),

    find: async (id) => read(rowByUuid(database, id)),

    list: async ({ account, size, before }) => {
      const number = account === undefined ? undefined : names.findAccount(account);
      if (account !== undefined && number === undefined) return [];
      const start = before === undefined ? Number.MAX_SAFE_INTEGER : (names.findSubmission(before) ?? 0);
      const rows =
        number === undefined
          ? database
              .sql<SubmissionRow>('select * from submission where id < ? order by id desc limit ?')
              .all(start, size)
          : database
              .sql<SubmissionRow>('select * from submission where account = ? and id < ? order by id desc limit ?')
              .all(number, start, size);
      return rows.map((row) => readSubmissionRow(row, names));
    },

    findRewritten: async (id, first, count) =>
      database
        .sql<{ id: number }>(
          `select id from current_sample where ${inCells('?1', '?2')} and (submission is null or submission not in (
             select o.id from submission o join submission s on s.account = o.account and s.sha256 = o.sha256
             where s.uuid = ?3 and o.dry_run = 0)) order by id`,
        )
        .all({ 1: first, 2: first + count - 1, 3: id })
        .map((row) => row.id),

    isWorkedOn: async (lane) =>
      database
        .sql(`select 1 from submission where lane = ? and state = 'ACTIVE' and not ${leaseOver('', '?')} limit 1`)
        .get(lane, now()) !== undefined,

    queuePosition: async (id) => {
      const row = rowByUuid(database, id);
      return row === undefined ? undefined : positionOf(database, row, now());
    },

    cancel: (id) =>
      database.write(() => {
        const row = rowByUuid(database, id);
        if (row === undefined || isFinal(row.state)) return read(row);
        if (isWaiting(row, now()) && !mayNameRest(row)) endSubmission(database, row, 'CANCELLED', undefined, now());
        else
          database
            .sql('update submission set cancel_requested = 1, next_try = null, updated = ? where id = ?')
            .run(now(), row.id);
        return read(rowById(database, row.id));
      }),

    retry: (id) =>
      database.write(() => {
        const row = rowByUuid(database, id);
        if (row === undefined) return undefined;
        const submission = readSubmissionRow(row, names);
        if (isResumable(submission)) {
          const refusal = refusalToGoOn(database, names, row);
          if (refusal) throw refusal;
          reviveSubmission(database, row, now());
        }
        return read(rowById(database, row.id));
      }),

    earlierUploads: async ({ id }) => {
      const row = rowByUuid(database, id);
      return row ? earlierIds(row, rowsOfSameBytes(database, row.account, row.sha256), readRow) : [];
    },

    findStoppedUndo: async ({ id }) => {
      const row = rowByUuid(database, id);
      return row && stoppedUndoFor(row, rowsOfSameBytes(database, row.account, row.sha256), readRow);
    },

    requireLedger: async (id) => {
      const submission = names.findSubmission(id);
      if (submission !== undefined) requireLedger(database, submission, id);
    },

    ledger: (id, fromLine = 0) => readLedger(database, names, id, fromLine),

    stats: async () => {
      const counted = database
        .sql<{ state: SubmissionState; n: number }>('select state, count(*) as n from submission group by state')
        .all();
      const at = now();
      const waiting = database
        .sql<{ n: number; oldest: number | null }>(
          `select count(*) as n, min(created) as oldest from submission where state = 'ACTIVE' and ${leaseOver('', '?')}`,
        )
        .get(at) as { n: number; oldest: number | null };
      return statsOf(counted, waiting, at);
    },
  };
}

function positionOf(database: SqliteDatabase, row: SubmissionRow, now: number): number | undefined {
  if (!isWaiting(row, now)) return undefined;
  const waiting = database
    .sql<WaitingAccount>(
      `select s.account, a.served_${row.lane} as served, count(*) as n, sum(s.id < ?) as before, min(s.id) as first
       from submission s join account a on a.id = s.account
       where s.state = 'ACTIVE' and s.lane = ? and ${leaseOver('s.', '?')} group by s.account`,
    )
    .all(row.id, row.lane, now);
  return positionAmong(waiting, row.account);
}

async function* readLedger(
  database: SqliteDatabase,
  names: Names,
  id: string,
  fromLine: number,
): AsyncGenerator<LedgerChunk> {
  const submission = names.findSubmission(id);
  if (submission === undefined) return;
  requireLedger(database, submission, id);
  const chunks = database.sql<StoredChunk>(chunksQuery('?1', '?2', '?3'));
  yield* ledgerFrom(fromLine, (line, limit) =>
    chunks
      .all({ 1: submission, 2: line, 3: limit })
      .map((chunk) => requireWhole(chunk, `The ledger from line ${chunk.from_line} on`)),
  );
}

/** Submissions, their claims and their ledger in PostgreSQL. */
import { keySpaceOf } from '../../../submissions/reading/row-keys.js';
import { isFinal, type SubmissionState } from '../../../submissions/submission.js';
import type { LedgerChunk, SubmissionStore } from '../../../submissions/submission-store.js';
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
import type { PostgresDatabase } from '../database.js';
import { applyBatch } from '../samples/apply-batch.js';
import { BlocksAllowed } from '../samples/blocks-allowed.js';
import type { Names } from '../samples/names.js';
import { within } from '../samples/number-windows.js';
import { samplesOf } from '../samples/present-samples.js';
import { readKeysOf, readSpace } from '../samples/row-keys.js';
import { numberArray } from '../text.js';
import { requireLedger } from '../upkeep-store.js';
import { lockAccepting, postgresAcceptance } from './accept.js';
import { postgresClaims } from './claims.js';
import { postgresNewerUploads, refusalToGoOn } from './newer-uploads.js';
import { endSubmission, reviveSubmission } from './submission-ends.js';
import {
  type JoinedRow,
  lockByUuid,
  readSubmissionRow,
  rowById,
  rowByUuid,
  rowsOfSameBytes,
  SUBMISSIONS,
} from './submission-rows.js';
import { postgresSubmissionSearch } from './submission-search.js';

export function postgresSubmissionStore(
  database: PostgresDatabase,
  names: Names,
  now: () => number,
  prefix: string,
): SubmissionStore {
  const blocks = new BlocksAllowed(database);
  return {
    ...postgresAcceptance(database, names, now),
    ...postgresClaims(database, now),
    ...postgresSubmissionSearch(database, names),
    ...postgresNewerUploads(database),
    applyBatch: (claim, batch, options) => applyBatch({ database, names, blocks, prefix, now }, claim, batch, options),

    knownKeys: ({ account, options }, keys, samples) =>
      readKeysOf(database, names, { account, space: keySpaceOf(options) ?? '' }, { keys, samples }),

    keyedSamples: ({ account, options }, after, limit) =>
      readSpace(database, names, { account, space: keySpaceOf(options) ?? '' }, after, limit),

    unheldSamples: async (ids) => {
      const rows = await database.rows<{ id: number }>(
        `select id from ${samplesOf('$1')} x where admin_status is null order by id`,
        [numberArray(ids)],
      );
      return rows.map(({ id }) => id);
    },

    find: async (id) => {
      const row = await rowByUuid(database, id);
      return row && readSubmissionRow(row);
    },

    list: async ({ account, size, before }) => {
      const number = account === undefined ? undefined : await names.findAccount(account);
      if (account !== undefined && number === undefined) return [];
      const seen = before === undefined ? undefined : await rowByUuid(database, before);
      const start = before === undefined ? Number.MAX_SAFE_INTEGER : (seen?.id ?? 0);
      const own = number === undefined ? '' : 's.account = $3 and';
      const rows = await database.rows<JoinedRow>(`${SUBMISSIONS} where ${own} s.id < $1 order by s.id desc limit $2`, [
        start,
        size,
        ...(number === undefined ? [] : [number]),
      ]);
      return rows.map(readSubmissionRow);
    },

    findRewritten: async (id, first, count) => {
      const rows = await database.rows<{ id: number }>(
        `select x.id from current_sample x where ${within('$1', '$2')} and (x.submission is null or x.submission not in (
           select o.id from submission o join submission s on s.account = o.account and s.sha256 = o.sha256
           where s.uuid = $3 and not o.dry_run)) order by x.id`,
        [first, first + count - 1, id],
      );
      return rows.map((row) => row.id);
    },

    isWorkedOn: async (lane) =>
      (await database.one(
        `select 1 from submission where lane = $1 and state = 'ACTIVE' and not ${leaseOver('', '$2::bigint')} limit 1`,
        [lane, now()],
      )) !== undefined,

    queuePosition: async (id) => {
      const row = await rowByUuid(database, id);
      return row && positionOf(database, row, now());
    },

    cancel: (id) =>
      database.write(
        async (session) => {
          const row = await lockByUuid(session, id);
          if (row === undefined || isFinal(row.state)) return row && readSubmissionRow(row);
          if (isWaiting(row, now()) && !mayNameRest(row))
            await endSubmission(session, row, 'CANCELLED', undefined, now());
          else
            await session.run(
              'update submission set cancel_requested = true, next_try = null, updated = $2 where id = $1',
              [row.id, now()],
            );
          return readSubmissionRow(await rowById(session, row.id));
        },
        { repeatable: true },
      ),

    retry: (id) =>
      database.write(
        async (session) => {
          const found = await rowByUuid(session, id);
          if (found === undefined) return undefined;
          await lockAccepting(session, found.account);
          const row = await lockByUuid(session, id);
          if (row === undefined) return undefined;
          const submission = readSubmissionRow(row);
          if (isResumable(submission)) {
            const refusal = await refusalToGoOn(session, row);
            if (refusal) throw refusal;
            await reviveSubmission(session, row, now());
          }
          return readSubmissionRow(await rowById(session, row.id));
        },
        { repeatable: true },
      ),

    earlierUploads: async ({ id }) => {
      const row = await rowByUuid(database, id);
      return row ? earlierIds(row, await rowsOfSameBytes(database, row.account, row.sha256), readSubmissionRow) : [];
    },

    findStoppedUndo: async ({ id }) => {
      const row = await rowByUuid(database, id);
      return row && stoppedUndoFor(row, await rowsOfSameBytes(database, row.account, row.sha256), readSubmissionRow);
    },

    requireLedger: (id) => requireLedger(database, id),

    ledger: (id, fromLine = 0) => readLedger(database, id, fromLine),

    stats: () => readStats(database, now()),
  };
}

async function readStats(database: PostgresDatabase, now: number): ReturnType<SubmissionStore['stats']> {
  const counted = await database.rows<{ state: SubmissionState; n: number }>(
    'select state, count(*) as n from submission group by state',
  );
  const waiting = (await database.one<{ n: number; oldest: number | null }>(
    `select count(*) as n, min(created) as oldest from submission where state = 'ACTIVE' and ${leaseOver('', '$1')}`,
    [now],
  )) as { n: number; oldest: number | null };
  return statsOf(counted, waiting, now);
}

async function positionOf(database: PostgresDatabase, row: SubmissionRow, now: number): Promise<number | undefined> {
  if (!isWaiting(row, now)) return undefined;
  const waiting = await database.rows<WaitingAccount>(
    `select s.account, min(a.served_${row.lane}) as served, count(*) as n, count(*) filter (where s.id < $1) as before,
       min(s.id) as first
     from submission s join account a on a.id = s.account
     where s.state = 'ACTIVE' and s.lane = $2 and ${leaseOver('s.', '$3')} group by s.account`,
    [row.id, row.lane, now],
  );
  return positionAmong(waiting, row.account);
}

async function* readLedger(database: PostgresDatabase, id: string, fromLine: number): AsyncGenerator<LedgerChunk> {
  const row = await rowByUuid(database, id);
  if (row === undefined) return;
  await requireLedger(database, id);
  const chunks = chunksQuery('$1', '$2', '$3');
  yield* ledgerFrom(fromLine, (...part) => database.rows<StoredChunk>(chunks, [row.id, ...part]));
}

import type { SiteFact, UpkeepStore } from '../../upkeep/upkeep-store.js';
import { VIA_FILE } from '../rows/sample-row.js';
import {
  COUNT_FROM_FILES,
  COUNT_UNCHECKED,
  damagedAmong,
  type EndedRow,
  forgetLedgers,
  LAST_BACKUP,
  ORIGINAL_DUE,
  originalOf,
  originOf,
  RECORD_BACKUP,
  requireKept,
  SETTLE,
  SETTLED,
  UNSETTLE,
} from '../upkeep-rules.js';
import type { SqliteDatabase } from './database.js';
import { sqliteFaults } from './integrity.js';
import { inCells } from './samples/block-views.js';
import { numbersFrom } from './samples/current-samples.js';
import { earlierVersions } from './samples/earlier-versions.js';
import type { Names } from './samples/names.js';
import { sqliteRecordReader } from './samples/sample-record.js';

export function sqliteUpkeepStore(database: SqliteDatabase, names: Names, now: () => number): UpkeepStore {
  const readRecord = sqliteRecordReader(database, names);
  const mark = (uuid: string, column: 'original_gone' | 'ledger_gone'): boolean =>
    database.sql<{ gone: number | null }>(`select ${column} as gone from submission where uuid = ?`).get(uuid)?.gone !=
    null;
  const ended = (before: number, where: string, limit: number) =>
    database
      .sql<EndedRow>(
        `select id, uuid, blob_key from submission where state <> 'ACTIVE' and updated < ?1 and ${where} order by id limit ?2`,
      )
      .all({ 1: before, 2: limit });
  const settled = (fact: SiteFact) => database.sql<{ value: string }>(SETTLED('?')).get(fact)?.value;
  return {
    submissionIds: async (before, limit) =>
      database
        .sql<{ uuid: string }>(
          'select uuid from submission where ?1 is null or id < (select id from submission where uuid = ?1) order by id desc limit ?2',
        )
        .all({ 1: before ?? null, 2: limit })
        .map(({ uuid }) => uuid),

    sampleIds: async (after, limit) =>
      database.read(() => numbersFrom(database, after + 1, Number.MAX_SAFE_INTEGER, limit)),

    sampleRecords: async (ids) => database.read(() => ids.flatMap((id) => readRecord(id) ?? [])),

    versionOrigins: async (first, count) =>
      database
        .sql<{ id: number; version: number; submission: number | null; line: number | null }>(
          `select id, version, submission, line from current_sample where ${inCells('?1', '?2')}
           union all select id, version, submission, line from earlier_version where ${inCells('?1', '?2')}
           order by id, version`,
        )
        .all({ 1: first, 2: first + count - 1 })
        .map((row) => originOf(row, row.submission === null ? null : names.submissionId(row.submission))),

    countSamplesFromFiles: async () => database.sql<{ n: number }>(COUNT_FROM_FILES(VIA_FILE)).get()?.n ?? 0,

    nextAccession: async () =>
      database.sql<{ next: number }>(`select next from counter where name = 'accession'`).get()?.next ?? 1,

    settled: async (fact) => settled(fact),
    settle: (fact, value) =>
      database.write(() => {
        database.sql(SETTLE('?', '?')).run(fact, value);
        return settled(fact) as string;
      }),
    settleAnew: (fact, value) =>
      database.write(() => {
        database.sql(UNSETTLE('?')).run(fact);
        if (value !== undefined) database.sql(SETTLE('?', '?')).run(fact, value);
      }),

    recordBackup: async (at) => {
      await database.write(() => database.sql(RECORD_BACKUP('?')).run(at));
    },

    lastBackup: async () => database.sql<{ at: number }>(LAST_BACKUP).get()?.at,

    integrityFaults: async () => sqliteFaults(database),

    damagedVersions: async (place, limit) => damagedAmong(earlierVersions(database, place, limit), limit, names),

    uncheckedVersions: async () => database.sql<{ n: number }>(COUNT_UNCHECKED).get()?.n ?? 0,

    originalsFrom: async (before, limit) => ended(before, ORIGINAL_DUE('?1'), limit).map(originalOf),

    originalsAmong: async (blobKeys) =>
      database
        .sql<{ blob_key: string }>(
          'select distinct blob_key from submission where blob_key in (select value from json_each(?))',
        )
        .all(JSON.stringify(blobKeys))
        .map(({ blob_key }) => blob_key),

    markOriginalsGone: async (submissionIds) => {
      if (submissionIds.length === 0) return;
      await database.write(() => {
        const statement = database.sql('update submission set original_gone = ? where uuid = ?');
        for (const id of submissionIds) statement.run(now(), id);
      });
    },

    originalGone: async (submissionId) => mark(submissionId, 'original_gone'),
    ledgerGone: async (submissionId) => mark(submissionId, 'ledger_gone'),

    forgetLedgers: (before) =>
      forgetLedgers(
        (limit) => ended(before, 'ledger_gone is null', limit),
        (ids) =>
          database.write(() => {
            for (const id of ids) {
              database.sql('delete from submission_chunk where submission = ?').run(id);
              database.sql('update submission set ledger_gone = ? where id = ?').run(now(), id);
            }
          }, 'bulk'),
      ),

    forgetKeys: async (before) => {
      const { changes } = await database.write(() =>
        database
          .sql(
            `delete from idempotency_key where submission in
             (select id from submission where state <> 'ACTIVE' and updated < ?)`,
          )
          .run(before),
      );
      return changes;
    },
  };
}

/** @throws RegistryError not-found */
export function requireLedger(database: SqliteDatabase, submission: number, uuid: string): void {
  const row = database
    .sql<{ gone: number | null }>('select ledger_gone as gone from submission where id = ?')
    .get(submission);
  requireKept(uuid, row?.gone);
}

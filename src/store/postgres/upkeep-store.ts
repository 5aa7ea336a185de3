import type { SiteFact, UpkeepStore } from '../../upkeep/upkeep-store.js';
import { type SampleRow, VIA_FILE } from '../rows/sample-row.js';
import {
  COUNT_FROM_FILES,
  COUNT_UNCHECKED,
  damagedAmong,
  type EndedRow,
  forgetLedgers,
  type GapRow,
  gapFault,
  HISTORY_GAPS,
  LAST_BACKUP,
  ORIGINAL_DUE,
  type OrphanRow,
  originalOf,
  originOf,
  orphanFault,
  RECORD_BACKUP,
  requireKept,
  SETTLE,
  SETTLED,
  UNSETTLE,
  WITHOUT_SAMPLE,
} from '../upkeep-rules.js';
import { EVERYTHING } from '../whole-result-rules.js';
import type { PostgresDatabase } from './database.js';
import type { Names } from './samples/names.js';
import { firstNumbers, windowsOf, within } from './samples/number-windows.js';
import { readRecords } from './samples/sample-record.js';

export function postgresUpkeepStore(database: PostgresDatabase, names: Names, now: () => number): UpkeepStore {
  const mark = async (uuid: string, column: 'original_gone' | 'ledger_gone'): Promise<boolean> => {
    const row = await database.one<{ gone: number | null }>(
      `select ${column} as gone from submission where uuid = $1`,
      [uuid],
    );
    return row?.gone != null;
  };
  const ended = (before: number, where: string, limit: number) =>
    database.rows<EndedRow>(
      `select id, uuid, blob_key from submission where state <> 'ACTIVE' and updated < $1 and ${where} order by id limit $2`,
      [before, limit],
    );
  /** Looks at whole tables: takes as long as it takes. */
  const unhurried = <Row>(sql: string): Promise<Row[]> =>
    database.read((session) => session.rows<Row>(sql), { unhurried: true });
  const settled = async (fact: SiteFact) => (await database.one<{ value: string }>(SETTLED('$1'), [fact]))?.value;
  return {
    submissionIds: async (before, limit) => {
      const rows = await database.rows<{ uuid: string }>(
        'select uuid from submission where $1::text is null or id < (select id from submission where uuid = $1) order by id desc limit $2',
        [before ?? null, limit],
      );
      return rows.map(({ uuid }) => uuid);
    },

    sampleIds: (after, limit) => firstNumbers(database, { ...EVERYTHING, after }, limit),

    sampleRecords: (ids) => database.read((session) => readRecords(session, names, ids)),

    versionOrigins: async (first, count) => {
      const rows = await database.rows<{ id: number; version: number; submission: string | null; line: number | null }>(
        `select v.id, v.version, s.uuid as submission, v.line from (
           select id, version, submission, line from current_sample where ${within('$1', '$2')}
           union all select id, version, submission, line from earlier_version where ${within('$1', '$2')}) v
         left join submission s on s.id = v.submission order by v.id, v.version`,
        [first, first + count - 1],
      );
      return rows.map((row) => originOf(row, row.submission));
    },

    countSamplesFromFiles: async () => (await unhurried<{ n: number }>(COUNT_FROM_FILES(VIA_FILE)))[0]?.n ?? 0,

    nextAccession: async () => {
      const row = await database.one<{ next: number }>(`select next from counter where name = 'accession'`);
      if (row) return row.next;
      throw new Error(
        `The store has no counter of accessions, as a restore that was broken off leaves it: take away the schema ${database.schema} and restore again.`,
      );
    },

    settled,
    settle: async (fact, value) => {
      await database.run(SETTLE('$1', '$2'), [fact, value]);
      return (await settled(fact)) as string;
    },
    settleAnew: (fact, value) =>
      database.write(
        async (session) => {
          await session.run(UNSETTLE('$1'), [fact]);
          if (value !== undefined) await session.run(SETTLE('$1', '$2'), [fact, value]);
        },
        { repeatable: true },
      ),

    recordBackup: async (at) => {
      await database.run(RECORD_BACKUP('$1'), [at]);
    },

    lastBackup: async () => (await database.one<{ at: number }>(LAST_BACKUP))?.at,

    // PostgreSQL checks its pages by itself and refuses to read a broken one.
    integrityFaults: async () => [
      ...(await unhurried<GapRow>(HISTORY_GAPS)).map(gapFault),
      ...(await Promise.all(WITHOUT_SAMPLE.map((sql) => unhurried<OrphanRow>(sql)))).flat().map(orphanFault),
    ],

    damagedVersions: async ({ id, version }, limit) => {
      const rows: SampleRow[] = [];
      for await (const { first, last } of windowsOf(database, { ...EVERYTHING, after: id - 1 }, 'sample_version')) {
        const some = await database.rows<SampleRow>(
          `select * from earlier_version where ${within('$1', '$2')} and (id, version) > ($3, $4) order by id, version limit $5`,
          [first, last, id, version, limit - rows.length],
        );
        for (const row of some) rows.push(row);
        if (rows.length >= limit) break;
      }
      return damagedAmong(rows, limit, names);
    },

    uncheckedVersions: async () => (await unhurried<{ n: number }>(COUNT_UNCHECKED))[0]?.n ?? 0,

    originalsFrom: async (before, limit) => (await ended(before, ORIGINAL_DUE('$1'), limit)).map(originalOf),

    originalsAmong: async (blobKeys) =>
      (
        await database.rows<{ blob_key: string }>('select distinct blob_key from submission where blob_key = any($1)', [
          [...blobKeys],
        ])
      ).map(({ blob_key }) => blob_key),

    markOriginalsGone: async (submissionIds) => {
      await database.run('update submission set original_gone = $2 where uuid = any($1)', [submissionIds, now()]);
    },

    originalGone: (submissionId) => mark(submissionId, 'original_gone'),
    ledgerGone: (submissionId) => mark(submissionId, 'ledger_gone'),

    forgetLedgers: (before) =>
      forgetLedgers(
        (limit) => ended(before, 'ledger_gone is null', limit),
        (ids) =>
          database.write(
            async (session) => {
              await session.run('delete from submission_chunk where submission = any($1)', [ids]);
              await session.run('update submission set ledger_gone = $2 where id = any($1)', [ids, now()]);
            },
            { repeatable: true },
          ),
      ),

    forgetKeys: (before) =>
      database.run(
        `delete from idempotency_key where submission in
         (select id from submission where state <> 'ACTIVE' and updated < $1)`,
        [before],
      ),
  };
}

/** @throws RegistryError not-found */
export async function requireLedger(database: PostgresDatabase, uuid: string): Promise<void> {
  const row = await database.one<{ gone: number | null }>(
    'select ledger_gone as gone from submission where uuid = $1',
    [uuid],
  );
  requireKept(uuid, row?.gone);
}

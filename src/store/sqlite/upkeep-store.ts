import { RegistryError } from '../../registry/errors.js';
import type { UpkeepStore } from '../../upkeep/upkeep-store.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';
import { sqliteRecordReader } from './sample-record.js';

/** Submissions forgotten in one transaction, so that ingest goes on meanwhile. */
const FORGET_AT_ONCE = 20;

interface OriginRow {
  id: number;
  version: number;
  submission: number | null;
  line: number | null;
}

export function sqliteUpkeepStore(database: SqliteDatabase, names: Names, now: () => number): UpkeepStore {
  const readRecord = sqliteRecordReader(database, names);
  const mark = (uuid: string, column: 'original_gone' | 'ledger_gone'): boolean =>
    database.sql<{ gone: number | null }>(`select ${column} as gone from submission where uuid = ?`).get(uuid)?.gone !=
    null;
  const ended = (before: number, where: string, limit: number) =>
    database
      .sql<{ id: number; uuid: string; blob_key: string }>(
        `select id, uuid, blob_key from submission where state <> 'ACTIVE' and updated < ? and ${where} order by id limit ?`,
      )
      .all(before, limit);
  return {
    sampleIds: async (after, limit) =>
      database
        .sql<{ id: number }>('select id from sample where id > ? order by id limit ?')
        .all(after, limit)
        .map(({ id }) => id),

    sampleRecords: async (ids) => database.read(() => ids.flatMap((id) => readRecord(id) ?? [])),

    versionOrigins: async (first, count) =>
      database
        .sql<OriginRow>(
          `select id, version, submission, line from sample where id between ?1 and ?2
           union all select id, version, submission, line from sample_version where id between ?1 and ?2
           order by id, version`,
        )
        .all({ 1: first, 2: first + count - 1 })
        .map(({ id, version, submission, line }) => ({
          id,
          version,
          ...(submission === null ? {} : { submissionId: names.submissionId(submission) }),
          ...(line === null ? {} : { line }),
        })),

    countSamplesFromFiles: async () =>
      database
        .sql<{ n: number }>(
          `select (select count(*) from sample where version = 1 and via = 1)
             + (select count(*) from sample_version where version = 1 and via = 1) as n`,
        )
        .get()?.n ?? 0,

    nextAccession: async () =>
      database.sql<{ next: number }>(`select next from counter where name = 'accession'`).get()?.next ?? 1,

    integrityFaults: async () => {
      const rows = database.prepare('pragma integrity_check').all() as { integrity_check: string }[];
      const links = database.prepare('pragma foreign_key_check').all() as { table: string; rowid: number }[];
      return [
        ...rows.map(({ integrity_check }) => integrity_check).filter((text) => text !== 'ok'),
        ...links.map(({ table, rowid }) => `Row ${rowid} of ${table} names something that is not there.`),
      ];
    },

    originalsFrom: async (before, limit) =>
      ended(before, 'original_gone is null', limit).map(({ uuid, blob_key }) => ({
        submissionId: uuid,
        blobKey: blob_key,
      })),

    markOriginalsGone: async (submissionIds) => {
      if (submissionIds.length === 0) return;
      await database.write(() => {
        const statement = database.sql('update submission set original_gone = ? where uuid = ?');
        for (const id of submissionIds) statement.run(now(), id);
      });
    },

    originalGone: async (submissionId) => mark(submissionId, 'original_gone'),
    ledgerGone: async (submissionId) => mark(submissionId, 'ledger_gone'),

    forgetLedgers: async (before) => {
      for (let forgotten = 0; ; ) {
        const due = ended(before, 'ledger_gone is null', FORGET_AT_ONCE);
        if (due.length === 0) return forgotten;
        await database.write(() => {
          for (const { id } of due) {
            database.sql('delete from submission_chunk where submission = ?').run(id);
            database.sql('update submission set ledger_gone = ? where id = ?').run(now(), id);
          }
        }, 'bulk');
        forgotten += due.length;
      }
    },

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

/** @throws RegistryError not-found: who asks for outcomes that were removed must not be reported that there were none */
export function requireLedger(database: SqliteDatabase, submission: number, uuid: string): void {
  const row = database
    .sql<{ gone: number | null }>('select ledger_gone as gone from submission where id = ?')
    .get(submission);
  if (row?.gone == null) return;
  const day = new Date(row.gone).toISOString().slice(0, 10);
  throw new RegistryError(
    'not-found',
    `The outcomes of submission ${uuid} were removed on ${day}, as the settings for keeping say.`,
  );
}

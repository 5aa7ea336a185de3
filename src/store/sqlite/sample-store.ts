/** Samples, one at a time, in SQLite. */

import type { StoredSample } from '../../registry/sample.js';
import type {
  NewSample,
  SampleDecision,
  SampleRecord,
  SampleStore,
  SampleVersion,
} from '../../registry/sample-store.js';
import {
  assignChanged,
  changedValues,
  firstVersion,
  newChange,
  nextVersion,
  overwriteChange,
  SAMPLE_COLUMNS,
  type SampleRow,
  valuesOfRow,
} from '../sample-row.js';
import { sqliteAnnotations } from './annotations.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';
import { sqliteRecordReader } from './sample-record.js';
import { archiveVersions, noteChange, readProvenance, readSampleRow, rowAfter, takeAccessions } from './sample-rows.js';

const COUNT = SAMPLE_COLUMNS.split(',').length;
const INSERT = `insert into sample (${SAMPLE_COLUMNS}) values (${Array<string>(COUNT).fill('?').join(', ')})`;
const OVERWRITE = `update sample set ${assignChanged(() => '?')} where id = ?`;
const ALL_VERSIONS = { before: Number.MAX_SAFE_INTEGER, size: Number.MAX_SAFE_INTEGER };
/** Numbers asked for in one statement. */
const OWNERS_AT_ONCE = 500;

export function sqliteSampleStore(database: SqliteDatabase, names: Names, now: () => number): SampleStore {
  const annotations = sqliteAnnotations(database, names, now);
  const readRecord = sqliteRecordReader(database, names);
  return {
    createSample: (sample) => database.write(() => insertSample(database, names, sample, now())),

    updateSample: (id, decide) =>
      database.write(() => {
        const current = readRecord(id);
        if (current === undefined) return undefined;
        const decision = decide(current);
        if (decision.kind === 'unchanged') return current;
        overwriteSample(database, names, current.sample, decision, now());
        return readRecord(id);
      }),

    readSample: async (id) => database.read(() => readRecord(id)),

    readVersion: async (id, version) => {
      const row = database
        .sql<SampleRow>(
          'select * from sample where id = ?1 and version = ?2 union all select * from sample_version where id = ?1 and version = ?2',
        )
        .get({ 1: id, 2: version });
      return row && readSampleRow(row, names);
    },

    listVersions: async (id, { before, size } = ALL_VERSIONS) => {
      const columns = 'version, updated, author, via, submission, line';
      const rows = database
        .sql<SampleRow>(
          `select ${columns} from sample where id = ?1 and version < ?2
           union all select ${columns} from sample_version where id = ?1 and version < ?2 order by version desc limit ?3`,
        )
        .all({ 1: id, 2: before, 3: size });
      return rows.map(
        (row): SampleVersion => ({ version: row.version, updated: row.updated, ...readProvenance(row, names) }),
      );
    },

    findOwners: async (ids) => {
      const owners = new Map<number, string>();
      for (let at = 0; at < ids.length; at += OWNERS_AT_ONCE) {
        const asked = JSON.stringify(ids.slice(at, at + OWNERS_AT_ONCE));
        const rows = database
          .sql<{ id: number; account: number }>(
            'select id, account from sample where id in (select value from json_each(?))',
          )
          .all(asked);
        for (const { id, account } of rows) owners.set(id, names.accountName(account));
      }
      return owners;
    },

    addCurationLink: annotations.addCurationLink,
    declineCurationLink: annotations.declineCurationLink,
    deleteCurationLink: annotations.deleteCurationLink,
    deleteStructuredData: annotations.deleteStructuredData,
    findCuration: annotations.findCuration,
    listCurations: annotations.listCurations,
    putStructuredData: (id, account, tables, at) =>
      database.write(() => {
        annotations.replaceTables(id, account, tables, at);
        return readRecord(id) as SampleRecord;
      }),
  };
}

/** Inside a write. */
export function insertSample(database: SqliteDatabase, names: Names, sample: NewSample, now: number): StoredSample {
  const id = takeAccessions(database, 1);
  const row = rowAfter(
    firstVersion(sample, now),
    { id, account: names.account(sample.account, now), created: now },
    names,
  );
  database.sql(INSERT).run(...valuesOfRow(row));
  noteChange(database, row.author, id, newChange(sample, now), now);
  return readSampleRow(database.sql<SampleRow>('select * from sample where id = ?').get(id) as SampleRow, names);
}

function overwriteSample(
  database: SqliteDatabase,
  names: Names,
  current: StoredSample,
  decision: Extract<SampleDecision, { kind: 'update' }>,
  now: number,
): void {
  const { id, account, created } = current;
  archiveVersions(database, [id]);
  const row = rowAfter(
    nextVersion(current, decision, now),
    { id, account: names.account(account, now), created },
    names,
  );
  database.sql(OVERWRITE).run(...changedValues(row), id);
  noteChange(database, row.author, id, overwriteChange(current, decision, now), now);
}

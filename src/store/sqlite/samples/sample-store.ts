/** Samples, one at a time, in SQLite. */

import type { StoredSample } from '../../../registry/samples/sample.js';
import type {
  NewSample,
  SampleRecord,
  SampleStore,
  SampleUpdate,
  SampleVersion,
  VersionOf,
} from '../../../registry/samples/sample-store.js';
import {
  firstVersion,
  newChange,
  nextVersion,
  overwriteChange,
  SAMPLE_COLUMNS,
  type SampleRow,
} from '../../rows/sample-row.js';
import type { SqliteDatabase } from '../database.js';
import { sqliteAnnotations } from './annotations.js';
import { CurrentSamples, headOf } from './current-samples.js';
import type { Names } from './names.js';
import { sqliteRecordReader } from './sample-record.js';
import {
  insertRow,
  noteChange,
  overwriteRow,
  readProvenance,
  readSampleRow,
  rowAfter,
  takeAccessions,
} from './sample-rows.js';

const ALL_VERSIONS = { before: Number.MAX_SAFE_INTEGER, size: Number.MAX_SAFE_INTEGER };

export function sqliteSampleStore(database: SqliteDatabase, names: Names, now: () => number): SampleStore {
  const annotations = sqliteAnnotations(database, names, now);
  const readRecord = sqliteRecordReader(database, names);
  const samples = new CurrentSamples(database, names);
  const readVersion = ({ id, version }: VersionOf): StoredSample | undefined => {
    const row = database
      .sql<SampleRow>(
        `select ${SAMPLE_COLUMNS} from sample where id = ?1 and version = ?2
         union all select ${SAMPLE_COLUMNS} from sample_version where id = ?1 and version = ?2`,
      )
      .get({ 1: id, 2: version });
    const found = row ?? samples.blocks.version(id, version);
    return found && readSampleRow(found, names);
  };
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

    readVersion: async (id, version) => readVersion({ id, version }),
    readVersions: async (wanted) => database.read(() => wanted.map(readVersion)),

    listVersions: async (id, { before, size } = ALL_VERSIONS) => {
      const columns = 'version, updated, author, via, submission, line';
      const rows = database
        .sql<SampleRow>(
          `select ${columns} from sample where id = ?1 and version < ?2
           union all select ${columns} from sample_version where id = ?1 and version < ?2 order by version desc limit ?3`,
        )
        .all({ 1: id, 2: before, 3: size });
      const blocks = rows.length < size ? samples.blocks.versions(id, before, size - rows.length) : [];
      return [...rows, ...blocks].map(
        (row): SampleVersion => ({ version: row.version, updated: row.updated, ...readProvenance(row, names) }),
      );
    },

    findOwners: async (ids) => {
      const owners = new Map<number, string>();
      database.read(() => {
        for (const id of ids) {
          const head = headOf(database, id);
          if (head) owners.set(id, names.accountName(head.account));
        }
      });
      return owners;
    },

    addCurationLink: annotations.addCurationLink,
    declineCurationLink: annotations.declineCurationLink,
    deleteCurationLink: annotations.deleteCurationLink,
    deleteStructuredData: annotations.deleteStructuredData,
    findCuration: annotations.findCuration,
    listCurations: annotations.listCurations,
    putStructuredData: (id, account, tables, at, admit) =>
      database.write(() => {
        admit?.(annotations.read(id).structuredData);
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
  insertRow(database, row);
  noteChange(database, row.author, id, newChange(sample, now), now);
  return readSampleRow(row, names);
}

/** Inside a write. */
export function overwriteSample(
  database: SqliteDatabase,
  names: Names,
  current: StoredSample,
  decision: SampleUpdate,
  now: number,
): void {
  const { id, account, created } = current;
  const row = rowAfter(
    nextVersion(current, decision, now),
    { id, account: names.account(account, now), created },
    names,
  );
  overwriteRow(database, row);
  noteChange(database, row.author, id, overwriteChange(current, decision, now), now);
}

/** Samples, one at a time, in PostgreSQL. */
import type { StoredSample } from '../../registry/sample.js';
import type {
  NewSample,
  SampleDecision,
  SampleRecord,
  SampleStore,
  SampleVersion,
} from '../../registry/sample-store.js';
import { changeValues, firstVersion, NEW_SAMPLE, nextVersion } from '../sample-row.js';
import { postgresAnnotations, replaceTables } from './annotations.js';
import type { PostgresDatabase, Session } from './database.js';
import type { Names } from './names.js';
import { readRecord } from './sample-record.js';
import {
  archiveVersions,
  type JoinedSample,
  journalChange,
  readProvenance,
  readSampleRow,
  samplesFrom,
} from './sample-rows.js';
import { numberArray } from './text.js';

export function postgresSampleStore(database: PostgresDatabase, names: Names, now: () => number): SampleStore {
  return {
    ...postgresAnnotations(database, names),

    createSample: async (sample) => {
      const at = now();
      const account = await names.account(sample.account, at);
      const author = await names.account(sample.author, at);
      return database.write(async (session) => {
        const id = await database.takeNumbers('accession', 1);
        await insertSample(session, id, sample, account, author, at);
        return ((await readRecord(session, names, id)) as SampleRecord).sample;
      });
    },

    updateSample: (id, decide) =>
      database.write(async (session) => {
        const current = await readRecord(session, names, id, { lock: true });
        if (current === undefined) return undefined;
        const decision = decide(current);
        if (decision.kind === 'unchanged') return current;
        await overwriteSample(session, names, current.sample, decision, now());
        return readRecord(session, names, id);
      }),

    readSample: (id) => database.read((session) => readRecord(session, names, id)),

    readVersion: async (id, version) => {
      const where = 'where x.id = $1 and x.version = $2';
      const row = await database.one<JoinedSample>(
        `${samplesFrom('sample')} ${where} union all ${samplesFrom('sample_version')} ${where} limit 1`,
        [id, version],
      );
      return row && readSampleRow(row, await names.layoutsOf(database, [row.layout]));
    },

    listVersions: async (id, page) => {
      const rows = await database.rows<JoinedSample>(
        `select * from (${samplesFrom('sample')} where x.id = $1 union all ${samplesFrom('sample_version')} where x.id = $1) v
         where version < $2::bigint order by version desc limit $3::bigint`,
        [id, page?.before ?? Number.MAX_SAFE_INTEGER, page?.size ?? null],
      );
      return rows.map((row): SampleVersion => ({ version: row.version, updated: row.updated, ...readProvenance(row) }));
    },

    findOwners: async (ids) => {
      const rows = await database.rows<{ id: number; name: string }>(
        'select x.id, a.name from sample x join account a on a.id = x.account where x.id = any($1::bigint[])',
        [numberArray(ids)],
      );
      return new Map(rows.map(({ id, name }) => [id, name]));
    },

    putStructuredData: async (id, account, tables, at) => {
      const number = await names.account(account, at);
      return database.write(
        async (session) => {
          await replaceTables(session, id, number, tables, at);
          return (await readRecord(session, names, id)) as SampleRecord;
        },
        { repeatable: true },
      );
    },
  };
}

async function insertSample(
  session: Session,
  id: number,
  sample: NewSample,
  account: number,
  author: number,
  now: number,
): Promise<void> {
  await session.run(
    `insert into sample (${NEW_SAMPLE})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, (select id from submission where uuid = $10), $11, $12, $13, $14, $15)`,
    [id, account, now, ...changeValues(firstVersion(sample, now), author, sample.submissionId ?? null)],
  );
  await journalChange(session, id, 1);
}

async function overwriteSample(
  session: Session,
  names: Names,
  current: StoredSample,
  decision: Extract<SampleDecision, { kind: 'update' }>,
  now: number,
): Promise<void> {
  const change = nextVersion(current, decision, now);
  const { author, submissionId } = decision.provenance;
  const number = await names.accountWithin(session, author, change.updated);
  await archiveVersions(session, [current.id]);
  await session.run(
    `update sample set name = $2, release = $3, layout = $4, doc = $5, author = $6, via = $7,
     submission = (select id from submission where uuid = $8), line = $9, version = $10, updated = $11, submitted = $12,
     admin_status = $13 where id = $1`,
    [current.id, ...changeValues(change, number, submissionId ?? null)],
  );
  await journalChange(session, current.id, 1);
}

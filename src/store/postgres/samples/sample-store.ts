/** Samples, one at a time, in PostgreSQL. */

import type { StoredSample } from '../../../registry/samples/sample.js';
import type {
  NewSample,
  SampleRecord,
  SampleStore,
  SampleUpdate,
  SampleVersion,
} from '../../../registry/samples/sample-store.js';
import {
  changedRow,
  firstVersion,
  newChange,
  nextVersion,
  overwriteChange,
  SAMPLE_COLUMNS,
  valuesOfRow,
} from '../../rows/sample-row.js';
import type { PostgresDatabase, Session } from '../database.js';
import { preparedOnce } from '../prepared-statements.js';
import { numberArray } from '../text.js';
import { postgresAnnotations, replaceTables } from './annotations.js';
import type { Names } from './names.js';
import { samplesOf, versionsOf } from './present-samples.js';
import { readRecord } from './sample-record.js';
import {
  archiveVersions,
  type JoinedSample,
  noteChange,
  readProvenance,
  readSampleRow,
  samplesFrom,
} from './sample-rows.js';
import { OR_OVERWRITE } from './write-samples.js';

const PLACES = SAMPLE_COLUMNS.split(',').map((_, at) => `$${at + 1}`);
const INSERT = preparedOnce(`insert into sample (${SAMPLE_COLUMNS}) values (${PLACES.join(', ')})`);
const OVERWRITE = preparedOnce(`${INSERT} ${OR_OVERWRITE}`);
/** `at`: which of those that are asked for, from 1 on. */
const NAMED_VERSIONS = preparedOnce(
  samplesFrom(`(
    select v.*, w.at from unnest($1::bigint[], $2::bigint[]) with ordinality w (id, version, at)
    cross join lateral (select * from ${versionsOf('w.id')} x where x.version = w.version limit 1) v)`),
);

export function postgresSampleStore(database: PostgresDatabase, names: Names, now: () => number): SampleStore {
  const readVersions: SampleStore['readVersions'] = async (wanted) => {
    const rows = await database.rows<JoinedSample & { at: number }>(NAMED_VERSIONS, [
      numberArray(wanted.map(({ id }) => id)),
      numberArray(wanted.map(({ version }) => version)),
    ]);
    const layouts = await names.layoutsOf(
      database,
      rows.map(({ layout }) => layout),
    );
    const found = new Map(rows.map((row) => [row.at, row]));
    return wanted.map((_, at) => {
      const row = found.get(at + 1);
      return row && readSampleRow(row, layouts, names);
    });
  };
  return {
    ...postgresAnnotations(database, names, now),

    createSample: (sample) => {
      const at = now();
      return database.write(async (session) => {
        const id = await database.takeNumbers('accession', 1);
        await insertSample(session, names, id, sample, at);
        return readNew(session, names, id);
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

    readVersion: async (id, version) => (await readVersions([{ id, version }]))[0],
    readVersions,

    listVersions: async (id, page) => {
      const rows = await database.rows<JoinedSample>(
        `${samplesFrom(versionsOf('$1'))} where x.version < $2::bigint order by x.version desc limit $3::bigint`,
        [id, page?.before ?? Number.MAX_SAFE_INTEGER, page?.size ?? null],
      );
      return rows.map((row): SampleVersion => ({ version: row.version, updated: row.updated, ...readProvenance(row) }));
    },

    findOwners: async (ids) => {
      const rows = await database.rows<{ id: number; name: string }>(
        `select x.id, a.name from ${samplesOf('$1')} x join account a on a.id = x.account`,
        [numberArray(ids)],
      );
      return new Map(rows.map(({ id, name }) => [id, name]));
    },

    putStructuredData: (id, account, tables, at, admit) =>
      database.write(
        async (session) => {
          const number = await names.accountWithin(session, account, at);
          await replaceTables(session, id, number, tables, at, now(), admit);
          return (await readRecord(session, names, id)) as SampleRecord;
        },
        // Done once already, what it found is no longer there.
        { repeatable: admit === undefined },
      ),
  };
}

/** The sample that the transaction has written. */
export const readNew = async (session: Session, names: Names, id: number): Promise<StoredSample> =>
  ((await readRecord(session, names, id)) as SampleRecord).sample;

export async function insertSample(
  session: Session,
  names: Names,
  id: number,
  sample: NewSample,
  now: number,
): Promise<void> {
  const account = await names.accountWithin(session, sample.account, now);
  const author = sample.author === sample.account ? account : await names.accountWithin(session, sample.author, now);
  const submission = await submissionNumber(session, sample.submissionId);
  const row = changedRow(firstVersion(sample, now), { id, account, created: now, author, submission });
  await session.run(INSERT, valuesOfRow(row));
  await noteChange(session, author, id, newChange(sample, now), now);
}

/** Null for none, and for one that is not there. */
async function submissionNumber(session: Session, uuid: string | undefined): Promise<number | null> {
  if (uuid === undefined) return null;
  return (await session.one<{ id: number }>('select id from submission where uuid = $1', [uuid]))?.id ?? null;
}

export async function overwriteSample(
  session: Session,
  names: Names,
  current: StoredSample,
  decision: SampleUpdate,
  now: number,
): Promise<void> {
  const change = nextVersion(current, decision, now);
  const { author, submissionId } = decision.provenance;
  const { id, created } = current;
  const by = await names.accountWithin(session, author, change.updated);
  const row = changedRow(change, {
    id,
    account: current.account === author ? by : await names.accountWithin(session, current.account, now),
    created,
    author: by,
    submission: await submissionNumber(session, submissionId),
  });
  await archiveVersions(session, [id]);
  await session.run(OVERWRITE, valuesOfRow(row));
  await noteChange(session, by, id, overwriteChange(current, decision, now), now);
}

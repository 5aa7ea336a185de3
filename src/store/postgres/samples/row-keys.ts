/** Own keys of rows in PostgreSQL: read and written inside the transactions of their samples, which hold the key space. */
import type { KnownKeys } from '../../../registry/samples/row-key.js';
import type { LaidOutBatch } from '../../../registry/samples/sample-batch.js';
import type { SampleKey, SampleKeyStore } from '../../../registry/samples/sample-key-store.js';
import type { Submission } from '../../../submissions/submission.js';
import type { LedgerChunk } from '../../../submissions/submission-store.js';
import {
  type AskedKeys,
  askedKeys,
  type GivenKey,
  givenBefore,
  type KeyedRows,
  keyedRows,
  keylessAfter,
  keylessRows,
  knownFrom,
} from '../../keyed-rows.js';
import type { SubmissionRow } from '../../rows/submission-row.js';
import type { PostgresDatabase, Session } from '../database.js';
import { JoinedTexts, numberArray, readText, spellText } from '../text.js';
import type { BatchContext } from './batch-context.js';
import { findSpace, spaceOf } from './key-spaces.js';
import type { Names } from './names.js';
import { insertSample, readNew } from './sample-store.js';

type Asks = Pick<PostgresDatabase | Session, 'rows' | 'one'>;

interface KeyRow {
  key: string;
  sample: number;
}

const BY_KEY = `select key, sample from sample_key where space = $1 and key = any(string_to_array($2, E'\\x1f'))`;
const BY_SAMPLE = 'select key, sample from sample_key where sample = any($2::bigint[]) and space = $1';
const INSERT = `insert into sample_key (space, key, sample, submission) select $1, key, sample, $2
  from rows from (unnest(string_to_array($3, E'\\x1f')), unnest($4::bigint[])) as given (key, sample)`;

/** Nobody else gives or takes a key of the space until the transaction ends. */
export async function holdSpace(session: Session, space: number): Promise<void> {
  await session.one('select 1 from key_space where id = $1 for no key update', [space]);
}

export async function readKeys(
  reader: Asks,
  space: number | undefined,
  { keys, samples }: AskedKeys,
): Promise<KnownKeys> {
  if (space === undefined) return knownFrom([], []);
  const read = async (sql: string, asked: unknown, count: number): Promise<KeyRow[]> => {
    const rows = count === 0 ? [] : await reader.rows<KeyRow>(sql, [space, asked]);
    return rows.map(({ key, sample }) => ({ key: readText(key), sample }));
  };
  return knownFrom(
    await read(BY_KEY, new JoinedTexts(keys), keys.length),
    await read(BY_SAMPLE, numberArray(samples), samples.length),
  );
}

export async function writeKeys(
  session: Session,
  space: number,
  submission: number | null,
  given: readonly GivenKey[],
): Promise<void> {
  if (given.length === 0) return;
  const keys = new JoinedTexts(given.map(({ key }) => key));
  await session.run(INSERT, [space, submission, keys, numberArray(given.map(({ sample }) => sample))]);
}

/** What the rows of a batch mean by their keys; the key space is held but for a dry run. */
export async function keyRows(
  { session, prefix }: BatchContext,
  { key_space }: SubmissionRow,
  submission: Submission,
  batch: LaidOutBatch,
): Promise<KeyedRows> {
  if (batch.keys === undefined || key_space === null) return keylessRows(batch);
  if (!submission.options.dryRun) await holdSpace(session, key_space);
  const asked = askedKeys(batch);
  const known = await readKeys(session, key_space, asked);
  return keyedRows({ batch, submission, prefix, asked, known });
}

/** Of a batch that undoes: takes back what the undone submission gave, and every key of what is withdrawn. */
export async function takeKeysBack(
  session: Session,
  batch: LaidOutBatch & { keysOf: NonNullable<LaidOutBatch['keysOf']> },
  chunk: LedgerChunk,
): Promise<void> {
  const { samples, withdrawn } = keylessAfter(batch, chunk);
  await session.run(
    `delete from sample_key where sample = any($1::bigint[])
       and submission = (select id from submission where uuid = $2)`,
    [numberArray(samples), batch.keysOf.submissionId],
  );
  await session.run('delete from sample_key where sample = any($1::bigint[])', [numberArray(withdrawn)]);
}

type Place = Pick<SampleKey, 'account' | 'space'>;

/** The same where the key space goes by its name; nothing is known in one that is not there. */
export async function readKeysOf(reader: Asks, names: Names, place: Place, asked: AskedKeys): Promise<KnownKeys> {
  const account = await names.findAccount(place.account);
  return readKeys(reader, account === undefined ? undefined : await findSpace(reader, account, place.space), asked);
}

/** Keys of the space in their order, behind `after`. */
export async function readSpace(
  reader: Asks,
  names: Names,
  { account, space }: Place,
  after: string | undefined,
  limit: number,
): Promise<KeyRow[]> {
  const owner = await names.findAccount(account);
  const number = owner === undefined ? undefined : await findSpace(reader, owner, space);
  const rows = await reader.rows<KeyRow>(
    'select key, sample from sample_key where space = $1 and key > $2 order by key limit $3',
    [number ?? -1, spellText(after ?? ''), limit],
  );
  return rows.map(({ key, sample }) => ({ key: readText(key), sample }));
}

export function postgresSampleKeys(database: PostgresDatabase, names: Names, now: () => number): SampleKeyStore {
  /** Runs `work` with the key space held. */
  const held = <T>({ account, space }: SampleKey, work: (session: Session, space: number) => Promise<T>): Promise<T> =>
    database.write(async (session) => {
      const number = await names.accountWithin(session, account, now());
      const id = (await spaceOf(session, number, space)) as number;
      await holdSpace(session, id);
      return work(session, id);
    });
  const sampleOf = async (session: Session, space: number, key: string): Promise<number | undefined> =>
    (await readKeys(session, space, { keys: [key], samples: [] })).samples.get(key);
  return {
    findKey: async (key) =>
      (await readKeysOf(database, names, key, { keys: [key.key], samples: [] })).samples.get(key.key),
    createWithKey: (sample, key) => {
      const at = now();
      return held(key, async (session, space) => {
        const id = await sampleOf(session, space, key.key);
        if (id !== undefined) return { id };
        const number = await database.takeNumbers('accession', 1);
        await insertSample(session, names, number, sample, at);
        await writeKeys(session, space, null, [{ key: key.key, sample: number }]);
        return { created: await readNew(session, names, number) };
      });
    },
    giveKey: (key, id) =>
      held(key, async (session, space) => {
        const asked = { keys: [key.key], samples: [id] };
        const given = givenBefore(await readKeys(session, space, asked), key.key, id);
        if (given) return given;
        await writeKeys(session, space, null, [{ key: key.key, sample: id }]);
        return { given: true };
      }),
    takeKey: (key) =>
      held(
        key,
        async (session, space) =>
          (await session.run('delete from sample_key where space = $1 and key = $2', [space, key.key])) > 0,
      ),
  };
}

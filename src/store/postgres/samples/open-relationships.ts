/** Relationships that wait for names, in PostgreSQL: written inside the transactions of their batches. */
import type { LaidOutBatch } from '../../../registry/samples/sample-batch.js';
import type { OpenRelationship, OpenRelationshipStore } from '../../../submissions/open-relationship-store.js';
import type { Submission } from '../../../submissions/submission.js';
import {
  behindName,
  behindSample,
  type Completing,
  completedSamples,
  completesOpen,
  completing,
  type WaitingRow,
  type Written,
  waitingAfter,
} from '../../open-rows.js';
import type { SubmissionRow } from '../../rows/submission-row.js';
import type { PostgresDatabase, Session } from '../database.js';
import { JoinedTexts, numberArray, readText, spellText } from '../text.js';
import type { BatchContext } from './batch-context.js';
import { lockSamples } from './lock-samples.js';
import type { Names } from './names.js';
import { within } from './number-windows.js';

interface OpenRow extends WaitingRow {
  submission_uuid: string;
  line: number;
}

const OPEN = `select o.sample, o.type, o.name, o.place, o.line,
    (select u.uuid from submission u where u.id = o.submission) as submission_uuid
  from open_relationship o where o.target is null`;
/** First half of the advisory lock between batches that open relationships (alone) and those that end an upload (together). */
const OPENING = 7_263_403;
const WAITING = 'select 1 as one from open_relationship where account = $1 and target is null limit 1';
const BY_NAME = `${OPEN} and o.account = $1 and (o.name, o.sample, o.type) > ($2, $3, $4)
  order by o.name, o.sample, o.type limit $5`;
const BY_SAMPLE = `${OPEN} and o.submission = (select id from submission where uuid = $1)
  and (o.sample, o.type, o.name) > ($2, $3, $4) order by o.sample, o.type, o.name limit $5`;
const INSERT = `insert into open_relationship (sample, type, name, account, submission, line, place)
  select sample, coalesce(type, ''), coalesce(name, ''), $1, $2, line, place
  from rows from (unnest($3::bigint[]), unnest(string_to_array($4, E'\\x1f')), unnest(string_to_array($5, E'\\x1f')),
    unnest($6::int[]), unnest($7::int[])) as opened (sample, type, name, line, place)
  on conflict do nothing`;
const COMPLETE = `update open_relationship o set target = done.target, completed_by = $1
  from rows from (unnest($2::bigint[]), unnest(string_to_array($3, E'\\x1f')), unnest(string_to_array($4, E'\\x1f')),
    unnest($5::bigint[])) as done (sample, type, name, target)
  where o.sample = done.sample and o.type = done.type and o.name = done.name`;

const spelledBack = <Row extends WaitingRow>(row: Row): Row => ({
  ...row,
  type: readText(row.type),
  name: readText(row.name),
});

/** What of the batch's completions still waits; nobody else writes those samples until the transaction ends. */
export async function readCompleting({ session, prefix }: BatchContext, batch: LaidOutBatch): Promise<Completing> {
  const samples = numberArray(completedSamples(batch));
  await lockSamples(session, samples);
  const waiting = await session.rows<OpenRow>(`${OPEN} and o.sample = any($1::bigint[])`, [samples]);
  return completing(batch, waiting.map(spelledBack), prefix);
}

/**
 * Whether anything of the account waits that the submission may complete; inside the transaction of its last batch. Until that has ended
 * nothing is opened: who opens afterwards finds what it wrote. Behind the locks of samples, before that of the log of changes.
 */
export async function anythingWaits(
  session: Session,
  { account }: SubmissionRow,
  submission: Pick<Submission, 'options'>,
): Promise<boolean> {
  if (!completesOpen(submission)) return false;
  await session.run('select pg_advisory_xact_lock_shared($1, $2)', [OPENING, account]);
  return (await session.one(WAITING, [account])) !== undefined;
}

/** What a batch that was written makes of what waits. */
export async function keepOpen({ session }: BatchContext, row: SubmissionRow, written: Written): Promise<void> {
  const { batch } = written;
  const after = waitingAfter(written);
  if (batch.undoes !== undefined) return undo(session, after.rewritten, batch.undoes);
  if (after.rewritten.length > 0)
    await session.run('delete from open_relationship where sample = any($1::bigint[])', [numberArray(after.rewritten)]);
  if (after.opened.length > 0) {
    await session.run('select pg_advisory_xact_lock($1, $2)', [OPENING, row.account]);
    await session.run(INSERT, [
      row.account,
      row.id,
      ...listsOf(after.opened),
      numberArray(after.opened.map(({ line }) => line)),
      numberArray(after.opened.map(({ place }) => place)),
    ]);
  }
  if (after.completed.length > 0)
    await session.run(COMPLETE, [
      row.id,
      ...listsOf(after.completed),
      numberArray(after.completed.map(({ target }) => target)),
    ]);
}

const listsOf = (rows: readonly Pick<WaitingRow, 'sample' | 'type' | 'name'>[]) => [
  numberArray(rows.map(({ sample }) => sample)),
  new JoinedTexts(rows.map(({ type }) => type)),
  new JoinedTexts(rows.map(({ name }) => name)),
];

async function undo(session: Session, samples: readonly number[], undone: string): Promise<void> {
  const which = 'sample = any($1::bigint[]) and';
  const submission = '(select id from submission where uuid = $2)';
  const given = [numberArray(samples), undone];
  await session.run(`delete from open_relationship where ${which} submission = ${submission}`, given);
  await session.run(
    `update open_relationship set target = null, completed_by = null where ${which} completed_by = ${submission}`,
    given,
  );
}

export function postgresOpenRelationships(database: PostgresDatabase, names: Names): OpenRelationshipStore {
  const read = (row: OpenRow): OpenRelationship => {
    const { sample, type, name, place, submission_uuid: submissionId, line } = spelledBack(row);
    return { sample, type, name, place, submissionId, line };
  };
  const accountOf = async (name: string): Promise<number> => (await names.findAccount(name)) ?? -1;
  return {
    openRelationships: async (of, after, limit) => {
      const spelled = (behind: readonly (string | number)[]) =>
        behind.map((each) => (typeof each === 'string' ? spellText(each) : each));
      const [sql, ...given] =
        'account' in of
          ? [BY_NAME, await accountOf(of.account), ...spelled(behindName(after))]
          : [BY_SAMPLE, of.submissionId, ...spelled(behindSample(after))];
      return (await database.rows<OpenRow>(sql as string, [...given, limit])).map(read);
    },

    countOpenRelationships: async ({ id, account }) => {
      const counted = await database.one<{ n: number }>(
        `select count(*)::int as n from open_relationship where account = $1 and target is null
           and submission is distinct from (select id from submission where uuid = $2)`,
        [await accountOf(account), id],
      );
      return counted?.n ?? 0;
    },

    completedNames: async (account, wanted) => {
      const rows = await database.rows<{ name: string; target: number }>(
        `select name, max(target) as target from open_relationship
         where account = $1 and name = any(string_to_array($2, E'\\x1f')) and target is not null
         group by name having min(target) = max(target)`,
        [await accountOf(account), new JoinedTexts(wanted)],
      );
      return new Map(rows.map(({ name, target }) => [readText(name), target]));
    },

    namedAmong: async (account, { first, count }, wanted) => {
      const rows = await database.rows<{ id: number; name: string }>(
        `select id, name from current_sample where ${within('$1', '$2')} and account = $3 and admin_status is null
           and name = any(string_to_array($4, E'\\x1f')) order by id`,
        [first, first + count - 1, await accountOf(account), new JoinedTexts(wanted)],
      );
      return rows.map(({ id, name }) => ({ id, name: readText(name) }));
    },
  };
}

/** Relationships that wait for names, in SQLite: written inside the transactions of their batches. */
import type { LaidOutBatch } from '../../../registry/samples/sample-batch.js';
import type { OpenRelationship, OpenRelationshipStore } from '../../../submissions/open-relationship-store.js';
import type { Submission } from '../../../submissions/submission.js';
import {
  addsNothing,
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
import type { SqliteDatabase } from '../database.js';
import { requireWhole } from '../row-checks.js';
import type { BatchContext } from './batch-context.js';
import { CurrentSamples } from './current-samples.js';
import type { Names } from './names.js';

interface OpenRow extends WaitingRow {
  account: number;
  submission: number;
  line: number;
  target: number | null;
}

const IN_LIST = 'in (select value from json_each(?))';
const INSERT = `insert into open_relationship (sample, type, name, account, submission, line, place)
  values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`;

const ANY = 'select 1 from open_relationship limit 1';

const WAITING = 'select 1 from open_relationship where account = ? and target is null limit 1';

const BY_NAME = `select * from open_relationship where account = ? and target is null and (name, sample, type) > (?, ?, ?)
  order by name, sample, type limit ?`;
const BY_SAMPLE = `select * from open_relationship where submission = ? and target is null and (sample, type, name) > (?, ?, ?)
  order by sample, type, name limit ?`;

const whole = (row: OpenRow): OpenRow =>
  requireWhole(row, `The open relationship "${row.name}" of sample ${row.sample}`);

/** What of the batch's completions still waits. */
export function readCompleting({ database, prefix }: BatchContext, batch: LaidOutBatch): Completing {
  const waiting = database
    .sql<OpenRow>(`select * from open_relationship where sample ${IN_LIST} and target is null`)
    .all(JSON.stringify(completedSamples(batch)));
  return completing(batch, waiting.map(whole), prefix);
}

/** Whether anything of the account waits that the submission may complete; inside the transaction of its last batch. */
export const anythingWaits = (
  database: SqliteDatabase,
  { account }: SubmissionRow,
  submission: Pick<Submission, 'options'>,
): boolean => completesOpen(submission) && database.sql(WAITING).get(account) !== undefined;

/** What a batch that was written makes of what waits. */
export function keepOpen(context: BatchContext, row: SubmissionRow, written: Written): void {
  const { database, names } = context;
  // Mostly nothing waits: looking for each of the batch's samples takes 3 % of an update.
  if (addsNothing(written) && database.sql(ANY).get() === undefined) return;
  const { rewritten, opened, completed } = waitingAfter(written);
  const samples = JSON.stringify(rewritten);
  const { undoes } = written.batch;
  if (undoes !== undefined) {
    const undone = names.findSubmission(undoes) ?? -1;
    const those = `where sample ${IN_LIST} and`;
    database.sql(`delete from open_relationship ${those} submission = ?`).run(samples, undone);
    database
      .sql(`update open_relationship set target = null, completed_by = null ${those} completed_by = ?`)
      .run(samples, undone);
    return;
  }
  if (samples !== '[]') database.sql(`delete from open_relationship where sample ${IN_LIST}`).run(samples);
  for (const { sample, type, name, line, place } of opened)
    database.sql(INSERT).run(sample, type.toWellFormed(), name.toWellFormed(), row.account, row.id, line, place);
  for (const { sample, type, name, target } of completed)
    database
      .sql('update open_relationship set target = ?, completed_by = ? where sample = ? and type = ? and name = ?')
      .run(target, row.id, sample, type, name);
}

export function sqliteOpenRelationships(database: SqliteDatabase, names: Names): OpenRelationshipStore {
  const samples = new CurrentSamples(database, names);
  const read = (row: OpenRow): OpenRelationship => {
    const { sample, type, name, place, submission, line } = whole(row);
    return { sample, type, name, place, submissionId: names.submissionId(submission), line };
  };
  return {
    openRelationships: async (of, after, limit) =>
      ('account' in of
        ? database.sql<OpenRow>(BY_NAME).all(names.findAccount(of.account) ?? -1, ...behindName(after), limit)
        : database
            .sql<OpenRow>(BY_SAMPLE)
            .all(names.findSubmission(of.submissionId) ?? -1, ...behindSample(after), limit)
      ).map(read),

    countOpenRelationships: async ({ id, account }) =>
      database
        .sql<{ n: number }>(
          'select count(*) as n from open_relationship where account = ? and target is null and submission <> ?',
        )
        .get(names.findAccount(account) ?? -1, names.findSubmission(id) ?? -1)?.n ?? 0,

    completedNames: async (account, wanted) => {
      const rows = database
        .sql<{ name: string; target: number }>(
          `select name, max(target) as target from open_relationship where account = ? and name ${IN_LIST}
             and target is not null group by name having min(target) = max(target)`,
        )
        .all(names.findAccount(account) ?? -1, JSON.stringify(wanted));
      return new Map(rows.map(({ name, target }) => [name, target]));
    },

    namedAmong: async (account, { first, count }, wanted) =>
      database.read(() => {
        const number = names.findAccount(account) ?? -1;
        const last = first + count - 1;
        const named = database
          .sql<{ id: number; name: string }>(
            `select id, name from sample where id between ? and ? and account = ? and admin_status is null and name ${IN_LIST}`,
          )
          .all(first, last, number, JSON.stringify(wanted));
        const asked = new Set(wanted);
        for (const [row, block, ids] of samples.inBlocks(first, last)) {
          if (row.account !== number || row.admin_status !== null) continue;
          for (const id of ids) {
            const name = block.nameOf(id - row.first);
            if (asked.has(name)) named.push({ id, name });
          }
        }
        return named.sort((a, b) => a.id - b.id);
      }),
  };
}

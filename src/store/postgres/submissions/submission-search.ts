/** The list of submissions with its filters, in PostgreSQL. */
import type { SubmissionStore } from '../../../submissions/submission-store.js';
import { FOLLOWED } from '../../replay.js';
import { outlineOf, type SubmissionRow } from '../../rows/submission-row.js';
import { type OutlineSource, searchSubmissions } from '../../submission-search.js';
import type { PostgresDatabase } from '../database.js';
import type { Names } from '../samples/names.js';
import { type JoinedRow, readSubmissionRow, rowByUuid, SUBMISSIONS } from './submission-rows.js';

export function postgresSubmissionSearch(
  database: PostgresDatabase,
  names: Names,
): Pick<SubmissionStore, 'searchSubmissions' | 'findFollowUp'> {
  return {
    findFollowUp: async ({ id, account, sha256 }, kind) =>
      (
        await database.one<{ uuid: string }>(
          `select uuid from submission where account = $1 and sha256 = $2 and options::jsonb #>> $4::text[] = $3
           and state not in ('FAILED', 'CANCELLED') order by id desc limit 1`,
          [(await names.findAccount(account)) ?? 0, sha256, id, FOLLOWED[kind]],
        )
      )?.uuid,

    searchSubmissions: (search) => searchSubmissions(search, (name) => names.findAccount(name), sourceOf),
  };

  function sourceOf(account: number | undefined): OutlineSource {
    const own = account === undefined ? [] : [account];
    /** Conditions on columns, with their values as $1, $2, … */
    const conditions = (more: readonly string[]): string =>
      [...(account === undefined ? [] : ['account =']), ...more].map((text, at) => `${text} $${at + 1}`).join(' and ');
    return {
      numberOf: async (id) => (await rowByUuid(database, id))?.id,
      firstFrom: async (time) =>
        (
          await database.one<{ id: number }>(
            `select id from submission where ${conditions(['created >='])} order by created, id limit 1`,
            [...own, time],
          )
        )?.id,
      slice: async (below, limit, state) =>
        (
          await database.rows<SubmissionRow>(
            `select id, uuid, file_name, dry_run, created from submission
                 where ${conditions([...(state === undefined ? [] : ['state =']), 'id <'])} order by id desc limit ${limit}`,
            [...own, ...(state === undefined ? [] : [state]), below],
          )
        ).map(outlineOf),
      read: async (numbers) =>
        (await database.rows<JoinedRow>(`${SUBMISSIONS} where s.id = any($1)`, [[...numbers]])).map(readSubmissionRow),
    };
  }
}

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
): Pick<SubmissionStore, 'searchSubmissions' | 'findFollowUps'> {
  return {
    /** One statement for however many: of a page of 200 one each kept the connections from all others. */
    findFollowUps: async (submissions, kind) => {
      if (submissions.length === 0) return new Map();
      const accounts: number[] = [];
      for (const name of new Set(submissions.map(({ account }) => account)))
        accounts.push((await names.findAccount(name)) ?? 0);
      const rows = await database.rows<{ followed: string; uuid: string }>(
        `select options::jsonb #>> $4::text[] as followed, uuid from submission
         where account = any($1::int[]) and sha256 = any($2::text[]) and options::jsonb #>> $4::text[] = any($3::text[])
           and state not in ('FAILED', 'CANCELLED') order by id`,
        [accounts, submissions.map(({ sha256 }) => sha256), submissions.map(({ id }) => id), FOLLOWED[kind]],
      );
      return new Map(rows.map(({ followed, uuid }) => [followed, uuid]));
    },

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

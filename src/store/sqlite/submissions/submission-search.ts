/** The list of submissions with its filters, in SQLite. */
import type { SubmissionStore } from '../../../submissions/submission-store.js';
import { FOLLOWED } from '../../replay.js';
import { outlineOf, type SubmissionRow } from '../../rows/submission-row.js';
import { type OutlineSource, searchSubmissions } from '../../submission-search.js';
import type { SqliteDatabase } from '../database.js';
import type { Names } from '../samples/names.js';
import { readSubmissionRow } from './submission-rows.js';

export function sqliteSubmissionSearch(
  database: SqliteDatabase,
  names: Names,
): Pick<SubmissionStore, 'searchSubmissions' | 'findFollowUps'> {
  return {
    findFollowUps: async (submissions, kind) => {
      const find = database.sql<{ uuid: string }>(
        `select uuid from submission where account = ? and sha256 = ? and json_extract(options, ?) = ?
         and state not in ('FAILED', 'CANCELLED') order by id desc limit 1`,
      );
      const path = `$.${FOLLOWED[kind].join('.')}`;
      return new Map(
        submissions.flatMap(({ id, account, sha256 }) => {
          const found = find.get(names.findAccount(account) ?? 0, sha256, path, id);
          return found ? [[id, found.uuid]] : [];
        }),
      );
    },

    searchSubmissions: (search) => searchSubmissions(search, (name) => names.findAccount(name), sourceOf),
  };

  function sourceOf(account: number | undefined): OutlineSource {
    const own = account === undefined ? { sql: '', values: [] } : { sql: 'account = ? and', values: [account] };
    return {
      numberOf: async (id) => names.findSubmission(id),
      firstFrom: async (time) =>
        database
          .sql<{ id: number }>(`select id from submission where ${own.sql} created >= ? order by created, id limit 1`)
          .get(...own.values, time)?.id,
      slice: async (below, limit, state) =>
        database
          .sql<SubmissionRow>(
            `select id, uuid, file_name, dry_run, created from submission
                 where ${own.sql} ${state === undefined ? '' : 'state = ? and'} id < ? order by id desc limit ?`,
          )
          .all(...own.values, ...(state === undefined ? [] : [state]), below, limit)
          .map(outlineOf),
      read: async (numbers) =>
        database
          .sql<SubmissionRow>('select * from submission where id in (select value from json_each(?))')
          .all(JSON.stringify(numbers))
          .map((row) => readSubmissionRow(row, names)),
    };
  }
}

/** The log of changes to samples in SQLite; its numbers are in order of commit. */
import type { ChangeStore } from '../../../registry/changes/change-store.js';
import {
  ADVANCED_AT_ONCE,
  type ChangeRuns,
  changeRunOf,
  type DueRow,
  NOT_YET_DUE,
  ReleaseStep,
  type StoredRun,
  type VisibilityRow,
  visibilitiesOf,
} from '../../change-runs.js';
import type { SqliteDatabase } from '../database.js';
import { inCells } from './block-views.js';
import { visibilityOf } from './current-samples.js';
import type { Names } from './names.js';

/** Inside a write. */
export function logChanges(database: SqliteDatabase, changes: ChangeRuns, now: number): void {
  const insert = database.sql('insert into feed (at, first, count, kind, public) values (?, ?, ?, ?, ?)');
  for (const { first, count, kind, public: open } of changes.rows) insert.run(now, first, count, kind, open);
  const due = database.sql(
    `insert into release_due (release, first, count) select * from (select ? as release, ? as first, ? as count) n
     where ${NOT_YET_DUE}`,
  );
  for (const { release, first, count } of changes.due) due.run(release, first, count);
}

const DUE = 'select release, first, count from release_due where release <= ? order by release, first limit ?';

const OPEN = `select id from current_sample where ${inCells('?1', '?2')} and release = ?3 and admin_status is null order by id`;
const NO_LONGER_DUE = 'delete from release_due where release = ? and first = ?';

export function sqliteChangeStore(database: SqliteDatabase, names: Names, now: () => number): ChangeStore {
  const release = (at: number): boolean => {
    const step = new ReleaseStep(at, database.sql<DueRow>(DUE).all(at, ADVANCED_AT_ONCE));
    const open = step.taken.flatMap(({ release, first, count }) =>
      database.sql<{ id: number }>(OPEN).all({ 1: first, 2: first + count - 1, 3: release }),
    );
    for (const due of step.taken) database.sql(NO_LONGER_DUE).run(due.release, due.first);
    logChanges(database, step.changes(open), at);
    return step.more;
  };
  return {
    advanceChanges: async () => {
      if (database.sql<DueRow>(DUE).get(now(), 1) === undefined) return false;
      return database.write(() => release(now()));
    },

    readChanges: async (from, limit) =>
      database
        .sql<StoredRun>(
          'select number, at, first, count, kind, public from feed where number >= ? order by number limit ?',
        )
        .all(from, limit)
        .map(changeRunOf),

    readVisibility: async (ids) =>
      database.read(() =>
        visibilitiesOf(
          [...new Set(ids)].flatMap((id): VisibilityRow[] => {
            const seen = visibilityOf(database, id);
            return seen ? [{ ...seen, id, account: names.accountName(seen.account) }] : [];
          }),
        ),
      ),

    lastChange: async () =>
      database
        .sql<StoredRun>('select number, at, first, count, kind, public from feed order by number desc limit 1')
        .all()
        .map(changeRunOf)[0],
  };
}

/** The log of changes to samples in PostgreSQL: rows arrive in any order, and are numbered one step after the other. */
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
import type { PostgresDatabase, Session } from '../database.js';
import { numberArray } from '../text.js';
import { shareSamples } from './lock-samples.js';
import { within } from './number-windows.js';
import { samplesOf } from './present-samples.js';

/** Advisory lock of whoever numbers: what one step has numbered is there to be read before the next one begins. */
const NUMBERING = 7_263_404;

/** Two statements for a `with`, whose seven parameters begin at `$at`: see `changeValues`. */
export const logging = (at: number): string => {
  const [now, first, count, kind, open, release, dueFirst, dueCount] = Array.from(
    { length: 8 },
    (_, n) => `$${at + n}`,
  );
  return `feed_rows as (
    insert into feed_arrival (at, first, count, kind, public)
    select ${now}::bigint, * from unnest(${first}::bigint[], ${count}::int[], ${kind}::smallint[], ${open}::smallint[])
  ), due_rows as (
    insert into release_due (release, first, count)
    select * from unnest(${release}::bigint[], ${dueFirst}::bigint[], ${dueCount}::int[]) as n (release, first, count)
    where ${NOT_YET_DUE} on conflict do nothing
  )`;
};

export const changeValues = ({ rows, due }: ChangeRuns, now: number): unknown[] => [
  now,
  numberArray(rows.map(({ first }) => first)),
  numberArray(rows.map(({ count }) => count)),
  numberArray(rows.map(({ kind }) => kind)),
  numberArray(rows.map((row) => row.public)),
  numberArray(due.map(({ release }) => release)),
  numberArray(due.map(({ first }) => first)),
  numberArray(due.map(({ count }) => count)),
];

export async function logChanges(session: Session, changes: ChangeRuns, now: number): Promise<void> {
  await session.run(`with ${logging(1)} select 1`, changeValues(changes, now));
}

const LOCK = 'select pg_try_advisory_xact_lock($1) as mine';
const NUMBER = `with taken as (
    delete from feed_arrival where arrival in (select arrival from feed_arrival order by arrival limit $1) returning *
  ) insert into feed (number, at, first, count, kind, public)
  select (select coalesce(max(number), 0) from feed) + row_number() over (order by arrival), at, first, count, kind, public
  from taken`;
const DUE = 'select release, first, count from release_due where release <= $1 order by release, first limit $2';
const OPEN = `select id from current_sample where ${within('$1', '$2')} and release = $3 and admin_status is null order by id`;
const eachNumber = (first: number, count: number): number[] => Array.from({ length: count }, (_, at) => first + at);
const COLUMNS = 'number, at, first, count, kind, public';

export function postgresChangeStore(database: PostgresDatabase, now: () => number): ChangeStore {
  const release = async (session: Session): Promise<boolean> => {
    const at = now();
    const step = new ReleaseStep(at, await session.rows<DueRow>(DUE, [at, ADVANCED_AT_ONCE]));
    if (step.taken.length === 0) return false;
    // Waits for whoever is changing one of them: what it decides, it decides for a sample that is as it was.
    await shareSamples(session, numberArray(step.taken.flatMap(({ first, count }) => eachNumber(first, count))));
    const open: { id: number }[] = [];
    for (const { release, first, count } of step.taken) {
      open.push(...(await session.rows<{ id: number }>(OPEN, [first, first + count - 1, release])));
      await session.run('delete from release_due where release = $1 and first = $2', [release, first]);
    }
    const changes = step.changes(open);
    await logChanges(session, changes, at);
    return step.more;
  };
  return {
    advanceChanges: async () => {
      const waits = `select exists (select 1 from feed_arrival) or exists (${DUE}) as waits`;
      if (!(await database.one<{ waits: boolean }>(waits, [now(), 1]))?.waits) return false;
      return database.write(
        async (session) => {
          if (!(await session.one<{ mine: boolean }>(LOCK, [NUMBERING]))?.mine) return false;
          const more = await release(session);
          return (await session.run(NUMBER, [ADVANCED_AT_ONCE])) === ADVANCED_AT_ONCE || more;
        },
        { repeatable: true },
      );
    },

    readChanges: async (from, limit) => {
      const rows = await database.rows<StoredRun>(
        `select ${COLUMNS} from feed where number >= $1 order by number limit $2`,
        [from, limit],
      );
      return rows.map(changeRunOf);
    },

    readVisibility: async (ids) =>
      visibilitiesOf(
        await database.rows<VisibilityRow>(
          `select s.id, a.name as account, s.release, s.admin_status from ${samplesOf('$1')} s
           join account a on a.id = s.account`,
          [numberArray(ids)],
        ),
      ),

    lastChange: async () => {
      const row = await database.one<StoredRun>(`select ${COLUMNS} from feed order by number desc limit 1`);
      return row && changeRunOf(row);
    },
  };
}

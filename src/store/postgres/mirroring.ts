/** A store that is a copy of another registry, in PostgreSQL: the walks of mirror-steps.ts, in one transaction. */
import type { MirrorStore } from '../../registry/changes/mirror-store.js';
import { type Ask, apply, begin, end, erasedBy, type MirrorRow, STATE, stateOf } from '../mirror-steps.js';
import type { PostgresDatabase, Session } from './database.js';
import { eraseFormer } from './samples/erase-sample.js';
import type { Names } from './samples/names.js';
import { readRecord } from './samples/sample-record.js';
import { noteAttached, noteChange } from './samples/sample-rows.js';
import type { SearchIndex } from './search/search-index.js';

export function postgresMirrorStore(
  database: PostgresDatabase,
  names: Names,
  index: Pick<SearchIndex, 'takeAnew'>,
  now: () => number,
): MirrorStore {
  const answer = async (session: Session, ask: Ask): Promise<unknown> => {
    if ('read' in ask) return readRecord(session, names, ask.read, { lock: true });
    if ('erase' in ask) return eraseFormer(session, names, ask.erase);
    if ('rows' in ask) return session.rows(numbered(ask.rows), ask.values);
    const { note, change } = ask;
    if ('public' in change) return noteChange(session, null, note, change, now());
    return noteAttached(session, null, note, change.type, now());
  };
  const walk = async <T>(session: Session, steps: Generator<Ask, T, never>): Promise<T> => {
    let step = steps.next();
    while (!step.done) step = steps.next((await answer(session, step.value)) as never);
    return step.value;
  };
  /** Two processes that keep one mirror take turns, and the later one finds the cursor moved. */
  const alone = <T>(steps: () => Generator<Ask, T, never>): Promise<T> =>
    database.write(
      async (session) => {
        await session.run('lock table mirror in share row exclusive mode');
        return walk(session, steps());
      },
      { repeatable: true },
    );
  return {
    // Asked before each change: one statement, without a transaction around it.
    mirrorState: async () => stateOf(await database.one<MirrorRow>(STATE)),
    beginMirror: (source) => alone(() => begin(source)),
    endMirror: () => alone(end),
    applyMirrored: async (step) => {
      await alone(() => apply(step, now()));
      const erased = erasedBy(step);
      if (erased.length > 0) await index.takeAnew(erased);
    },
  };
}

/** `?` as PostgreSQL has places for values. */
function numbered(text: string): string {
  let place = 0;
  return text.replace(/\?/g, () => `$${++place}`);
}

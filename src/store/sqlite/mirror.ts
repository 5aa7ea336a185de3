/** A store that is a copy of another registry, in SQLite: the walks of mirror-steps.ts, inside one write. */
import type { MirrorStore } from '../../registry/changes/mirror-store.js';
import { type Ask, apply, begin, end, erasedBy, type MirrorRow, STATE, stateOf } from '../mirror-steps.js';
import type { SqliteDatabase } from './database.js';
import { eraseFormer } from './samples/erase-sample.js';
import type { Names } from './samples/names.js';
import { sqliteRecordReader } from './samples/sample-record.js';
import { noteAttached, noteChange } from './samples/sample-rows.js';
import type { SearchIndex } from './search/search-index.js';

export function sqliteMirrorStore(
  database: SqliteDatabase,
  names: Names,
  index: Pick<SearchIndex, 'takeAnew'>,
  now: () => number,
): MirrorStore {
  const readRecord = sqliteRecordReader(database, names);
  const answer = (ask: Ask): unknown => {
    if ('read' in ask) return readRecord(ask.read);
    if ('erase' in ask) return eraseFormer(database, names, ask.erase);
    if ('rows' in ask) {
      const statement = database.sql(ask.rows);
      return statement.reader ? statement.all(...ask.values) : statement.run(...ask.values);
    }
    const { note, change } = ask;
    return 'public' in change
      ? noteChange(database, null, note, change, now())
      : noteAttached(database, null, note, change.type, now());
  };
  const walk = <T>(steps: Generator<Ask, T, never>): T => {
    for (let step = steps.next(); ; step = steps.next(answer(step.value) as never)) {
      if (step.done) return step.value;
    }
  };
  return {
    mirrorState: async () => stateOf(database.sql<MirrorRow>(STATE).get()),
    beginMirror: (source) => database.write(() => walk(begin(source))),
    endMirror: () => database.write(() => walk(end())),
    applyMirrored: async (step) => {
      const write = () => database.write(() => walk(apply(step, now())), 'bulk');
      const erased = erasedBy(step);
      if (erased.length === 0) return write();
      await database.removed.overwritten(write);
      await index.takeAnew(erased);
    },
  };
}

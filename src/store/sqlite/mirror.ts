/** A store that is a copy of another registry, in SQLite: the walks of mirror-steps.ts, inside one write. */
import type { MirrorStore } from '../../registry/changes/mirror-store.js';
import { type Ask, apply, begin, end, type MirrorRow, STATE, stateOf } from '../mirror-steps.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './samples/names.js';
import { sqliteRecordReader } from './samples/sample-record.js';
import { noteAttached, noteChange } from './samples/sample-rows.js';

export function sqliteMirrorStore(database: SqliteDatabase, names: Names, now: () => number): MirrorStore {
  const readRecord = sqliteRecordReader(database, names);
  const answer = (ask: Ask): unknown => {
    if ('read' in ask) return readRecord(ask.read);
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
    applyMirrored: (step) => database.write(() => walk(apply(step, now())), 'bulk'),
  };
}

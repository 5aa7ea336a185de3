/** A store of an earlier schema is opened by this version, which goes on to register. */
import { expect } from 'vitest';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';
import { takeNewestAway } from '../store/undone.js';
import { plainSheet } from '../support/plain-sheet.js';
import { jsonWrites, upload } from './changes.js';
import { proveScene } from './cuts.js';

const BEFORE_NEWEST = 18;

proveScene({
  name: 'an upgrade',
  disks: 3_000,
  of: /: data, names|: data.registry\.db/,
  record: async (recorder) => {
    const before = await recorder.serve();
    await upload(before.api, plainSheet({ tag: 'before', rows: 30, badEvery: 7 }));
    await jsonWrites(before.api);
    before.api.promise({ kind: 'token', text: await before.api.token('ada') });
    await before.stop();
    const database = new SqliteDatabase(`${recorder.data}/registry.db`);
    takeNewestAway(database);
    database.prepare(`pragma user_version = ${BEFORE_NEWEST}`).run();
    expect(database.version()).toBe(BEFORE_NEWEST);
    database.close();

    recorder.begin();
    recorder.chapter('an upgrade');
    const { api, stop } = await recorder.serve();
    recorder.chapter('an upload after an upgrade');
    await upload(api, plainSheet({ tag: 'after', rows: 5 }));
    await stop();
  },
});

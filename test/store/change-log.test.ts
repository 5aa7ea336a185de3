/** What the log of changes promises beside its contract: numbers on PostgreSQL, upgrades, the program of the version before. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { openStore } from '../../src/store/open.js';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';
import type { Store } from '../../src/store/store.js';
import { dropSchemas, freshDatabaseUrl } from '../many-machines/postgres-schema.js';
import { without } from '../support/services.js';
import { POSTGRES_WITHOUT_NEWEST, takeNewestAway } from './undone.js';

const HOUR = 3_600_000;
const OPTIONS = { prefix: 'SAMR' };
const folder = mkdtempSync(join(tmpdir(), 'registry-change-log-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const create = async (store: Store, release: number): Promise<number> => {
  const draft = { name: 's', release, content: emptyContent() };
  return (await store.createSample({ draft, account: 'ada', author: 'ada', via: 'JSON_API', placeholder: false })).id;
};
const story = async (store: Store) => {
  while (await store.advanceChanges());
  return (await store.readChanges(1, 100)).map(
    ({ number, type, first, count, public: open }) => `${number} ${type} ${first}+${count} ${open ? 'public' : 'own'}`,
  );
};
/** Public, public, private, released within the hour, withdrawn, public. */
async function fill(store: Store): Promise<void> {
  const now = Date.now();
  for (const ahead of [-1, -1, 100, 0.5, -1, -1]) await create(store, now + ahead * HOUR);
  await store.updateSample(5, ({ sample }) => ({
    kind: 'update',
    draft: sample,
    provenance: { author: 'ada', via: 'JSON_API' },
    adminStatus: 'KILLED',
  }));
}
const AS_IT_WAS = ['1 created 1+2 public', '2 created 3+3 own', '3 created 6+1 public'];

/** A registry of before the log, and the same one after its upgrade half an hour later. */
async function upgraded(url: string, undo: () => Promise<void> | void): Promise<string[]> {
  const before = await openStore(url, OPTIONS);
  await fill(before);
  await before.close();
  await undo();
  const after = await openStore(url, { ...OPTIONS, now: () => Date.now() + HOUR });
  const heard = await story(after);
  await after.close();
  return heard;
}

describe('the log of changes', () => {
  it('begins with what was registered before there was one, in a SQLite file', async () => {
    const file = join(folder, 'before.db');
    const heard = await upgraded(`sqlite:${file}`, () => {
      const database = new SqliteDatabase(file);
      takeNewestAway(database);
      for (const sql of [
        'drop table mirror',
        'drop table feed',
        'drop table release_due',
        'pragma user_version = 15',
      ]) {
        database.prepare(sql).run();
      }
      database.close();
    });
    expect(heard).toEqual([...AS_IT_WAS, '4 released 4+1 public']);
  });

  describe.skipIf(without('postgres'))('on PostgreSQL', () => {
    afterAll(() => dropSchemas());
    const connect = async (url: string): Promise<pg.Client> => {
      const address = new URL(url);
      const schema = address.searchParams.get('schema');
      address.search = '';
      const client = new pg.Client(address.href);
      await client.connect();
      await client.query(`set search_path to ${schema}`);
      return client;
    };

    it('begins with what was registered before there was one', async () => {
      const url = await freshDatabaseUrl();
      const heard = await upgraded(url, async () => {
        const client = await connect(url);
        await client.query(`drop trigger change_unlogged on change; drop function log_change; drop table mirror, feed,
          feed_arrival, release_due; ${POSTGRES_WITHOUT_NEWEST.join('; ')}; alter table change drop column logged; delete from migration where number >= 16`);
        await client.end();
      });
      expect(heard).toEqual([...AS_IT_WAS, '4 released 4+1 public']);
    });

    it('numbers nothing past a change whose transaction goes on', async () => {
      const url = await freshDatabaseUrl();
      const store = await openStore(url, OPTIONS);
      const slow = await connect(url);
      await slow.query('begin');
      await slow.query('insert into feed_arrival (at, first, count, kind, public) values (1, 77, 1, 0, 1)');
      const id = await create(store, 0);
      expect(await story(store)).toEqual([`1 created ${id}+1 public`]);
      await slow.query('commit');
      expect(await story(store)).toEqual([`1 created ${id}+1 public`, '2 created 77+1 public']);
      await slow.end();
      await store.close();
    });

    it('waits for nobody who numbers at this moment', async () => {
      const url = await freshDatabaseUrl();
      const store = await openStore(url, OPTIONS);
      const other = await connect(url);
      await other.query('begin');
      await other.query('select pg_advisory_xact_lock(7263404)');
      const id = await create(store, 0);
      expect(await store.advanceChanges()).toBe(false);
      expect(await store.readChanges(1, 10)).toEqual([]);
      await other.query('commit');
      expect(await story(store)).toEqual([`1 created ${id}+1 public`]);
      await other.end();
      await store.close();
    });

    it('logs what a program of the version before writes, which knows nothing of it', async () => {
      const url = await freshDatabaseUrl();
      const store = await openStore(url, OPTIONS);
      const now = Date.now();
      const id = await create(store, now - HOUR);
      const later = await create(store, now + HOUR);
      const old = await connect(url);
      const overwrite = async (set: string) => {
        await old.query(`begin; insert into sample_version select * from sample where id = ${id};
          update sample set version = version + 1, ${set} where id = ${id};
          insert into change (first, count) values (${id}, 1); commit`);
      };
      await overwrite("name = 'other'");
      await overwrite(`release = ${now + HOUR}`);
      await overwrite("name = 'again'");
      await overwrite(`release = ${now - HOUR}`);
      await old.query('delete from release_due');
      await old.query(`insert into change (first, count) values (${later}, 1)`);
      const { rows } = await old.query('select first::int from release_due');
      expect(rows).toEqual([{ first: later }]);
      expect((await story(store)).slice(2)).toEqual([
        `3 updated ${id}+1 public`,
        `4 withdrawn ${id}+1 public`,
        `5 updated ${id}+1 own`,
        `6 released ${id}+1 public`,
        `7 created ${later}+1 own`,
      ]);
      await old.end();
      await store.close();
    });
  });
});

/**
 * Blocks of samples in PostgreSQL: when they may be written, and what is changed in one behind the store's back.
 *
 * @module-tag slow
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { PostgresDatabase } from '../../src/store/postgres/database.js';
import { migrate } from '../../src/store/postgres/migrate.js';
import { MIGRATIONS } from '../../src/store/postgres/open.js';
import type { Store } from '../../src/store/store.js';
import { idsOf } from '../contract/apply-batch.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { batchOf, claimNext, draft, named, type Row } from '../many-machines/store-samples.js';
import { without } from '../support/services.js';

const OPTIONS = { prefix: 'SAMR' };
const folder = mkdtempSync(join(tmpdir(), 'registry-migrations-'));
const BEFORE_BLOCKS = pathToFileURL(`${folder}/`);
cpSync(MIGRATIONS, folder, {
  recursive: true,
  filter: (path) => !(basename(path) >= '0025_' && path.endsWith('.sql')),
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(without('postgres'))('blocks in PostgreSQL', () => {
  afterAll(() => dropSchemas());
  let url: string;
  let client: pg.Client;
  beforeEach(async () => {
    url = freshSchemaUrl();
    const address = new URL(url);
    const schema = address.searchParams.get('schema');
    address.search = '';
    client = new pg.Client(address.href);
    await client.connect();
    await client.query(`set search_path to ${schema}`);
  });
  afterEach(() => client.end());

  const count = async (what: string): Promise<number> =>
    (await client.query<{ n: number }>(`select count(*)::int as n from ${what}`)).rows[0]?.n ?? 0;
  const apply = async (store: Store, rows: readonly Row[]) => {
    await store.accept(draft('ada'), { sameBytes: true });
    return (await store.applyBatch(await claimNext(store), batchOf(2, rows), { leaseMs: 60_000, last: true })).chunk;
  };
  const needs = async () => (await client.query('select needs from migration where number = 25')).rows[0]?.needs;
  const programOfBefore = async () => {
    const database = new PostgresDatabase(url);
    try {
      await migrate(database, BEFORE_BLOCKS);
    } finally {
      await database.close();
    }
  };

  it('are written at once where the store began with them', async () => {
    const store = await openStore(url, OPTIONS);
    expect(await needs()).toBe(0);
    await apply(store, named(2, 20));
    expect([await count('sample_block'), await count('sample')]).toEqual([1, 0]);
    expect(await needs()).toBe(25);
    await store.close();
  });

  it('wait for an hour in a store of before, whose programs may still be at work, and are then kept from them', async () => {
    await programOfBefore();
    await client.query(`insert into account (name, created) values ('ada', 1);
      insert into sample (id, name, account, release, doc, author, via, line, version, created, updated, submitted)
        select n, 'old ' || n, 1, 0, '{"characteristics":{"tissue":[{"text":"liver"}]}}', 1, 1, n, 1, 1, 1, 1
        from generate_series(1, 20) n;
      update counter set next = 21 where name = 'accession'`);
    const store = await openStore(url, OPTIONS);
    const { created } = await apply(store, named(2, 20));
    await apply(
      store,
      idsOf([[2, 1, 30]]).map((id) => ({ id, name: `second ${id}` })),
    );
    expect([await count('sample_block'), await count('sample'), await needs()]).toEqual([0, 40, 0]);
    for (const id of [1, 20, ...idsOf(created).slice(0, 10)]) {
      expect(await store.readSample(id)).toMatchObject({ sample: { name: `second ${id}`, version: 2 } });
      expect(await store.readVersion(id, 1)).toMatchObject({ version: 1 });
    }
    await programOfBefore();

    await client.query(`update migration set applied = applied - interval '59 minutes' where number = 25`);
    await apply(store, named(2, 20));
    expect([await count('sample_block'), await needs()]).toEqual([0, 0]);
    await client.query(`update migration set applied = applied - interval '1 minute' where number = 25`);
    const later = idsOf((await apply(store, named(2, 20))).created);
    expect([await count('sample_block'), await needs()]).toEqual([1, 25]);
    await expect(programOfBefore()).rejects.toThrow(/needs programs that know 25/);
    // What has a row keeps it, and what stands in a block goes on there: but for three, which are too few before a new cell.
    await apply(
      store,
      [1, 2, 3, 4, 5, 6, 7, 8, 9, ...later].map((id) => ({ id, name: `third ${id}` })),
    );
    expect([await count('sample_block'), await count('sample'), await count('sample_version')]).toEqual([2, 63, 42]);
    expect((await store.sampleRecords([1, later[0] as number])).map(({ sample }) => sample.version)).toEqual([3, 2]);
    expect(await store.integrityFaults()).toEqual([]);
    await store.close();
  });

  it.each([
    "names[2] = names[2] || ' '",
    "docs[2] = replace(docs[2], 'liver', 'livor')",
    'releases[2] = releases[2] + 1',
    'lines[2] = lines[2] + 1',
    'crcs[2] = crcs[2] + 1',
    'docs[2] = null',
    ...['account', 'author', 'layout', 'version', 'created', 'updated'].map((column) => `${column} = ${column} + 1`),
    ...['submission', 'submitted', 'layout'].map((column) => `${column} = null`),
    'via = 0',
    "admin_status = 'SUPPRESSED'",
    'first = first + 1',
    'docs = docs[1:1]',
  ])('answer nothing of a sample once %s', async (change) => {
    const store = await openStore(url, OPTIONS);
    await store.ensureAccount('bob', 1);
    const ids = idsOf((await apply(store, named(2, 90))).created);
    const [first, second] = [64, 65];
    expect(ids).toContain(second);
    await client.query(`update sample_block set ${change} where first = ${first}`);
    const damaged = { code: 'storage.damaged' };
    await expect(store.readSample(second)).rejects.toMatchObject(damaged);
    await expect(store.updateSample(second, () => ({ kind: 'unchanged' }))).rejects.toMatchObject(damaged);
    expect(await store.readSample(1)).toMatchObject({ sample: { id: 1 } });
    if (change.includes('[2]')) expect(await store.readSample(first)).toMatchObject({ sample: { id: first } });
    const chunk = await apply(
      store,
      [second, 2].map((id) => ({ id, name: 'x' })),
    );
    expect(chunk.rejected).toMatchObject([{ line: 2, issues: [{ code: 'sample.damaged' }] }]);
    expect(idsOf(chunk.updated)).toEqual([2]);
    await store.close();
  });

  it('are found damaged by looking through earlier versions, by name', async () => {
    const store = await openStore(url, OPTIONS);
    const ids = idsOf((await apply(store, named(2, 30))).created);
    await apply(
      store,
      ids.map((id) => ({ id, name: `second ${id}` })),
    );
    await client.query(`update sample_block set docs[3] = 'x' where version = 1`);
    const found = await store.damagedVersions({ id: 0, version: 0 }, 100);
    expect(found).toEqual({ damaged: [{ id: ids[2], version: 1 }] });
    await expect(store.readVersion(ids[2] as number, 1)).rejects.toMatchObject({ code: 'storage.damaged' });
    expect(await store.readSample(ids[2] as number)).toMatchObject({ sample: { version: 2 } });
    await store.close();
  });
});

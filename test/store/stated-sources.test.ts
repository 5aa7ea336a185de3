/** A store of before lineages: samples that name another one as the source of a relationship with them are found by it after the upgrade. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { Lineage } from '../../src/registry/lineage/lineage.js';
import { DESCENT_TYPES } from '../../src/registry/samples/relationship-types.js';
import { emptyContent, type Relationship } from '../../src/registry/samples/sample.js';
import { openStore } from '../../src/store/open.js';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';
import type { Store } from '../../src/store/store.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { curationLink } from '../many-machines/store-samples.js';
import { without } from '../support/services.js';
import { POSTGRES_WITHOUT_NEWEST, takeNewestAway } from './undone.js';

const OPTIONS = { prefix: 'SAMR' };
const folder = mkdtempSync(join(tmpdir(), 'registry-stated-sources-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const create = async (store: Store, relationships: Relationship[]): Promise<number> => {
  const draft = { name: 's', release: 0, content: { ...emptyContent(), relationships } };
  return (await store.createSample({ draft, account: 'ada', author: 'ada', via: 'JSON_API', placeholder: false })).id;
};
const indexAll = async (store: Store): Promise<number> => {
  let indexed = 0;
  for (;;) {
    const step = await store.indexNext(100);
    indexed += step.indexed;
    if (!step.more) return indexed;
  }
};

/** Sample 1 is derived from 2 and from 3, and only these say so: 2 itself, 3 by a curation. */
async function upgrade(url: string, undo: () => Promise<void> | void) {
  const before = await openStore(url, OPTIONS);
  await create(before, []);
  await create(before, [{ source: 'SAMR1', type: 'derived from', target: 'SAMR2' }]);
  await create(before, []);
  await create(before, [{ type: 'derived from', target: 'SAMR1' }]);
  const relationshipsPost = [{ source: 'SAMR1', type: 'derived from', target: 'SAMR3' }];
  await before.addCurationLink(3, curationLink('l', { relationshipsPost }));
  await indexAll(before);
  await before.close();
  await undo();
  const after = await openStore(url, OPTIONS);
  const indexed = await indexAll(after);
  const asked = { accession: 'SAMR1', types: DESCENT_TYPES, directions: ['ancestors'] as const, depth: 1, nodes: 9 };
  const { nodes } = await new Lineage(after, { ...OPTIONS, now: Date.now }).graph(asked, undefined);
  await after.close();
  return { indexed, found: nodes.map(({ accession }) => accession).sort() };
}
const AFTERWARDS = { indexed: 2, found: ['SAMR1', 'SAMR2', 'SAMR3'] };

describe('a store of before lineages', () => {
  it('indexes anew those samples alone that name another as a source, in a SQLite file', async () => {
    const file = join(folder, 'before.db');
    const seen = await upgrade(`sqlite:${file}`, () => {
      const database = new SqliteDatabase(file);
      takeNewestAway(database);
      database.prepare('pragma user_version = 17').run();
      database.close();
      const index = new SqliteDatabase(`${file}-search`);
      for (const table of ['segment', 'posting_page']) index.prepare(`delete from ${table}`).run();
      index.close();
    });
    expect(seen).toEqual(AFTERWARDS);
  });

  describe.skipIf(without('postgres'))('on PostgreSQL', () => {
    afterAll(() => dropSchemas());

    it('indexes anew those samples alone that name another as a source', async () => {
      const url = freshSchemaUrl();
      const seen = await upgrade(url, async () => {
        const address = new URL(url);
        const schema = address.searchParams.get('schema');
        address.search = '';
        const client = new pg.Client(address.href);
        await client.connect();
        await client.query(`set search_path to ${schema}`);
        await client.query([...POSTGRES_WITHOUT_NEWEST, 'delete from migration where number >= 18'].join('; '));
        await client.query(`update entry set terms = '' where id in (2, 3)`);
        await client.end();
      });
      // The columns of facets, which are younger, are filled from all of them.
      expect(seen).toEqual({ ...AFTERWARDS, indexed: 4 });
    });
  });
});

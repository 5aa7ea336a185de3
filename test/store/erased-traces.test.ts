/** That nothing of an erased sample is left in the index of a SQLite store, nor in any table of a PostgreSQL one. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { openBlobs } from '../../src/blobs/open.js';
import { nameKey } from '../../src/registry/search/search-terms.js';
import { termKey } from '../../src/registry/search/term-keys.js';
import { openStore } from '../../src/store/open.js';
import { Page } from '../../src/store/postings/page.js';
import Database from '../../src/store/sqlite/driver.js';
import type { Store } from '../../src/store/store.js';
import { erase } from '../../src/upkeep/erase.js';
import { makeEmptyStore } from '../contract/empty-stores.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { batchOf, claimNext, curationLink, draft, named } from '../many-machines/store-samples.js';
import { without } from '../support/services.js';

const MARK = 'quetzal';

/** Forty samples, one of which says the mark in every way, in a block and in rows, and is erased after it was looked for. */
async function eraseMarked(store: Store, look: () => Promise<void>): Promise<void> {
  const rows = named(2, 40).map(({ name }, at) => (at === 7 ? { name: MARK, cells: `${MARK}\t${MARK}` } : { name }));
  for (const ids of [undefined, Array.from({ length: 40 }, (_, at) => at + 1)]) {
    await store.accept(draft('ada'), { sameBytes: false });
    const again = rows.map((row, at) => ({ ...row, ...(ids && { id: ids[at] as number, name: `${row.name} again` }) }));
    await store.applyBatch(await claimNext(store), batchOf(2, again), { leaseMs: 60_000, last: true });
  }
  const id = (await store.sampleIds(0, 100))[7] as number;
  await store.updateSample(id, ({ sample }) => ({
    kind: 'update',
    draft: { ...sample, name: `${MARK} alone` },
    provenance: { author: 'ada', via: 'JSON_API' },
  }));
  await store.addCurationLink(id, curationLink('1', { attributesPost: [{ type: MARK, value: MARK }] }));
  const content = [{ a: { value: MARK, iri: null } }];
  const table = { domain: null, account: 'ada', type: 't', schema: null, content, created: 1, updated: 1 };
  await store.putStructuredData(id, 'ada', [table], 1);
  while ((await store.indexNext(500)).more);
  await look();
  const folder = mkdtempSync(join(tmpdir(), 'erased-traces-'));
  const blobs = await openBlobs(pathToFileURL(folder).href);
  await erase({ store, blobs, prefix: 'SAMR' }, [id], { author: 'root', withKeys: false, record: () => undefined });
  await blobs.close();
  rmSync(folder, { recursive: true });
}

describe('of an erased sample', () => {
  it('no byte is left in the file of a SQLite store, and no term or name in its index: on sqlite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'erased-traces-'));
    const file = join(folder, 'registry.db');
    await makeEmptyStore(file, 'SAMR');
    const store = await openStore(`sqlite:${file}`, { prefix: 'SAMR' });
    const terms = [termKey(`w${MARK}`), nameKey(MARK), nameKey(`${MARK} alone`)];
    const found = (): number[] => {
      const index = new Database(`${file}-search`, { readonly: true });
      const pages = index
        .prepare<[], { id: number; bits: number; data: Buffer }>(
          'select p.id, s.bits, p.data from posting_page p join segment s on s.id = p.id / 1048576',
        )
        .all();
      index.close();
      const keys = new Set(pages.flatMap(({ id, bits, data }) => new Page(data, id % 1_048_576, bits).entries().keys));
      expect(keys.has(termKey('wsapiens'))).toBe(true);
      return terms.filter((term) => keys.has(term));
    };
    await eraseMarked(store, async () => {
      expect(found()).toEqual([termKey(`w${MARK}`), nameKey(`${MARK} alone`)]);
    });
    expect(found()).toEqual([]);
    for (const part of ['', '-wal', '-search', '-search-wal'])
      expect(readFileSync(file + part).includes(MARK)).toBe(false);
    await store.close();
    rmSync(folder, { recursive: true });
  });

  describe.skipIf(without('postgres'))('in PostgreSQL', () => {
    afterAll(() => dropSchemas());

    it('no row of any table says anything: on postgres', async () => {
      const url = freshSchemaUrl();
      const store = await openStore(url, { prefix: 'SAMR' });
      const schema = new URL(url).searchParams.get('schema');
      const client = new pg.Client({ connectionString: url.split('?')[0] });
      await client.connect();
      const found = async (): Promise<string[]> => {
        const { rows } = await client.query<{ name: string }>(
          "select table_name as name from information_schema.tables where table_schema = $1 and table_type = 'BASE TABLE'",
          [schema],
        );
        const holding: string[] = [];
        for (const { name } of rows) {
          const holds = `select 1 from ${schema}.${name} t where t::text like '%${MARK}%' limit 1`;
          if ((await client.query(holds)).rows.length > 0) holding.push(name);
        }
        return holding.sort();
      };
      await eraseMarked(store, async () => {
        expect(await found()).toEqual([
          'curation',
          'entry',
          'sample',
          'sample_block',
          'structured_data',
          'submission_chunk',
        ]);
      });
      expect(await found()).toEqual([]);
      await client.end();
      await store.close();
    });
  });
});

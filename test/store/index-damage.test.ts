/** A damaged search file never stops the start and never answers wrongly: it is set aside and filled anew. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/sample.js';
import { openStore, type Store } from '../../src/store/open.js';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-index-damage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SAMPLES = 300;
let made = 0;

async function filled(): Promise<string> {
  const file = join(folder, `${++made}.db`);
  const store = await openStore(`sqlite:${file}`, { prefix: 'SAMR' });
  for (let n = 0; n < SAMPLES; n++) {
    const text = `liver word${n} ${'more of it '.repeat(20)}`;
    await store.createSample({
      draft: { name: `s${n}`, release: 1, content: { ...emptyContent(), characteristics: { note: [{ text }] } } },
      account: 'ada',
      author: 'ada',
      via: 'JSON_API',
      placeholder: false,
    });
  }
  await indexed(store);
  await store.close();
  return file;
}

async function indexed(store: Store): Promise<void> {
  while ((await store.indexNext(100)).more);
}

const overwrite = (path: string, from: number, to: number): void => {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, from, Math.min(to, bytes.length));
  writeFileSync(path, bytes);
};

/** How the file is spoilt while nobody has it open. */
const DAMAGE: Record<string, (path: string) => void> = {
  'a bit of its postings is another': (path) => {
    const index = new SqliteDatabase(path);
    for (const { id, data } of index.sql<{ id: number; data: Buffer }>('select id, data from posting_page').all()) {
      data[data.length - 1] = (data.at(-1) as number) ^ 1;
      index.sql('update posting_page set data = ? where id = ?').run(data, id);
    }
    index.close();
  },
  'its first page is not one': (path) => overwrite(path, 0, 4096),
  'it holds something else': (path) =>
    writeFileSync(path, 'not a database, but long enough to be looked at\n'.repeat(50)),
  'it was cut in half': (path) => truncateSync(path, Math.floor(statSync(path).size / 8192) * 4096),
  'everything behind its first page is spoilt': (path) => overwrite(path, 4096, Number.MAX_SAFE_INTEGER),
};

describe('a search file that is damaged', () => {
  it.each(Object.keys(DAMAGE))(
    'because %s: the store opens, finds everything again and keeps the file',
    async (what) => {
      const file = await filled();
      DAMAGE[what]?.(`${file}-search`);
      const reported: string[] = [];
      const store = await openStore(`sqlite:${file}`, {
        prefix: 'SAMR',
        onIndexDamage: (aside) => reported.push(aside),
      });
      const search = () => store.search({ terms: [['wliver']], now: Date.now(), size: 200 }, { page: 0 });
      await search();
      await indexed(store);
      expect(await search()).toMatchObject({ total: SAMPLES, missing: 0 });
      const kept = readdirSync(folder).filter((name) => name.startsWith(`${made}.db-search.damaged-`));
      expect(kept.filter((name) => !/-(wal|shm)$/.test(name))).toHaveLength(1);
      expect(reported).toEqual([expect.stringContaining('.damaged-')]);
      expect((await store.indexState()).setAside).toHaveLength(1);
      await store.close();
    },
  );

  it('in use by another process too: that one changes over to the new file', async () => {
    const file = await filled();
    const other = await openStore(`sqlite:${file}`, { prefix: 'SAMR' });
    rmSync(`${file}-search`);
    const store = await openStore(`sqlite:${file}`, { prefix: 'SAMR' });
    await indexed(store);
    const page = await other.search({ terms: [['wliver']], now: Date.now(), size: 200 }, { page: 0 });
    expect(page).toMatchObject({ total: SAMPLES, missing: 0 });
    await other.close();
    await store.close();
  });
});

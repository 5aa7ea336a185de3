/** A damaged search file never stops the start and never answers wrongly: it is set aside and filled anew. */
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { openStore, type Store } from '../../src/store/open.js';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-index-damage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SAMPLES = 300;
let made = 0;
/** A store with its index, which those that are damaged are copies of. */
const healthy = join(folder, 'healthy.db');

function filled(name = String(++made)): string {
  const file = join(folder, `${name}.db`);
  for (const part of ['', '-search']) copyFileSync(`${healthy}${part}`, `${file}${part}`);
  return file;
}

beforeAll(async () => {
  const file = healthy;
  const store = await openStore(`sqlite:${file}`, { prefix: 'SAMR' });
  for (let n = 0; n < SAMPLES; n++) {
    const text = `liver word${n} ${'more of it '.repeat(20)}`;
    await store.createSample({
      draft: {
        name: `s${n}`,
        release: 1,
        content: { ...emptyContent(), characteristics: { note: [{ text }], n: [{ text: String(n % 7) }] } },
      },
      account: 'ada',
      author: 'ada',
      via: 'JSON_API',
      placeholder: false,
    });
  }
  await indexed(store);
  await store.close();
});

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
      const file = filled();
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
    const file = filled();
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

/** Tables of the index that hold something here, with their columns. */
const VALUES: Record<string, readonly string[]> = {
  segment: [
    'id',
    'span',
    'age',
    'samples',
    'terms',
    'bits',
    'account',
    'hidden',
    'earliest',
    'latest',
    'overlaps',
    'slots',
    'named',
  ],
  posting_page: ['id', 'data', 'sum'],
  facet_key: ['id', 'code'],
  facet_block: ['data', 'sum'],
  name_filter: ['id', 'data', 'sum'],
  progress: ['seq', 'scan_next', 'scan_end', 'begun', 'careful', 'moved', 'turn', 'made'],
};

/** In numbers of rows, so that no other row has it. */
const HIGH = 2 ** 18;

/** In every row, behind the back of what sums rows up; of bytes the last one alone. */
function flipBit(path: string, table: string, column: string): void {
  const index = new SqliteDatabase(path);
  for (const event of ['insert', 'update']) index.prepare(`drop trigger if exists ${table}_checked_${event}`).run();
  const rows = index.sql<Record<string, unknown>>(`select rowid as row, ${column} as value from ${table}`).all();
  expect(rows.length).toBeGreaterThan(0);
  for (const { row, value } of rows.reverse()) {
    const other = Buffer.isBuffer(value) ? Buffer.from(value) : Number(value) ^ (column === 'id' ? HIGH : 1);
    if (typeof other !== 'number') other[other.length - 1] = (other.at(-1) as number) ^ 1;
    index.prepare(`update ${table} set ${column} = ? where rowid = ?`).run(other, row);
  }
  index.close();
}

describe('a search file of which one bit is another', () => {
  const now = Date.now();
  const answers = async (store: Store) => ({
    words: await store.search({ terms: [['wliver']], now, size: 3 }, { page: 0 }),
    counts: await store.findSamples({ terms: [], now, size: 1, facets: { of: ['n'], values: 5 } }, { page: 0 }),
    named: await store.findNamed('ada', ['s7', 'nobody']),
    released: await store.findSamples({ terms: [], release: { from: 1, until: 1 }, now, size: 3 }, { page: 0 }),
  });
  let before: Awaited<ReturnType<typeof answers>>;
  beforeAll(async () => {
    const store = await openStore(`sqlite:${filled()}`, { prefix: 'SAMR' });
    before = await answers(store);
    expect([...before.named]).toEqual([['s7', [8]]]);
    expect(before).toMatchObject({
      words: { total: SAMPLES },
      counts: { facets: { list: [{ name: 'n', samples: SAMPLES }] } },
    });
    await store.close();
  });

  it('while the store is open: what it sees of segments is looked at, too', async () => {
    const file = filled('open');
    const store = await openStore(`sqlite:${file}`, { prefix: 'SAMR' });
    expect(await answers(store)).toEqual(before);
    flipBit(`${file}-search`, 'segment', 'hidden');
    await answers(store);
    expect((await store.indexState()).setAside).toHaveLength(1);
    await store.close();
  });

  it.each(Object.entries(VALUES).flatMap(([table, columns]) => columns.map((column) => [table, column])))(
    'in %s.%s: nothing wrong is answered, and it is filled anew',
    async (table, column) => {
      const file = filled(`${table}-${column}`);
      flipBit(`${file}-search`, table as string, column as string);
      const store = await openStore(`sqlite:${file}`, { prefix: 'SAMR' });
      const { words, counts, named, released } = await answers(store);
      // What says that it does not know all yet is not wrong.
      if (words.missing === 0) expect(words).toEqual(before.words);
      if (counts.missing === 0) expect(counts).toEqual(before.counts);
      if (released.missing === 0)
        expect({ named, released }).toEqual({ named: before.named, released: before.released });
      await indexed(store);
      expect(await answers(store)).toEqual(before);
      expect((await store.indexState()).setAside).toHaveLength(1);
      await store.close();
    },
  );
});

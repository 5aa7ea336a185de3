/** What a small write and the step that takes it into the index read in PostgreSQL does not grow with what is stored. */
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import type { Store } from '../../src/store/store.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { batchOf, claimNext, createSample, draft, named, rewriteSample } from '../many-machines/store-samples.js';
import { without } from '../support/services.js';

const SAMPLES = 5_000;
const NOW = 1_700_000_000_000;
/** Rows that may be read of all tables: a write looks at some rows of each of a dozen, however many there are. */
const READ = 500;

afterAll(() => dropSchemas());

describe.skipIf(without('postgres'))('in PostgreSQL', { tags: 'engines' }, () => {
  const url = process.env.TEST_POSTGRES_URL && freshSchemaUrl();

  /** What a process of its own does; what it has read is counted when PostgreSQL has ended its connections. */
  async function apart<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const sessions: number[] = [];
    const openPool = (settings: pg.PoolConfig): pg.Pool => {
      const pool = new pg.Pool(settings);
      pool.on('connect', (client) => sessions.push((client as unknown as { processID: number }).processID));
      return pool;
    };
    const store = await openPostgresStore(url as string, { prefix: 'SAMR', openPool });
    try {
      return await work(store);
    } finally {
      await store.close();
      expect(sessions).not.toEqual([]);
      const left = `select pid from pg_stat_activity where pid in (${sessions.join(', ')})`;
      await expect.poll(() => asked(left)).toEqual([]);
    }
  }

  const asked = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> => {
    const client = new pg.Client(process.env.TEST_POSTGRES_URL);
    await client.connect();
    await client.query(`set search_path = ${new URL(url as string).searchParams.get('schema')}`);
    const { rows } = await client.query<Row>(sql);
    await client.end();
    return rows;
  };

  /** Rows of each large table that were read so far, in its own order or by one of its indexes. */
  const read = async (): Promise<Record<string, number>> => {
    const rows = await asked<{ relname: string; n: number }>(
      `select t.relname, (t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0))::int as n
       from pg_stat_user_tables t left join pg_stat_user_indexes i using (relid)
       where t.schemaname = current_schema() and t.relname in ('sample', 'entry', 'facet_block', 'sample_version')
       group by t.relid, t.relname, t.seq_tup_read`,
    );
    return Object.fromEntries(rows.map(({ relname, n }) => [relname, n]));
  };

  it('reads some rows, not all samples', async () => {
    const ids = await apart(async (store) => {
      await store.accept(draft('ada'), { sameBytes: false });
      const claim = await claimNext(store);
      for (let from = 0; from < SAMPLES; from += 500) {
        const rows = named(from, 500).map((row) => ({ ...row, release: NOW - 1000 }));
        await store.applyBatch(claim, batchOf(2 + from, rows), { leaseMs: 60_000, last: from + 500 === SAMPLES });
      }
      while ((await store.indexNext(500)).more);
      return [await createSample(store, 'ada', NOW - 1000), await createSample(store, 'ada', NOW - 1000)];
    });
    await asked('analyze');
    const before = await read();
    await apart(async (store) => {
      await createSample(store, 'ada', NOW - 1000, 'liver');
      await rewriteSample(store, ids[0] as number, NOW - 500);
      // Few of many, as of a store of a million, for which the plans of statements are others.
      while ((await store.indexNext(20)).more);
      expect((await store.indexState()).lag).toBe(0);
      expect((await store.findSamples({ terms: [], now: NOW, size: 10 }, {})).ids).toHaveLength(10);
    });
    const after = await read();
    expect(before.entry).toBeGreaterThan(0);
    for (const [table, rows] of Object.entries(after)) {
      expect(rows - (before[table] ?? 0), `rows of ${table} that were read`).toBeLessThan(READ);
    }
  });

  it('leaves no terms beside the index, where each search looks through them, once all samples are in it', async () => {
    const merged = (): Promise<{ pages: number }[]> =>
      asked(`select gin_clean_pending_list('entry_terms')::int as pages`);
    await apart(async (store) => {
      await store.accept(draft('bob'), { sameBytes: false });
      await store.applyBatch(await claimNext(store), batchOf(2, named(0, 500)), { leaseMs: 60_000, last: true });
      while ((await store.indexNext(200)).more);
    });
    expect(await merged()).toEqual([{ pages: 0 }]);
  });
});

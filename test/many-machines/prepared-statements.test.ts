/** Statements that PostgreSQL prepares once for a connection: what they are spared, and what changes under them. */
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import { forgetOldPlans, preparedOnce, statementName } from '../../src/store/postgres/prepared-statements.js';
import type { Store } from '../../src/store/store.js';
import { service, without } from '../support/services.js';
import { dropSchemas, freshSchemaUrl } from './postgres-schema.js';
import { createSample } from './store-samples.js';

afterAll(() => dropSchemas());

describe.skipIf(without('postgres'))('statements that are prepared once', () => {
  /** A store that has one connection for what it reads, and a way to ask the same session what it has. */
  async function withStore(work: (store: Store, ask: pg.Pool, id: number) => Promise<void>): Promise<void> {
    const pools: pg.Pool[] = [];
    const openPool = (settings: pg.PoolConfig): pg.Pool => {
      const pool = new pg.Pool(settings);
      pools.push(pool);
      return pool;
    };
    const url = new URL(freshSchemaUrl());
    url.searchParams.set('pool', '1');
    const store = await openPostgresStore(url.href, { prefix: 'SAMR', openPool });
    try {
      await work(store, pools[0] as pg.Pool, await createSample(store, 'ada', 0, 'liver'));
    } finally {
      await store.close();
    }
  }

  it('are parsed by a connection once, however often they are asked', async () => {
    await withStore(async (store, session, id) => {
      await store.readSample(id);
      const prepared = async (): Promise<number> =>
        (await session.query('select count(*)::int as n from pg_prepared_statements')).rows[0].n;
      const before = await prepared();
      expect(before).toBeGreaterThan(0);
      for (let times = 0; times < 20; times++) await store.readSample(id);
      expect(await prepared()).toBe(before);
      const planned =
        'select sum(custom_plans)::int as each_time, sum(generic_plans)::int as kept from pg_prepared_statements';
      const { each_time, kept } = (await session.query(planned)).rows[0];
      expect(kept).toBeGreaterThan(each_time);
    });
  });

  it('go on when a newer program gives their tables another column', async () => {
    await withStore(async (store, session, id) => {
      for (let times = 0; times < 10; times++) await store.readSample(id);
      const { pid } = (await session.query('select pg_backend_pid() as pid')).rows[0];
      await session.query('alter table structured_data add column newer int');
      const table = {
        account: 'ada',
        domain: undefined,
        type: 'AMR',
        schema: undefined,
        content: [],
        created: 1,
        updated: 1,
      };
      await store.putStructuredData(id, 'ada', [table as never], 1);
      expect((await store.readSample(id))?.structuredData).toMatchObject([{ type: 'AMR' }]);
      expect((await session.query('select pg_backend_pid() as pid')).rows[0].pid).not.toBe(pid);
    });
  });

  it('are planned for the table as it is, not as empty as it was when it was made', async () => {
    const client = new pg.Client(service('postgres'));
    await client.connect();
    try {
      await client.query('create temporary table growing (id int primary key, text text)');
      await client.query(`insert into growing select -n, 'x' from generate_series(1, 5) n`);
      await client.query('vacuum analyze growing');
      const text = preparedOnce('select text from growing where id = $1');
      const name = statementName(client, text) as string;
      const after = performance.now();
      for (let times = 0; times < 10; times++) await client.query({ name, text, values: [times] });
      await client.query(`insert into growing select n, repeat('x', 100) from generate_series(1, 50000) n`);
      await forgetOldPlans(client, after + 1_100);
      const plan = (await client.query(`explain (costs off) execute ${name} (7)`)).rows;
      expect(plan[0]['QUERY PLAN']).toMatch(/^Index Scan/);
      expect((await client.query({ name, text, values: [7] })).rows).toHaveLength(1);
    } finally {
      await client.end();
    }
  });

  /** What is sent is looked at, not plans: a server forgets them by itself when many tables are made or dropped beside it. */
  it('keep their plans for a second', async () => {
    const client = new pg.Client(service('postgres'));
    await client.connect();
    try {
      const sent: string[] = [];
      const send = client.query.bind(client) as (text: string) => Promise<pg.QueryResult>;
      client.query = ((text: string) => {
        sent.push(text);
        return send(text);
      }) as typeof client.query;
      await forgetOldPlans(client);
      const before = performance.now();
      statementName(client, preparedOnce('select 1 as one where $1::int > 0'));
      const after = performance.now();
      await forgetOldPlans(client, before + 900);
      expect(sent).toEqual([]);
      await forgetOldPlans(client, after + 1_100);
      expect(sent).toEqual(['discard plans']);
    } finally {
      await client.end();
    }
  });
});

/** Who asks for many pages of samples at once has some of the connections to PostgreSQL and not all of them: what others ask is answered meanwhile. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropSchemas, freshSchemaUrl } from '../../many-machines/postgres-schema.js';
import { without } from '../../support/services.js';
import { type Service, startService } from '../service.js';

const PAGES = 20;

describe.skipIf(without('postgres'))('pages of samples that wait in the database', () => {
  let service: Service;
  let other: pg.Client;
  let schema: string;
  let wide: string;
  let small: string;
  beforeAll(async () => {
    // With five connections.
    const url = freshSchemaUrl();
    service = await startService({ env: { STORE_URL: url } });
    const address = new URL(url);
    schema = address.searchParams.get('schema') as string;
    address.search = '';
    other = new pg.Client(address.href);
    await other.connect();
    [wide, small] = [await service.token('lab-wide'), await service.token('lab-small')];
    const sample = { name: 'liver 1', release: '2020-01-01', characteristics: {} };
    expect((await service.send('POST', '/samples', sample, { token: wide })).status).toBe(201);
    const data = [{ webinSubmissionAccountId: 'lab-wide', type: 'AMR', content: [{ gene: { value: 'mecA' } }] }];
    expect((await service.send('PUT', '/structureddata/SAMR1', { data }, { token: wide })).status).toBe(200);
  });
  afterAll(async () => {
    await other.end();
    await service.stop();
    await dropSchemas();
  });

  /** Transactions that wait for what only a reader of whole samples needs. */
  const waiting = async (): Promise<number> => {
    const { rows } = await other.query<{ waiting: number }>(
      'select count(*)::int as waiting from pg_locks where not granted and relation = $1::regclass',
      [`${schema}.structured_data`],
    );
    return rows[0]?.waiting ?? 0;
  };

  it.each([
    ['a list', 2, `/samples?size=200`],
    ['a page of changes with records', 2, '/changes?size=200&records=true'],
    ['a sheet', 2, '/samples/template?accession=SAMR1'],
    ['a single sample', 3, '/samples/SAMR1'],
    ['its tables', 3, '/structureddata/SAMR1'],
  ])('keep nobody else waiting: %s', async (_, places, path) => {
    await other.query(`begin; lock table ${schema}.structured_data in access exclusive mode`);
    const pages = Array.from({ length: PAGES }, () => service.call(path, { token: wide }));
    await expect.poll(waiting).toBeGreaterThanOrEqual(places);
    try {
      for (let asked = 0; asked < 10; asked++) {
        const answer = await service.call('/submissions', { token: small });
        expect(answer.status, answer.text).toBe(200);
      }
      expect(await waiting()).toBe(places);
    } finally {
      await other.query('commit');
    }
    for (const page of await Promise.all(pages)) expect(page.status, page.text).toBe(200);
  });
});

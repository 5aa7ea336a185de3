/** Who asks for many samples at once, or changes many, has some of the connections to PostgreSQL and not all of them: what others ask is answered meanwhile. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropSchemas, freshSchemaUrl } from '../../many-machines/postgres-schema.js';
import { without } from '../../support/services.js';
import { type Service, startService } from '../service.js';

/** More than there are connections. */
const PAGES = 8;
/** Of somebody else. */
const ASKED = 2;

const TABLE = { webinSubmissionAccountId: 'lab-wide', type: 'AMR', content: [{ gene: { value: 'mecA' } }] };
const TABLES = { data: [TABLE] };
/** The same again would be no change. */
const OTHER_TABLES = { data: [{ ...TABLE, content: [{ gene: { value: 'mecC' } }] }] };

describe.skipIf(without('postgres'))('samples that wait in the database', () => {
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
    expect((await service.send('PUT', '/samples/by-key/lims/1', sample, { token: wide })).status).toBe(201);
    expect((await service.send('PUT', '/structureddata/SAMR1', TABLES, { token: wide })).status).toBe(200);
  });
  afterAll(async () => {
    await other.end();
    await service.stop();
    await dropSchemas();
  });

  /** Transactions that wait for the table, or for one that does. */
  const waiting = async (): Promise<number> => {
    const { rows } = await other.query<{ waiting: number }>(
      `select count(distinct pid)::int as waiting from pg_locks waiting join pg_locks known using (pid)
         join pg_class on pg_class.oid = known.relation
        where not waiting.granted and relnamespace = $1::regnamespace`,
      [schema],
    );
    return rows[0]?.waiting ?? 0;
  };

  /** While nobody gets at what is locked, `PAGES` clients `ask`, and somebody else asks for something else. */
  async function besideAll<Asked extends { status: number }>(
    locked: string,
    places: number,
    ask: () => Promise<Asked>,
  ): Promise<Asked[]> {
    await other.query(`begin; set local search_path = ${schema}; lock table ${locked} mode`);
    let isLocked = true;
    // What waits for a lock is ended after ten seconds, and comes again: a slow machine takes longer.
    const askOn = async (): Promise<Asked> => {
      const began = isLocked;
      const answer = await ask();
      return began && answer.status === 503 ? askOn() : answer;
    };
    const asked = Array.from({ length: PAGES }, askOn);
    try {
      await expect.poll(waiting).toBeGreaterThanOrEqual(places);
      for (let times = 0; times < ASKED; times++) {
        const answer = await service.call('/submissions', { token: small });
        expect(answer.status, answer.text).toBe(200);
      }
    } finally {
      await other.query('commit');
      isLocked = false;
    }
    return Promise.all(asked);
  }

  it.each<[string, number, string, string?]>([
    ['a list', 2, `/samples?size=200`],
    ['a page of changes with records', 2, '/changes?size=200&records=true'],
    ['a page of changes', 3, '/changes?size=200', 'sample'],
    ['a sheet', 2, '/samples/template?accession=SAMR1'],
    ['a single sample', 3, '/samples/SAMR1'],
    ['its tables', 3, '/structureddata/SAMR1'],
    ['a version of one', 3, '/samples/SAMR1/history/1', 'sample'],
    ['one by its key', 3, '/samples/by-key/lims/1', 'sample_key'],
    ['those of a list of accessions', 3, '/v2/samples/bulk-fetch?accessions=SAMR1'],
    ['its curations', 3, '/samples/SAMR1/curationlinks', 'sample'],
  ])('are not read by one alone: %s', async (_, places, path, table = 'structured_data') => {
    for (const page of await besideAll(`${table} in access exclusive`, places, () =>
      service.call(path, { token: wide }),
    ))
      expect(page.status, page.text).toBe(200);
  });

  const SAMPLE = { name: 'liver 2', release: '2020-01-01', characteristics: {} };
  const CURATION = { attributesPre: [], attributesPost: [{ type: 'sex', value: 'f' }], externalReferencesPre: [] };
  const LINK = { sample: 'SAMR1', curation: { ...CURATION, externalReferencesPost: [] } };
  /** What reads them for others goes on. */
  const WRITTEN = 'sample, sample_key, structured_data, curation_link in share';
  it.each<[string, 'POST' | 'PUT' | 'DELETE', string, unknown?]>([
    ['a new one', 'POST', '/samples', SAMPLE],
    ['an accession', 'POST', '/samples/accession', { name: 'liver 3' }],
    ['several', 'POST', '/v2/samples', [SAMPLE]],
    ['a key', 'PUT', '/samples/by-key/lims/2', SAMPLE],
    ['a key that goes', 'DELETE', '/samples/by-key/lims/2'],
    ['an update', 'PUT', '/samples/SAMR1', { ...SAMPLE, accession: 'SAMR1' }],
    ['a withdrawal', 'PUT', '/samples/SAMR1/withdrawal'],
    ['its end', 'DELETE', '/samples/SAMR1/withdrawal'],
    ['a curation', 'POST', '/samples/SAMR1/curationlinks', LINK],
    ['tables', 'PUT', '/structureddata/SAMR1', OTHER_TABLES],
    ['tables that go', 'DELETE', '/structureddata/SAMR1'],
  ])('are not written by one alone: %s', async (_, method, path, body) => {
    const headers = { authorization: `Bearer ${wide}`, 'content-type': 'application/json' };
    const send = () => fetch(service.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const answers = await besideAll(WRITTEN, 3, send);
    for (const { status } of answers) expect(status).toBeLessThan(500);
  });
});

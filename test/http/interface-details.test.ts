/** Details of the JSON interface that clients stumble over, one test each. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChecklists } from '../../src/checklists/open.js';
import { emptyLayout } from '../../src/registry/samples/packed-sample.js';
import { type Service, startService } from './service.js';

interface Problem {
  code: string;
  detail: string;
  errors?: { dataPath: string; errors: string[] }[];
}
interface Sample {
  accession: string;
  characteristics: Record<string, { text?: string }[]>;
  [member: string]: unknown;
}

let service: Service;
let strict: Service;
let owner: string;
beforeAll(async () => {
  service = await startService({ env: { ACCOUNT_FIELD_ALIAS: 'webinSubmissionAccountId' } });
  strict = await startService({ env: { DEFAULT_CHECKLIST: 'minimal' } });
  owner = await service.token('lab-1');
});
afterAll(async () => {
  await service.stop();
  await strict.stop();
});

const BODY = { name: 's', release: '2020-01-01', characteristics: { sex: [{ text: 'F' }] } };
const post = (body: object, path = '/samples', on = service) =>
  on.send('POST', path, body, on === service ? { token: owner } : {});
const pathsOf = (answer: { json: <T>() => T }): string[] =>
  (answer.json<Problem>().errors ?? []).map(({ dataPath }) => dataPath);
async function registered(body: object = BODY): Promise<Sample> {
  const answer = await post(body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json<Sample>();
}
const curate = (accession: string, curation: object) => post({ curation }, `/samples/${accession}/curationlinks`);

describe('DEFAULT_CHECKLIST', () => {
  it('holds for samples and not for placeholders, which may come back as they were read', async () => {
    expect((await post({ name: 's', release: '2020-01-01' }, '/samples', strict)).status).toBe(422);
    const made = await post({ name: 'p', update: '2020-01-01' }, '/samples/accession', strict);
    expect([made.status, made.json<Sample>().submitted]).toEqual([201, made.json<Sample>().create]);
    const placeholder = made.json<Sample>();
    const path = `/samples/${placeholder.accession}`;
    expect((await strict.send('PUT', path, placeholder)).headers.get('etag')).toBe(made.headers.get('etag'));
    expect((await post(placeholder, '/validate', strict)).status).toBe(200);
    expect((await strict.send('PUT', path, { ...placeholder, release: '2020-01-01' })).status).toBe(422);
  });
});

describe('what is wrong with a body', () => {
  it('is reported all at once: its form, related samples and the checklist', async () => {
    const body = {
      name: 's',
      release: '21/11/2024',
      characteristics: { note: [{ text: true }] },
      relationships: [{ type: 'derived from', target: 'SAMR999999' }],
    };
    for (const path of ['/validate', '/samples']) {
      const answer = await post(body, path, strict);
      expect(answer.status).toBe(422);
      expect(pathsOf(answer)).toEqual(
        expect.arrayContaining(['/release', '/characteristics/note/0/text', '/relationships/0/target']),
      );
      expect(pathsOf(answer).some((place) => /organism/.test(place) || place === '/characteristics')).toBe(true);
      expect(new Set(pathsOf(answer)).size).toBe(pathsOf(answer).length);
      expect(answer.json<Problem>().detail).not.toMatch(/\.\.|\.;/);
    }
  });

  it('ends its detail in one full stop', async () => {
    const answer = await post({ name: 's', release: '2020-01-01' }, '/samples', strict);
    expect(answer.json<Problem>().detail).toMatch(/[^.]\.$/);
  });

  it.each(['Checklist', 'CHECKLIST', 'checklist'])('is checked by the checklist under %s', async (name) => {
    const answer = await post({ ...BODY, characteristics: { [name]: [{ text: 'no such' }] } }, '/validate');
    expect([answer.status, answer.json<Problem>().code]).toEqual([422, 'checklist.unknown']);
    const sheet = {
      layout: { ...emptyLayout(), cells: 1, characteristics: [{ name, text: 0 }] },
      cells: [{ column: `Characteristics[${name}]`, columnLetter: 'B' }],
      name: { column: 'Sample Name', columnLetter: 'A' },
    };
    expect(openChecklists().rowCheck(sheet, {})?.(2, 'n', 0, 'no such')).toMatchObject([
      { line: 2, column: `Characteristics[${name}]`, code: 'checklist.unknown' },
    ]);
  });

  it('is a release for a placeholder, which has none', async () => {
    for (const release of ['2020-01-01', '2999-01-01', 'soon']) {
      const answer = await post({ name: 'p', release }, '/samples/accession');
      expect([answer.status, pathsOf(answer)]).toEqual([422, ['/release']]);
    }
    expect((await post({ name: 'p', release: null }, '/samples/accession')).status).toBe(201);
  });

  it.each(['9999-12-31T23:59:59-23:00', '0000-01-01T00:00:00+23:00'])(
    'is the year that %s leads to',
    async (release) => {
      const answer = await post({ ...BODY, release });
      expect([answer.status, pathsOf(answer)]).toEqual([422, ['/release']]);
    },
  );

  it('is a number that loses digits; others are taken as their text', async () => {
    const { accession, characteristics } = await registered({
      ...BODY,
      characteristics: { age: [{ text: 42 }], ph: [{ text: 7.5 }], zero: [{ text: 0 }] },
    });
    expect(characteristics).toEqual({ age: [{ text: '42' }], ph: [{ text: '7.5' }], zero: [{ text: '0' }] });
    const data = [{ type: 'AMR', content: [{ measurement: { value: 16, iri: null } }] }];
    const tables = await service.send('PUT', `/structureddata/${accession}`, { data }, { token: owner });
    expect([tables.status, tables.text]).toEqual([200, expect.stringContaining('{"value":"16","iri":null}')]);
    const large = await post({ ...BODY, characteristics: { n: [{ text: Number('12345678901234567890') }] } });
    expect([large.status, pathsOf(large)]).toEqual([422, ['/characteristics/n/0/text']]);
  });
});

describe('reading', () => {
  it('refuses an empty version', async () => {
    const { accession } = await registered();
    expect((await service.get(`/samples/${accession}?version=`, { token: owner })).status).toBe(400);
    expect((await service.get(`/samples/${accession}?version=1`, { token: owner })).status).toBe(200);
  });

  it('takes a percent-encoded accession', async () => {
    const { accession } = await registered();
    const encoded = accession.replace('S', '%53').replace('M', '%4d');
    expect((await service.get(`/samples/${encoded}`, { token: null })).json<Sample>().accession).toBe(accession);
    expect((await service.get('/samples/%', { token: null })).status).toBeGreaterThanOrEqual(400);
  });

  it('carries a request id, the client’s own where there is one', async () => {
    const { accession } = await registered();
    expect((await service.get(`/samples/${accession}`)).headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    const own = await service.call(`/samples/${accession}`, { headers: { 'x-request-id': 'mine-1' } });
    expect(own.headers.get('x-request-id')).toBe('mine-1');
    expect((await service.get('/samples/SAMR999999')).headers.get('x-request-id')).toBeTruthy();
  });

  it('gives the alias of the account in structured data too, and takes it back', async () => {
    const { accession } = await registered();
    const path = `/structureddata/${accession}`;
    const data = [{ type: 'T', webinSubmissionAccountId: 'lab-1', content: [] }];
    expect((await service.send('PUT', path, { data }, { token: owner })).text).toContain(
      '"webinSubmissionAccountId":"lab-1"',
    );
    const sample = (await service.get(`/samples/${accession}`, { token: owner })).json<Sample>();
    expect(sample.data).toMatchObject([{ webinSubmissionAccountId: 'lab-1' }]);
    expect((await service.send('PUT', `/samples/${accession}`, sample, { token: owner })).status).toBe(200);
  });

  it('begins a walk at the cursor *', async () => {
    await registered();
    const first = await service.get('/samples?cursor=*&size=1');
    expect(first.status).toBe(200);
    expect((await service.get('/samples?cursor=*&page=1')).status).toBe(400);
  });

  it('shows no empty entry for a curation without a value', async () => {
    const { accession } = await registered();
    await curate(accession, {
      attributesPre: [{ type: 'sex', value: 'F' }],
      attributesPost: [{ type: 'sex', value: '' }, { type: 'new' }],
    });
    expect((await service.get(`/samples/${accession}`)).json<Sample>().characteristics).toEqual({});
  });
});

describe('curations', () => {
  it('are listed and shown to those who may read a sample that has them', async () => {
    const open = await registered();
    const closed = await registered({ ...BODY, release: '2999-01-01' });
    const curation = (value: string) => ({ attributesPost: [{ type: 'listed', value }] });
    const hashOf = async (accession: string, value: string): Promise<string> =>
      (await curate(accession, curation(value))).json<{ curation: { hash: string } }>().curation.hash;
    const shown = await hashOf(open.accession, 'open');
    const secret = await hashOf(closed.accession, 'closed');
    const stranger = await service.token('stranger');
    const all = async (token: string | null): Promise<string[]> => {
      const hashes: string[] = [];
      for (let path = '/curations?size=1', pages = 0; pages < 50; pages++) {
        const page = (await service.get(path, { token })).json<{
          _embedded?: { curations: { hash: string }[] };
          _links: { next?: { href: string } };
        }>();
        hashes.push(...(page._embedded?.curations ?? []).map(({ hash }) => hash));
        if (!page._links.next) break;
        path = page._links.next.href.slice(service.url.length);
      }
      return hashes;
    };
    for (const token of [null, stranger]) {
      expect(await all(token)).toContain(shown);
      expect(await all(token)).not.toContain(secret);
      expect((await service.get(`/curations/${shown}`, { token })).status).toBe(200);
      expect((await service.get(`/curations/${secret}`, { token })).status).toBe(404);
    }
    expect(await all(owner)).toEqual(expect.arrayContaining([shown, secret]));
    expect((await service.get(`/curations/${secret}`, { token: owner })).status).toBe(200);
    expect((await service.get('/curations?cursor=x')).status).toBe(400);
  });
});

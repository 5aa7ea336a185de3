/** Exchanges about samples, request as a client writes it, response member by member. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './service.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const ACCESSION = expect.stringMatching(/^SAMR[1-9]\d*$/);

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab-1');
});
afterAll(() => service.stop());

const send = (method: string, path: string, body: unknown) => service.send(method, path, body, { token });

async function registered(body: Record<string, unknown> = {}): Promise<string> {
  const answer = await send('POST', '/samples', { name: 'fake_sample', release: '2020-01-01T00:00:00.000Z', ...body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ accession: string }>().accession;
}

const linksOf = (accession: string) => ({
  self: { href: `${service.url}/samples/${accession}` },
  applyCurations: { href: `${service.url}/samples/${accession}{?applyCurations}`, templated: true },
  curationLinks: { href: `${service.url}/samples/${accession}/curationlinks` },
  curationLink: { href: `${service.url}/samples/${accession}/curationlinks/{hash}`, templated: true },
  structuredData: { href: `${service.url}/structureddata/${accession}` },
});

describe('4.1 submit a sample', () => {
  it('answers 201 with the sample, its accession, and links that speak as the collection', async () => {
    const answer = await send('POST', '/samples', {
      name: 'FakeSample',
      release: '2018-11-22T00:00:00Z',
      submissionAccountId: 'lab-1',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${service.url}/samples`);
    expect(answer.headers.get('content-type')).toBe('application/hal+json');
    const body = answer.json();
    const { accession } = body as { accession: string };
    expect(body).toEqual({
      name: 'FakeSample',
      accession: ACCESSION,
      submissionAccountId: 'lab-1',
      status: 'PUBLIC',
      release: '2018-11-22T00:00:00.000Z',
      update: TIME,
      submitted: TIME,
      characteristics: {},
      submittedVia: 'JSON_API',
      create: TIME,
      _links: {
        ...linksOf(accession),
        self: { href: `${service.url}/samples` },
        applyCurations: { href: `${service.url}/samples{?applyCurations}`, templated: true },
      },
    });
  });

  it('keeps the order of members', async () => {
    const accession = await registered({
      domain: 'self.lab',
      taxId: '9606',
      characteristics: { organism: [{ text: 'Homo sapiens' }] },
      relationships: [{ type: 'derived from', target: 'SAMEA1' }],
      externalReferences: [{ url: 'https://example.org/1' }],
      contact: [{ Name: 'A' }],
      organization: [{ Name: 'B' }],
      publications: [{ doi: '10.1/1' }],
    });
    const { text } = await service.get(`/samples/${accession}`, { token: null });
    expect(Object.keys(JSON.parse(text))).toEqual([
      ...['name', 'accession', 'domain', 'submissionAccountId', 'taxId', 'status', 'release', 'update', 'submitted'],
      ...['characteristics', 'relationships', 'externalReferences', 'submittedVia', 'create'],
      ...['contact', 'organization', 'publications', '_links'],
    ]);
  });
});

describe('4.4 accession a sample', () => {
  it('answers 201 with a private placeholder that is released in the future', async () => {
    const answer = await send('POST', '/samples/accession', {
      name: 'fake_sample',
      update: '2019-07-16T09:55:01.173Z',
    });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/json');
    const body = answer.json<{ accession: string; release: string }>();
    expect(answer.headers.get('location')).toBe(`${service.url}/samples/${body.accession}`);
    expect(body).toEqual({
      name: 'fake_sample',
      accession: ACCESSION,
      submissionAccountId: 'lab-1',
      status: 'PRIVATE',
      release: TIME,
      update: TIME,
      submitted: TIME,
      characteristics: {},
      submittedVia: 'JSON_API',
      create: TIME,
      _links: linksOf(body.accession),
    });
    expect(new Date(body.release).getFullYear()).toBeGreaterThanOrEqual(new Date().getFullYear() + 99);
  });
});

describe('4.6 submit a sample with external references', () => {
  it('echoes each reference with an empty duo', async () => {
    const answer = await send('POST', '/samples', {
      name: 'FakeSample',
      release: '2018-11-22T00:00:00Z',
      externalReferences: [{ url: 'https://www.ebi.ac.uk/ena/data/view/SAMEA1' }, { url: 'b', duo: ['DUO:0000005'] }],
    });
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({
      externalReferences: [
        { url: 'https://www.ebi.ac.uk/ena/data/view/SAMEA1', duo: [] },
        { url: 'b', duo: ['DUO:0000005'] },
      ],
    });
  });
});

describe('4.7 update a sample', () => {
  it('stores the body whole, relationships as sent, and answers it with links', async () => {
    const accession = await registered({ characteristics: { old: [{ text: 'gone' }] } });
    const relationships = [{ source: 'SAMFAKE123456', type: 'derived from', target: 'SAMFAKE654321' }];
    const answer = await send('PUT', `/samples/${accession}`, {
      name: 'FakeSample',
      accession,
      submissionAccountId: 'lab-1',
      status: 'PUBLIC',
      release: '2018-11-22T00:00:00Z',
      update: '2018-11-22T00:00:00Z',
      submitted: '2018-11-22T00:00:00Z',
      submittedVia: 'JSON_API',
      create: '2018-11-22T00:00:00Z',
      relationships,
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/hal+json');
    expect(answer.json()).toEqual({
      name: 'FakeSample',
      accession,
      submissionAccountId: 'lab-1',
      status: 'PUBLIC',
      release: '2018-11-22T00:00:00.000Z',
      update: TIME,
      submitted: TIME,
      characteristics: {},
      relationships,
      submittedVia: 'JSON_API',
      create: TIME,
      _links: linksOf(accession),
    });
  });

  it('refuses another accession in the body with 400 and an unknown one in the address with 404', async () => {
    const accession = await registered();
    const body = { name: 'x', release: '2020-01-01', accession };
    expect((await send('PUT', `/samples/${accession}`, { ...body, accession: 'SAMR999999' })).status).toBe(400);
    expect((await send('PUT', '/samples/SAMR999999', { ...body, accession: 'SAMR999999' })).status).toBe(404);
    expect((await send('POST', '/samples', body)).status).toBe(400);
  });
});

describe('4.8 retrieve a sample with change detection', () => {
  it('answers with a quoted tag, a public cache life and JSON as asked', async () => {
    const accession = await registered();
    const answer = await service.get(`/samples/${accession}`, { token: null, headers: { accept: 'application/json' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(answer.headers.get('cache-control')).toBe('max-age=60, public');
    expect(answer.headers.get('content-type')).toBe('application/json;charset=UTF-8');
    expect(answer.json()).toMatchObject({ accession, _links: linksOf(accession) });
  });

  it('answers 304 without body to the same tag and 200 to another', async () => {
    const accession = await registered();
    const etag = (await service.get(`/samples/${accession}`, { token: null })).headers.get('etag') as string;
    const same = await service.get(`/samples/${accession}`, { token: null, headers: { 'if-none-match': etag } });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
    const other = await service.get(`/samples/${accession}`, { token: null, headers: { 'if-none-match': '"other"' } });
    expect([other.status, other.headers.get('etag')]).toEqual([200, etag]);
  });
});

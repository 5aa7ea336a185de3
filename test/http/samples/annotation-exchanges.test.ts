/** Exchanges about structured data, curations and validation, request as a client writes it, response member by member. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../service.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const HASH = expect.stringMatching(/^[\da-f]{64}$/);

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

describe('4.2 submit structured data', () => {
  it('answers 200 with a body of the shape of the request', async () => {
    const accession = await registered();
    const cell = (value: string, iri: string | null = null) => ({ value, iri });
    const data = [
      {
        domain: null,
        submissionAccountId: 'lab-1',
        type: 'AMR',
        schema: null,
        content: [
          {
            resistancePhenotype: cell('intermediate'),
            astStandard: cell('CLSI'),
            laboratoryTypingMethod: cell('MIC'),
            laboratoryTypingMethodVersionOrReagent: cell('96-Well Plate'),
            vendor: cell('Trek'),
            measurementSign: cell('=='),
            antibioticName: cell('nalidixic acid', 'http://purl.obolibrary.org/obo/CHEBI_100147'),
            measurementUnits: cell('mg/L'),
            measurement: cell('17'),
            platform: cell(''),
          },
        ],
      },
    ];
    const body = { accession, create: '2020-05-22T14:24:24.514Z', update: '2020-05-22T14:24:24.514Z', data };
    const answer = await send('PUT', `/structureddata/${accession}`, body);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/hal+json');
    expect(answer.json()).toEqual({ accession, create: TIME, update: TIME, data });
    expect((await service.get(`/structureddata/${accession}`, { token: null })).json()).toEqual(answer.json());
  });
});

describe('If-Match of structured data', () => {
  const tables = (value: string) => ({ data: [{ type: 'T', content: [{ x: { value } }] }] });

  it('lets one of those that read the same replace it, or take it away', async () => {
    const accession = await registered();
    const at = `/structureddata/${accession}`;
    const put = (value: string, ifMatch: string) =>
      service.send('PUT', at, tables(value), { token, headers: { 'if-match': ifMatch } });
    // There is none yet.
    expect((await put('0', '*')).status).toBe(412);
    expect((await send('PUT', at, tables('0'))).status).toBe(200);
    const tag = (await service.get(at, { token })).headers.get('etag') as string;
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => put(`${n + 1}`, tag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    const won = answers.find(({ status }) => status === 200);
    const now = await service.get(at, { token });
    expect(now.text).toBe(won?.text);
    expect(answers.find(({ status }) => status === 412)?.json()).toMatchObject({ code: 'precondition.failed' });
    const takeAway = (ifMatch: string) =>
      service.call(at, { method: 'DELETE', token, headers: { 'if-match': ifMatch } });
    expect((await takeAway(tag)).status).toBe(412);
    expect((await takeAway(`W/${now.headers.get('etag')}`)).status).toBe(412);
    expect((await service.get(at, { token })).text).toBe(now.text);
    expect((await takeAway(now.headers.get('etag') as string)).status).toBe(204);
    expect((await takeAway('*')).status).toBe(412);
  });
});

describe('4.3 submit a curation object', () => {
  it('answers 201 with the link, without externalPre and externalPost', async () => {
    const accession = await registered({ characteristics: { Organism: [{ text: '9606' }] } });
    const lists = {
      attributesPre: [{ type: 'Organism', value: '9606', iri: [] }],
      attributesPost: [
        { type: 'Organism', value: 'Homo sapiens', iri: ['http://purl.obolibrary.org/obo/NCBITaxon_9606'] },
      ],
      externalReferencesPre: [],
      externalReferencesPost: [],
      relationshipsPre: [],
      relationshipsPost: [{ source: accession, type: 'DERIVED_FROM', target: 'SAMEA2' }],
    };
    const answer = await send('POST', `/samples/${accession}/curationlinks`, {
      sample: accession,
      curation: { ...lists, externalPre: [{ url: 'a' }], externalPost: [{ url: 'b' }] },
      domain: null,
      submissionAccountId: 'lab-1',
      created: '2019-01-01T00:00:00Z',
    });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/hal+json');
    const body = answer.json<{ hash: string; curation: { hash: string } }>();
    const address = `${service.url}/samples/${accession}/curationlinks/${body.hash}`;
    expect(answer.headers.get('location')).toBe(address);
    expect(body).toEqual({
      sample: accession,
      curation: { ...lists, hash: HASH },
      domain: null,
      submissionAccountId: 'lab-1',
      created: TIME,
      hash: HASH,
      _links: {
        self: { href: address },
        sample: { href: `${service.url}/samples/${accession}` },
        curation: { href: `${service.url}/curations/${body.curation.hash}` },
      },
    });
  });
});

describe('4.5 validate sample fields', () => {
  const sample = {
    name: 'fake_sample',
    update: '2019-07-16T09:47:20.003Z',
    release: '2019-07-16T09:47:20.003Z',
    domain: 'self.lab',
    characteristics: {
      organism: [{ text: 'Homo sapiens', ontologyTerms: ['http://purl.obolibrary.org/obo/NCBITaxon_9606'] }],
      checklist: [{ text: 'minimal' }],
    },
  };

  it.each(['/validate', '/samples/validate'])(
    'echoes the sample at %s, without links and accession, and stores nothing',
    async (path) => {
      const answer = await send('POST', path, sample);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/hal+json');
      expect(answer.json()).toEqual({
        name: 'fake_sample',
        domain: 'self.lab',
        taxId: 9606,
        status: 'PUBLIC',
        release: '2019-07-16T09:47:20.003Z',
        update: TIME,
        characteristics: sample.characteristics,
        submittedVia: 'JSON_API',
        create: TIME,
      });
    },
  );

  it('reports every problem at once, each at its pointer', async () => {
    const answer = await send('POST', '/validate', {
      release: '21/11/2024',
      characteristics: { 'a/b': [{ text: true }] },
      externalReferences: [{}],
    });
    expect(answer.status).toBe(422);
    const { errors, code } = answer.json<{ code: string; errors: { dataPath: string; errors: string[] }[] }>();
    expect(code).toBe('sample.invalid');
    expect(errors.map(({ dataPath }) => dataPath).sort()).toEqual([
      '/characteristics/a~1b/0/text',
      '/externalReferences/0/url',
      '/name',
      '/release',
    ]);
    expect(JSON.stringify(errors)).toContain('2024-11-21');
  });
});

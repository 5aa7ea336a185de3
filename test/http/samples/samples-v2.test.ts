/**
 * `/v2/samples` as its clients use it: the requests that biobroker (submit, validate, bulk, fetch, search) and the
 * reference system's Java client make, in their order and spelling, with samples of our own.
 */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../service.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService({ env: { ACCESSION_PREFIX: 'SAMEA', BASE_PATH: '/biosamples' } });
  token = await service.token('lab-1');
});
afterAll(() => service.stop());

interface Seen {
  status: number;
  text: string;
  json: () => never;
}

/** As python-requests sends it: a JSON body with every request, GET too. */
function requests(method: string, path: string, payload: unknown = {}): Promise<Seen> {
  const body = JSON.stringify(payload);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const url = path.startsWith('http') ? path : `${service.url}${path}`;
    const sent = httpRequest(url, { method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, json: () => JSON.parse(text) as never }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

let made = 0;
const newName = (): string => {
  made += 1;
  return `broker-${made}`;
};
/** A sample as biobroker spells one: flat values under characteristics, numbers as they were in the sheet, microseconds. */
const biosample = (more: object = {}) => ({
  name: newName(),
  release: '2024-03-05T10:11:12.345678Z',
  characteristics: {
    organism: [{ text: 'Homo sapiens', ontologyTerms: ['http://purl.obolibrary.org/obo/NCBITaxon_9606'] }],
    age: [{ text: 37, unit: 'year' }],
    height: [{ text: 1.75 }],
  },
  ...more,
});
type Sample = { name: string; accession: string; release: string; characteristics: Record<string, { text: string }[]> };

/** What biobroker takes for an error: a 400 that names members. Anything else below 300 is a list or a sample. */
const seesError = ({ status, text }: Seen): boolean => status === 400 && text.includes('dataPath');

describe('biobroker', () => {
  it('submits one sample, reads it, changes it', async () => {
    const submitted = await requests('POST', '/samples', biosample());
    const sample = submitted.json() as Sample;
    expect([submitted.status, sample.accession]).toEqual([201, expect.stringMatching(/^SAM[NED]\w?\d+$/)]);
    const read = await requests('GET', `/samples/${sample.accession}`);
    expect(read.json() as Sample).toMatchObject({
      name: sample.name,
      characteristics: { age: [{ text: '37', unit: 'year' }], height: [{ text: '1.75' }] },
    });
    const changed = await requests('PUT', `/samples/${sample.accession}`, {
      ...(read.json() as Sample),
      characteristics: { age: [{ text: 38 }] },
    });
    expect([changed.status, (changed.json() as Sample).characteristics.age]).toEqual([200, [{ text: '38' }]]);
  });

  it('submits a list, each with its accession, in order', async () => {
    const sent = Array.from({ length: 60 }, () => biosample());
    const answer = await requests('POST', '/v2/samples/bulk-submit', sent);
    expect(answer.status, answer.text).toBe(201);
    const samples = answer.json() as Sample[];
    expect(samples.map(({ name }) => name)).toEqual(sent.map(({ name }) => name));
    expect(new Set(samples.map(({ accession }) => accession)).size).toBe(60);
    expect(samples[0]).toMatchObject({ release: '2024-03-05T10:11:12.345Z', submittedVia: 'JSON_API' });
    const changed = samples.slice(0, 2).map((sample) => ({ ...sample, characteristics: { sex: [{ text: 'male' }] } }));
    const again = await requests('POST', '/v2/samples/bulk-submit', [...changed, biosample()]);
    expect((again.json() as Sample[]).slice(0, 2)).toMatchObject(
      changed.map(({ accession }) => ({ accession, characteristics: { sex: [{ text: 'male' }] } })),
    );
  });

  it('sees an error for a list with a bad sample, and nothing of the list is written', async () => {
    const before = (await requests('GET', '/samples?page=0&size=1')).json() as { page: { totalElements: number } };
    const bad = biosample({ release: 'soon', characteristics: { organism: [{ text: ['a', 'list'] }] } });
    const answer = await requests('POST', '/v2/samples/bulk-submit', [biosample(), bad, biosample()]);
    expect(seesError(answer), answer.text).toBe(true);
    expect((answer.json() as { errors: { dataPath: string }[] }).errors.map(({ dataPath }) => dataPath)).toEqual([
      '/1/release',
      '/1/characteristics/organism/0/text',
    ]);
    const after = (await requests('GET', '/samples?page=0&size=1')).json() as { page: { totalElements: number } };
    expect(after.page.totalElements).toBe(before.page.totalElements);
  });

  it('validates', async () => {
    expect((await requests('POST', '/v2/samples/validate', biosample())).status).toBe(200);
    const bad = { ...biosample(), name: '' };
    const answer = await requests('POST', '/v2/samples/validate', bad);
    expect(seesError(answer), answer.text).toBe(true);
    expect((await requests('POST', '/samples/validate', bad)).status).toBe(422);
  });

  it('searches page by page', async () => {
    const tissue = `liver ${made}`;
    const characteristics = { tissue: [{ text: tissue }] };
    const sent = await requests(
      'POST',
      '/v2/samples/bulk-submit',
      Array.from({ length: 45 }, () => biosample({ characteristics })),
    );
    expect(sent.status).toBe(201);
    let page = (await requests('GET', encodeURI(`/samples?text=&filter=attr:tissue:${tissue}&page=0`))).json() as {
      page: { totalElements: number; size: number };
      _embedded: { samples: Sample[] };
      _links: { next?: { href: string } };
    };
    expect(page.page).toMatchObject({ totalElements: 45, size: 20 });
    const found = [...page._embedded.samples];
    while (page._links.next) {
      page = (await requests('GET', page._links.next.href)).json();
      found.push(...page._embedded.samples);
    }
    expect(new Set(found.map(({ accession }) => accession))).toEqual(
      new Set((sent.json() as Sample[]).map(({ accession }) => accession)),
    );
  });
});

describe('the Java client', () => {
  const java = (path: string, body: unknown) =>
    service.send('POST', path, body, { token, headers: { accept: 'application/hal+json' } });

  it('posts a list to the collection, and gets a map of names for accessions', async () => {
    const list = [biosample(), biosample()];
    expect((await java('/v2/samples', list)).json<Sample[]>().map(({ name }) => name)).toEqual(
      list.map(({ name }) => name),
    );
    const to = [biosample(), biosample()];
    const map = (await java('/v2/samples/bulk-accession', to)).json<Record<string, string>>();
    expect(Object.keys(map)).toEqual(to.map(({ name }) => name));
    const placeholder = (await service.get(`/samples/${map[to[0]?.name as string]}`, { token })).json();
    expect(placeholder).toMatchObject({ status: 'PRIVATE' });
    const twice = await java('/v2/samples/bulk-accession', [to[0], to[0]]);
    expect([twice.status, twice.json<{ code: string }>().code]).toEqual([400, 'samples.invalid']);
    const given = await java('/v2/samples/bulk-accession', [biosample({ accession: 'SAMEA1' })]);
    expect(given.status).toBe(400);
  });

  it('fetches by accessions what it may read, and misses the rest in silence', async () => {
    const open = (await java('/v2/samples', [biosample()])).json<Sample[]>()[0]?.accession as string;
    const hidden = (await java('/v2/samples', [biosample({ release: '2999-01-01' })])).json<Sample[]>()[0]
      ?.accession as string;
    const path = `/v2/samples/bulk-fetch?accessions=${open},%20${hidden},SAMEA999999,nothing`;
    const keys = async (by: string | null) => Object.keys((await service.get(path, { token: by })).json());
    expect(await keys(token)).toEqual([open, hidden]);
    expect(await keys(null)).toEqual([open]);
    expect(await keys(await service.token('lab-2'))).toEqual([open]);
    const samples = (await service.get(path)).json<Record<string, Sample>>();
    expect(samples[hidden]).toMatchObject({ accession: hidden, _links: { self: expect.anything() } });
  });

  it('gets a receipt of those that are good and those that are not', async () => {
    const good = biosample();
    const bad = biosample({ release: 'never' });
    const answer = await java('/v2/samples/bulk-submit-get-receipt', [good, bad]);
    expect([answer.status, answer.json()]).toEqual([
      201,
      {
        samples: [expect.objectContaining({ name: good.name, accession: expect.any(String) })],
        errors: [{ sampleName: bad.name, errors: [expect.objectContaining({ dataPath: '/release' })] }],
      },
    ]);
  });
});

describe('bounds and refusals', () => {
  const post = (body: string, path = '/v2/samples/bulk-submit', by: string | null = token) =>
    service.call(path, { method: 'POST', token: by, headers: { 'content-type': 'application/json' }, body });

  it.each([
    ['more samples than a list may have', () => JSON.stringify(Array.from({ length: 501 }, () => biosample())), 413],
    ['a list of more bytes than it may have', () => JSON.stringify([biosample({ x: 'x'.repeat(9_000_000) })]), 413],
    ['a sample of more bytes than it may have', () => JSON.stringify([biosample({ x: 'x'.repeat(1_100_000) })]), 400],
    ['an object that is no list', () => JSON.stringify(biosample()), 400],
    ['an empty list', () => '[]', 400],
    ['a list that does not end', () => '[{"name":"a"}', 400],
    ['a list that a brace ends', () => '[{"name":"a"}}', 400],
    ['no JSON', () => '[nothing]', 400],
    ['a list of numbers', () => '[1]', 400],
  ])('refuses %s', async (_, body, status) => {
    const answer = await post(body());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
  });

  it.each([
    [
      'an object that another follows',
      () => `${JSON.stringify(biosample())},${JSON.stringify(biosample())}`,
      'The body cannot be taken. Something follows the object; send several in a list [ ].',
    ],
    ['an object and a comma', () => '{"name":"a"},', 'The body cannot be taken. Something follows the object;'],
    ['an object and a brace', () => '{"name":"a"}}', 'The body cannot be taken. It is not valid JSON:'],
    ['an object and a bracket', () => '{"name":"a"}]', 'The body is no JSON list of samples. Something follows'],
    ['no object', () => '{name}', 'The body cannot be taken. It is not valid JSON:'],
    ['nothing', () => ' ', 'The body cannot be taken. It holds no sample; send a list with one object for each.'],
    [
      'no JSON in a list',
      () => `[${JSON.stringify(biosample())},nothing]`,
      'Sample 1 of the list cannot be taken. It is',
    ],
    ['an open list', () => '[{"name":"a"}', 'The body is no JSON list of samples. The JSON array does not end:'],
    [
      'more than a list may have',
      () => JSON.stringify(Array.from({ length: 501 }, () => ({}))),
      'The list holds more than 500 samples; send them in several requests, or as a file to POST /submissions.',
    ],
  ])('says of %s what to do', async (_, body, words) => {
    expect((await post(body(), '/v2/samples/validate')).json<{ detail: string }>().detail).toContain(words);
  });

  it('holds each sample to the bytes that a body may have', async () => {
    const small = await startService({ env: { MAX_JSON_BYTES: '2000' } });
    const answer = await small.send('POST', '/v2/samples/validate', [biosample({ x: 'x'.repeat(3_000) })]);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('It is longer than 2000 bytes')]);
    await small.stop();
  });

  it('takes as many as a list may have, and one by itself', async () => {
    const most = JSON.stringify(Array.from({ length: 500 }, () => biosample()));
    expect((await post(most, '/v2/samples/validate')).status).toBe(200);
    expect((await post(JSON.stringify(biosample()), '/v2/samples/validate')).status).toBe(200);
  });

  it('changes samples of the caller only', async () => {
    const [sample] = (await post(JSON.stringify([biosample()]))).json<Sample[]>();
    const other = await service.token('lab-3');
    const answer = await post(JSON.stringify([{ ...sample, name: 'mine now' }]), undefined, other);
    expect([answer.status, answer.json<{ errors: object[] }>().errors]).toEqual([
      400,
      [expect.objectContaining({ dataPath: '/0/accession' })],
    ]);
    expect((await service.get(`/samples/${sample?.accession}`)).json()).toMatchObject({ name: sample?.name });
  });
});

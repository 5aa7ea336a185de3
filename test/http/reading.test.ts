/** What is read can be sent back, and entity tags change exactly when the visible content does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-caller.js';
import { type Service, startService } from './service.js';

interface Sample {
  accession: string;
  update: string;
  characteristics: Record<string, { text: string }[]>;
  [member: string]: unknown;
}

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab-1');
});
afterAll(() => service.stop());

const FULL = {
  name: 'liver 1',
  release: '2020-01-01',
  taxId: '9606',
  domain: 'self.lab',
  characteristics: {
    organism: [{ text: 'Homo sapiens', ontologyTerms: ['http://purl.obolibrary.org/obo/NCBITaxon_9606'] }],
    age: [{ text: '42', unit: 'year', unitOntologyTerms: ['UO:0000036'] }],
    __proto__x: [{ text: 'a' }, { text: 'b' }],
  },
  relationships: [{ type: 'derived from', target: 'SAMEA1' }],
  externalReferences: [{ url: 'https://example.org/1', duo: ['DUO:1'] }],
  contact: [{ Name: 'A. Lab' }],
};

const etagOf = (answer: Answer): string => answer.headers.get('etag') ?? '';

async function registered(body: object = FULL): Promise<string> {
  return (await service.send('POST', '/samples', body, { token })).json<Sample>().accession;
}
const read = (accession: string, query = '') => service.get(`/samples/${accession}${query}`, { token });
const put = (accession: string, body: unknown, headers: Record<string, string> = {}) =>
  service.send('PUT', `/samples/${accession}`, body, { token, headers });

describe('what GET answers can be PUT back', () => {
  it('changes only the attribute that was added, links and all sent along', async () => {
    const accession = await registered();
    const before = (await read(accession)).json<Sample>();
    const body = { ...before, characteristics: { ...before.characteristics, tissue: [{ text: 'liver' }] } };
    const answer = await put(accession, body);
    expect(answer.status, answer.text).toBe(200);
    const after = (await read(accession)).json<Sample>();
    expect(after).toEqual({ ...body, update: after.update });
    expect(after.update > before.update).toBe(true);
  });

  it('changes nothing when the content is the same: same tag, no new version', async () => {
    const accession = await registered();
    const before = await read(accession);
    const answer = await put(accession, before.json());
    expect([answer.status, etagOf(answer)]).toEqual([200, etagOf(before)]);
    const history = await service.get(`/samples/${accession}/history`, { token });
    expect(history.json<{ _embedded: { versions: unknown[] } }>()._embedded.versions).toHaveLength(1);
  });

  it('drops what is not sent', async () => {
    const accession = await registered();
    const answer = await put(accession, { accession, name: 'liver 1', release: '2020-01-01' });
    expect(answer.json<Sample>().characteristics).toEqual({});
    expect(answer.json()).not.toHaveProperty('relationships');
  });

  it('keeps names that are traps elsewhere', async () => {
    const characteristics = JSON.parse(
      '{"__proto__":[{"text":"1"}],"constructor":[{"text":"2"}],"toString":[{"text":"3"}]}',
    );
    const body = `{"name":"x","release":"2020-01-01","characteristics":${JSON.stringify(characteristics)}}`;
    const headers = { 'content-type': 'application/json' };
    const made = await service.call('/samples', { method: 'POST', token, headers, body });
    expect(made.status).toBe(201);
    const { text } = await read(made.json<Sample>().accession);
    expect(text).toContain(
      '"characteristics":{"__proto__":[{"text":"1"}],"constructor":[{"text":"2"}],"toString":[{"text":"3"}]}',
    );
  });
});

describe('the history', () => {
  it('lists every version with who and what wrote it, and shows each', async () => {
    const accession = await registered();
    await put(accession, { accession, name: 'renamed', release: '2020-01-01' });
    const { _embedded } = (await service.get(`/samples/${accession}/history`, { token })).json<{
      _embedded: { versions: { version: number; submittedVia: string; submissionAccountId: string }[] };
    }>();
    expect(_embedded.versions.map(({ version }) => version)).toEqual([2, 1]);
    expect(_embedded.versions[0]).toMatchObject({ submittedVia: 'JSON_API', submissionAccountId: 'lab-1' });
    expect((await read(accession, '?version=1')).json()).toMatchObject({ name: 'liver 1' });
    expect((await read(accession, '?version=2')).json()).toMatchObject({ name: 'renamed' });
    expect((await read(accession, '?version=3')).status).toBe(404);
    expect((await read(accession, '?version=x')).status).toBe(400);
  });
});

describe('the entity tag', () => {
  it('is the same after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sample-registry-restart-'));
    const first = await startService({ folder });
    const { accession } = (await first.send('POST', '/samples', FULL)).json<Sample>();
    const etag = etagOf(await first.get(`/samples/${accession}`));
    await first.stop();
    const second = await startService({ folder });
    expect(etagOf(await second.get(`/samples/${accession}`))).toBe(etag);
    await second.stop();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['one tag', (etag: string) => etag],
    ['a list', (etag: string) => `"a", ${etag}, "b"`],
    ['a weak tag', (etag: string) => `W/${etag}`],
    ['a star', () => '*'],
  ])('is recognised in If-None-Match as %s', async (_, spell) => {
    const accession = await registered();
    const etag = etagOf(await read(accession));
    const answer = await service.get(`/samples/${accession}`, {
      token: null,
      headers: { 'if-none-match': spell(etag) },
    });
    expect([answer.status, answer.bytes.length, etagOf(answer)]).toEqual([304, 0, etag]);
  });

  it('changes with an update, with a curation only in the curated view, and with structured data', async () => {
    const accession = await registered();
    const tags = async () => [etagOf(await read(accession)), etagOf(await read(accession, '?applyCurations=false'))];
    const [curated, original] = await tags();
    expect(curated).toBe(original);

    const curation = {
      attributesPre: [{ type: 'age', value: '42', unit: 'year' }],
      attributesPost: [{ type: 'age', value: '43', unit: 'year' }],
    };
    await service.send('POST', `/samples/${accession}/curationlinks`, { sample: accession, curation }, { token });
    const [curatedNow, originalNow] = await tags();
    expect(curatedNow).not.toBe(curated);
    expect(originalNow).toBe(original);

    const data = [{ type: 'AMR', content: [{ antibioticName: { value: 'x', iri: null } }] }];
    await service.send('PUT', `/structureddata/${accession}`, { accession, data }, { token });
    const [, originalWithData] = await tags();
    expect(originalWithData).not.toBe(original);

    await put(accession, { accession, name: 'other', release: '2020-01-01' });
    const [curatedLast, originalLast] = await tags();
    expect(originalLast).not.toBe(originalWithData);
    expect(curatedLast).toBe(originalLast);
  });

  it('differs from tag to tag, never from reader to reader', async () => {
    const accession = await registered();
    const owner = await read(accession);
    const anybody = await service.get(`/samples/${accession}`, {
      token: null,
      headers: { accept: 'application/json' },
    });
    expect(etagOf(owner)).toBe(etagOf(anybody));
    expect(etagOf(await service.get(`/samples/${await registered()}`))).not.toBe(etagOf(owner));
  });

  it.each([2, 8, 64])('lets exactly one of %i writers with the same If-Match win', async (writers) => {
    const accession = await registered();
    const etag = etagOf(await read(accession));
    const answers = await Promise.all(
      Array.from({ length: writers }, (_, at) =>
        put(accession, { accession, name: `writer ${at}`, release: '2020-01-01' }, { 'if-match': etag }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: writers - 1 }, () => 412)]);
    const winner = answers.find(({ status }) => status === 200) as Answer;
    expect((await read(accession)).json<Sample>().name).toBe(winner.json<Sample>().name);
  });
});

describe('privacy', () => {
  it('shows a sample before its release to its owner and administrators only, and lets no cache share it', async () => {
    const accession = await registered({ name: 'secret', release: '2999-01-01' });
    const other = await service.token('lab-2');
    expect((await read(accession)).headers.get('cache-control')).toBe('max-age=60, private');
    expect((await service.get(`/samples/${accession}`)).status).toBe(200);
    for (const who of [null, other]) {
      const answer = await service.get(`/samples/${accession}`, { token: who });
      expect([answer.status, answer.json<{ code: string }>().code]).toEqual([403, 'sample.private']);
      expect(answer.text).not.toContain('secret');
      for (const path of [`/samples/${accession}/curationlinks`, `/structureddata/${accession}`]) {
        expect((await service.get(path, { token: who })).status).toBe(403);
      }
    }
  });
});

/** The rules of curations, each over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../service.js';

interface Attribute {
  type: string;
  value: string;
  iri?: string[];
  unit?: string;
}
interface Link {
  hash: string;
  created: string;
  applied?: boolean;
  domain: string | null;
  submissionAccountId: string;
  curation: { hash: string };
}

let service: Service;
let owner: string;
let curator: string;
beforeAll(async () => {
  service = await startService();
  owner = await service.token('lab-1');
  curator = await service.token('curator');
});
afterAll(() => service.stop());

async function registered(
  content: object = { characteristics: { sex: [{ text: 'F' }], organ: [{ text: 'liver' }] } },
): Promise<string> {
  const answer = await service.send(
    'POST',
    '/samples',
    { name: 's', release: '2020-01-01', ...content },
    { token: owner },
  );
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ accession: string }>().accession;
}
const post = (accession: string, curation: object, extra: object = {}, token = curator) =>
  service.send('POST', `/samples/${accession}/curationlinks`, { sample: accession, curation, ...extra }, { token });
const replace = (pre: Attribute[], post: Attribute[]) => ({ attributesPre: pre, attributesPost: post });

async function curate(accession: string, curation: object): Promise<Link> {
  const answer = await post(accession, curation);
  expect(answer.status, answer.text).toBe(201);
  return answer.json<Link>();
}
interface Seen {
  characteristics: Record<string, { text: string; ontologyTerms?: string[] }[]>;
  relationships?: { target: string }[];
  externalReferences?: { url: string }[];
}
const seen = async (accession: string, query = ''): Promise<Seen> =>
  (await service.get(`/samples/${accession}${query}`, { token: null })).json<Seen>();
const links = async (accession: string): Promise<Link[]> =>
  (await service.get(`/samples/${accession}/curationlinks`)).json<{ _embedded?: { curationLinks: Link[] } }>()._embedded
    ?.curationLinks ?? [];

describe('applying curations', () => {
  it('removes Pre and adds Post in the curated view and leaves the stored sample alone', async () => {
    const accession = await registered();
    await curate(
      accession,
      replace([{ type: 'sex', value: 'F' }], [{ type: 'sex', value: 'female', iri: ['PATO:0000383'] }]),
    );
    expect((await seen(accession)).characteristics.sex).toEqual([{ text: 'female', ontologyTerms: ['PATO:0000383'] }]);
    expect((await seen(accession, '?applyCurations=true')).characteristics.sex?.[0]?.text).toBe('female');
    expect((await seen(accession, '?applyCurations=false')).characteristics.sex).toEqual([{ text: 'F' }]);
    expect((await seen(accession, '?curationdomain=')).characteristics.sex).toEqual([{ text: 'F' }]);
    expect((await service.get(`/samples/${accession}?applyCurations=maybe`)).status).toBe(400);
  });

  it('applies them in the order in which they came', async () => {
    const accession = await registered();
    await curate(accession, replace([{ type: 'sex', value: 'F' }], [{ type: 'sex', value: 'female' }]));
    await curate(accession, replace([{ type: 'sex', value: 'female' }], [{ type: 'sex', value: 'woman' }]));
    expect((await seen(accession)).characteristics.sex).toEqual([{ text: 'woman' }]);
    expect((await links(accession)).map(({ applied }) => applied)).toEqual([true, true]);
  });

  it('applies one as a whole or not at all, and marks the skipped', async () => {
    const accession = await registered();
    const { hash } = await curate(
      accession,
      replace(
        [
          { type: 'sex', value: 'F' },
          { type: 'organ', value: 'heart' },
        ],
        [
          { type: 'sex', value: 'female' },
          { type: 'organ', value: 'Heart' },
        ],
      ),
    );
    expect((await seen(accession)).characteristics).toEqual({ sex: [{ text: 'F' }], organ: [{ text: 'liver' }] });
    const marked = { hash, applied: false, missing: ['/curation/attributesPre/1'] };
    expect(await links(accession)).toMatchObject([marked]);
    expect((await service.get(`/samples/${accession}/curationlinks/${hash}`)).json()).toMatchObject(marked);
  });

  it('skips the second of two that contradict each other', async () => {
    const accession = await registered();
    await curate(accession, replace([{ type: 'sex', value: 'F' }], [{ type: 'sex', value: 'female' }]));
    await curate(accession, replace([{ type: 'sex', value: 'F' }], [{ type: 'sex', value: 'male' }]));
    expect((await seen(accession)).characteristics.sex).toEqual([{ text: 'female' }]);
    expect((await links(accession)).map(({ applied }) => applied)).toEqual([true, false]);
  });

  it('leaves an entry alone that stands in Pre and in Post', async () => {
    const accession = await registered();
    await curate(
      accession,
      replace(
        [
          { type: 'sex', value: 'F' },
          { type: 'organ', value: 'liver' },
        ],
        [
          { type: 'sex', value: 'F' },
          { type: 'organ', value: 'Liver' },
        ],
      ),
    );
    expect((await seen(accession)).characteristics).toEqual({ sex: [{ text: 'F' }], organ: [{ text: 'Liver' }] });
  });

  it('folds absent and empty members and takes terms as a set', async () => {
    const accession = await registered({
      characteristics: { sex: [{ text: 'F', ontologyTerms: ['b', 'a'] }], organ: [{ text: 'liver' }] },
    });
    await curate(
      accession,
      replace([{ type: 'sex', value: 'F', iri: ['a', 'b'], unit: '' }], [{ type: 'sex', value: 'female', iri: [] }]),
    );
    await curate(accession, replace([{ type: 'organ', value: 'liver', iri: [] }], [{ type: 'organ', value: 'Liver' }]));
    expect((await seen(accession)).characteristics).toEqual({ sex: [{ text: 'female' }], organ: [{ text: 'Liver' }] });
  });

  it('removes the last attribute, reference and relationship', async () => {
    const accession = await registered({
      characteristics: { sex: [{ text: 'F' }] },
      externalReferences: [{ url: 'https://example.org/1' }],
      relationships: [{ type: 'derived from', target: 'SAMEA1' }],
    });
    await curate(accession, {
      attributesPre: [{ type: 'sex', value: 'F' }],
      externalReferencesPre: [{ url: 'https://example.org/1', duo: [] }],
      relationshipsPre: [{ source: accession, type: 'DERIVED_FROM', target: 'SAMEA1' }],
    });
    const sample = await seen(accession);
    expect(sample.characteristics).toEqual({});
    expect(sample).not.toHaveProperty('externalReferences');
    expect(sample).not.toHaveProperty('relationships');
  });

  it('adds references and relationships that were not there', async () => {
    const accession = await registered();
    await curate(accession, {
      externalReferencesPost: [{ url: 'https://example.org/2' }],
      relationshipsPost: [{ source: accession, type: 'same as', target: 'SAMEA2' }],
    });
    const { externalReferences, relationships } = await seen(accession);
    expect(externalReferences).toEqual([{ url: 'https://example.org/2', duo: [] }]);
    expect(relationships).toEqual([{ source: accession, type: 'same as', target: 'SAMEA2' }]);
  });
});

describe('curation links', () => {
  it('answer the stored one with 200 when the same is posted again, and another account gets its own', async () => {
    const accession = await registered();
    const curation = replace([{ type: 'sex', value: 'F' }], [{ type: 'sex', value: 'female' }]);
    const first = await curate(accession, curation);
    const again = await post(accession, curation);
    expect([again.status, again.json<Link>()]).toEqual([200, first]);
    const others = await post(accession, curation, {}, owner);
    expect(others.status).toBe(201);
    expect(others.json<Link>().hash).not.toBe(first.hash);
    expect(others.json<Link>().curation.hash).toBe(first.curation.hash);
    expect(await links(accession)).toHaveLength(2);
  });

  it('keep the domain as sent and take the account from the token', async () => {
    const accession = await registered();
    const answer = await post(accession, replace([], [{ type: 'a', value: 'b' }]), {
      domain: 'self.curator',
      submissionAccountId: 'lab-1',
    });
    expect(answer.json()).toMatchObject({ domain: 'self.curator', submissionAccountId: 'curator' });
  });

  it('count missing lists as empty and refuse what is no curation', async () => {
    const accession = await registered();
    expect((await post(accession, {})).status).toBe(201);
    const refused = await post(accession, { attributesPre: [{ value: 5 }], attributesPost: 'x' });
    expect(refused.status).toBe(422);
    expect(refused.json<{ errors: { dataPath: string }[] }>().errors.map(({ dataPath }) => dataPath)).toEqual([
      '/curation/attributesPre/0/type',
      '/curation/attributesPre/0/value',
      '/curation/attributesPost',
    ]);
    expect((await post(accession, {}, { sample: 'SAMR999' })).status).toBe(400);
    expect((await post('SAMR999', {})).status).toBe(404);
  });

  it('are read one by one, by page and by the hash of the curation', async () => {
    const accession = await registered();
    const made: Link[] = [];
    for (const value of ['1', '2', '3']) made.push(await curate(accession, replace([], [{ type: 'n', value }])));
    const page = (await service.get(`/samples/${accession}/curationlinks?size=2&page=1`)).json<{
      page: object;
      _embedded: { curationLinks: Link[] };
      _links: Record<string, { href: string }>;
    }>();
    expect(page.page).toEqual({ size: 2, totalElements: 3, totalPages: 2, number: 1 });
    expect(page._embedded.curationLinks.map(({ hash }) => hash)).toEqual([made[2]?.hash]);
    expect(Object.keys(page._links).sort()).toEqual(['first', 'last', 'prev', 'sample', 'self']);
    const one = page._embedded.curationLinks[0] as Link;
    expect(one.applied).toBe(true);
    expect((await service.get(`/samples/${accession}/curationlinks/${one.hash}`)).json()).toEqual(one);
    expect((await service.get(`/curations/${one.curation.hash}`)).json()).toMatchObject(one.curation);
    expect((await service.get(`/curations/${'0'.repeat(64)}`)).status).toBe(404);
  });

  it('are deleted by their account or an administrator, and the view is as before', async () => {
    const accession = await registered();
    const before = (await service.get(`/samples/${accession}`)).headers.get('etag');
    const { hash } = await curate(
      accession,
      replace([{ type: 'sex', value: 'F' }], [{ type: 'sex', value: 'female' }]),
    );
    const path = `/samples/${accession}/curationlinks/${hash}`;
    expect((await service.call(path, { method: 'DELETE', token: owner })).status).toBe(403);
    expect((await service.call(path, { method: 'DELETE', token: curator })).status).toBe(204);
    expect((await service.call(path, { method: 'DELETE', token: curator })).status).toBe(404);
    expect((await service.get(`/samples/${accession}`)).headers.get('etag')).toBe(before);
  });

  it('are deleted by their account also where the sample was withdrawn since, and by no other', async () => {
    const accession = await registered();
    const one = replace([{ type: 'sex', value: 'F' }], [{ type: 'sex', value: 'female' }]);
    const { hash } = await curate(accession, one);
    const path = `/samples/${accession}/curationlinks/${hash}`;
    expect((await service.call(`/samples/${accession}/withdrawal`, { method: 'PUT', token: owner })).status).toBe(200);
    const others = await service.token('neither');
    const gone = async (token: string) => (await service.call(path, { method: 'DELETE', token })).status;
    expect((await service.get(path, { token: curator })).status).toBe(403);
    expect([await gone(others), await gone(curator), await gone(curator)]).toEqual([403, 204, 403]);
    const links = (await service.get(`/samples/${accession}/curationlinks`, { token: owner })).text;
    expect(links).not.toContain(hash);
  });
});

describe('structured data', () => {
  it('replaces the tables of the caller, keeps those of others, and refuses another account’s', async () => {
    const accession = await registered();
    const table = (type: string, account: string | null = null) => ({
      domain: null,
      submissionAccountId: account,
      type,
      schema: null,
      content: [{ field: { value: 'v', iri: null } }],
    });
    const put = (data: unknown[], token: string) =>
      service.send('PUT', `/structureddata/${accession}`, { accession, data }, { token });
    expect((await put([table('A'), table('B')], owner)).status).toBe(200);
    expect((await put([table('C')], curator)).status, 'not opened by the owner').toBe(403);
    await service.send('PUT', '/me/settings', { othersMayAttachData: true }, { token: owner });
    expect((await put([table('C', 'curator')], curator)).status).toBe(200);
    expect((await put([table('D')], owner)).status).toBe(200);
    const { data } = (await service.get(`/structureddata/${accession}`, { token: null })).json<{
      data: { type: string; submissionAccountId: string }[];
    }>();
    expect(data.map(({ type, submissionAccountId }) => [type, submissionAccountId]).sort()).toEqual([
      ['C', 'curator'],
      ['D', 'lab-1'],
    ]);
    expect((await put([table('E', 'lab-1')], curator)).status).toBe(403);
    expect((await put([], owner)).status).toBe(422);
    expect((await service.get(`/structureddata/${await registered()}`)).status).toBe(404);
    const withData = { name: 'x', release: '2020-01-01', data: [table('A')] };
    const refused = await service.send('POST', '/samples', withData, { token: owner });
    expect(refused.status).toBe(400);
    expect(refused.json<{ detail: string }>().detail).toContain('/structureddata');
  });
});

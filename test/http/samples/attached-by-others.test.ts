/** What others attach to a sample: its owner sees who did, can keep it from readers, and can take tables away. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATA_OF_OTHERS } from '../../../src/registry/structured-data/structured-data-service.js';
import { ADMIN_TOKEN, type Service, startService } from '../service.js';

let service: Service;
let owner: string;
let curator: string;
let third: string;
beforeAll(async () => {
  service = await startService();
  owner = await service.token('lab-1');
  curator = await service.token('curator');
  third = await service.token('third');
});
afterAll(() => service.stop());

async function registered(): Promise<string> {
  const body = { name: 's', release: '2020-01-01', characteristics: { sex: [{ text: 'F' }] } };
  const answer = await service.send('POST', '/samples', body, { token: owner });
  return answer.json<{ accession: string }>().accession;
}

describe('a curation that the owner declines', () => {
  interface Link {
    hash: string;
    submissionAccountId: string;
    declined?: string;
    applied?: boolean;
  }
  const curation = {
    attributesPre: [{ type: 'sex', value: 'F' }],
    attributesPost: [{ type: 'sex', value: 'unwanted' }],
  };
  const curate = (accession: string, token = curator) =>
    service.send('POST', `/samples/${accession}/curationlinks`, { curation }, { token });
  const sexOf = async (accession: string, query = ''): Promise<string | undefined> =>
    (await service.get(`/samples/${accession}${query}`, { token: null })).json<{
      characteristics: { sex: { text: string }[] };
    }>().characteristics.sex[0]?.text;
  const linksOf = async (accession: string): Promise<Link[]> =>
    (await service.get(`/samples/${accession}/curationlinks`)).json<{ _embedded: { curationLinks: Link[] } }>()
      ._embedded.curationLinks;
  const act = (accession: string, hash: string, action: string, token: string) =>
    service.send('POST', `/samples/${accession}/curationlinks/${hash}/${action}`, {}, { token });

  it('stays, says so and by whom it is, and applies only where a reader asks for it', async () => {
    const accession = await registered();
    const { hash } = (await curate(accession)).json<Link>();
    const tag = async () => (await service.get(`/samples/${accession}`)).headers.get('etag');
    const curated = await tag();
    const declined = await act(accession, hash, 'decline', owner);
    expect([declined.status, declined.json<Link>()]).toEqual([
      200,
      expect.objectContaining({ hash, submissionAccountId: 'curator', declined: expect.any(String) }),
    ]);
    expect(await sexOf(accession)).toBe('F');
    expect(await sexOf(accession, '?declined=true')).toBe('unwanted');
    expect(await sexOf(accession, '?declined=true&applyCurations=false')).toBe('F');
    expect((await service.get(`/samples/${accession}?declined=maybe`)).status).toBe(400);
    expect(await tag()).not.toBe(curated);
    expect(await linksOf(accession)).toMatchObject([{ hash, applied: false, declined: expect.any(String) }]);

    const again = await curate(accession);
    expect([again.status, again.json<Link>().declined]).toEqual([200, expect.any(String)]);
    const accepted = await act(accession, hash, 'accept', owner);
    expect(accepted.json<Link>()).not.toHaveProperty('declined');
    expect([await sexOf(accession), await tag()]).toEqual(['unwanted', curated]);
  });

  it('is found by what readers see', async () => {
    const accession = await registered();
    const { hash } = (await curate(accession)).json<Link>();
    const found = async (): Promise<boolean> =>
      (await service.get(`/samples?text=unwanted&filter=acc:${accession}`)).text.includes('"_embedded"');
    await expect.poll(found).toBe(true);
    await act(accession, hash, 'decline', owner);
    await expect.poll(found).toBe(false);
  });

  it('is declined by the owner and administrators alone, and deleted by its author and administrators', async () => {
    const accession = await registered();
    const { hash } = (await curate(accession)).json<Link>();
    for (const token of [curator, third]) {
      expect((await act(accession, hash, 'decline', token)).status).toBe(403);
      expect((await act(accession, hash, 'accept', token)).status).toBe(403);
    }
    expect((await act(accession, hash, 'decline', ADMIN_TOKEN)).status).toBe(200);
    expect((await act(accession, '0'.repeat(64), 'decline', owner)).status).toBe(404);
    const path = `/samples/${accession}/curationlinks/${hash}`;
    expect((await service.call(path, { method: 'DELETE', token: owner })).status).toBe(403);
    expect((await service.call(path, { method: 'DELETE', token: ADMIN_TOKEN })).status).toBe(204);
  });
});

describe('structured data', () => {
  const table = (type: string, value = 'v') => ({ type, content: [{ field: { value, iri: null } }] });
  const put = (accession: string, tables: object[], token: string) =>
    service.send('PUT', `/structureddata/${accession}`, { data: tables }, { token });
  const take = (accession: string, token: string, query = '') =>
    service.call(`/structureddata/${accession}${query}`, { method: 'DELETE', token });
  const open = (othersMayAttachData: unknown) =>
    service.send('PUT', '/me/settings', { othersMayAttachData }, { token: owner });
  const typesOf = async (accession: string): Promise<string[]> => {
    const answer = await service.get(`/structureddata/${accession}`, { token: null });
    return answer.status === 404 ? [] : answer.json<{ data: { type: string }[] }>().data.map(({ type }) => type);
  };

  it('is attached by the owner and administrators, by others only while the owner’s account opens it', async () => {
    const accession = await registered();
    const refused = await put(accession, [table('X')], third);
    expect([refused.status, refused.json<{ detail: string }>().detail]).toEqual([
      403,
      expect.stringContaining('/me/settings'),
    ]);
    expect((await put(accession, [table('A')], ADMIN_TOKEN)).status).toBe(200);
    expect((await service.get('/me/settings', { token: owner })).json()).toEqual({ othersMayAttachData: false });
    expect((await open('yes')).status).toBe(400);
    expect((await open(true)).json()).toEqual({ othersMayAttachData: true });
    expect((await put(accession, [table('X')], third)).status).toBe(200);
    await open(false);
    expect((await put(accession, [table('Y')], third)).status).toBe(403);
    expect((await take(accession, third)).status, 'their own is still theirs').toBe(204);
    expect(await typesOf(accession)).toEqual(['A']);
  });

  it('is taken away by its author also where the sample was withdrawn since, and by no other', async () => {
    const accession = await registered();
    await open(true);
    await put(accession, [table('theirs')], curator);
    const withdrawn = await service.call(`/samples/${accession}/withdrawal`, { method: 'PUT', token: owner });
    expect(withdrawn.status).toBe(200);
    expect((await service.get(`/structureddata/${accession}`, { token: curator })).status).toBe(403);
    expect((await take(accession, third)).status).toBe(403);
    expect((await take(accession, curator)).status).toBe(204);
    expect((await take(accession, curator)).status).toBe(403);
    expect((await service.get(`/structureddata/${accession}`, { token: owner })).status).toBe(404);
    await open(false);
  });

  it('is taken away by its author, by the owner of the sample and by administrators', async () => {
    const accession = await registered();
    await open(true);
    await put(accession, [table('own 1'), table('own 2')], owner);
    await put(accession, [table('theirs 1'), table('theirs 2')], curator);
    await put(accession, [table('third')], third);
    expect((await take(accession, third, '?account=curator')).status).toBe(403);
    expect((await take(accession, third, '?type=own%201')).status).toBe(404);
    expect((await take(accession, third)).status).toBe(204);
    expect((await take(accession, third)).status).toBe(404);
    expect((await take(accession, curator, '?type=theirs%201&account=curator')).status).toBe(204);
    expect(await typesOf(accession)).toEqual(['own 1', 'own 2', 'theirs 2']);
    expect((await take(accession, owner, '?account=curator')).status).toBe(204);
    expect((await take(accession, ADMIN_TOKEN, '?type=own%202')).status).toBe(204);
    expect(await typesOf(accession)).toEqual(['own 1']);
    expect((await take(accession, owner)).status).toBe(204);
    expect(await typesOf(accession)).toEqual([]);
  });

  it('stays whole where a body says which tables to take away, as the address does not', async () => {
    const accession = await registered();
    const content = [{ a: { value: '1', iri: null } }];
    const data = ['AMR', 'free'].map((type) => ({ type, domain: null, schema: null, content }));
    await service.send('PUT', `/structureddata/${accession}`, { data }, { token: owner });
    const refused = await service.send('DELETE', `/structureddata/${accession}`, { type: 'AMR' }, { token: owner });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('say account or type in the address'),
    ]);
    const left = (await service.get(`/structureddata/${accession}`)).json<{ data: { type: string }[] }>().data;
    expect(left.map(({ type }) => type).sort()).toEqual(['AMR', 'free']);
    expect((await service.send('DELETE', `/structureddata/${accession}`, {}, { token: owner })).status).toBe(204);
  });

  it('of others is bounded, by account and in all', async () => {
    const accession = await registered();
    await open(true);
    const most = 'x'.repeat(DATA_OF_OTHERS.ofAccount - 1000);
    const statuses: number[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      statuses.push((await put(accession, [table('T', most)], await service.token(`attaching ${name}`))).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 409]);
    expect((await put(accession, [table('T', `${most}${most}`)], third)).json()).toMatchObject({ code: 'data.limit' });
    expect((await put(accession, [table('T', `${most}${most}`)], owner)).status).toBe(200);
  });
});

/** What one account attaches to a sample costs every reader: how much it may be, and that more than that still reads. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURATION_LIMITS } from '../../../src/registry/curations/curation-limits.js';
import { curationHash, linkHash } from '../../../src/registry/curations/curation-rules.js';
import { type Service, startService } from '../service.js';

let service: Service;
let owner: string;
beforeAll(async () => {
  service = await startService();
  owner = await service.token('lab-1');
});
afterAll(() => service.stop());

async function registered(): Promise<string> {
  const answer = await service.send('POST', '/samples', { name: 's', release: '2020-01-01' }, { token: owner });
  return answer.json<{ accession: string }>().accession;
}
const curate = (accession: string, value: string, token: string) =>
  service.send(
    'POST',
    `/samples/${accession}/curationlinks`,
    { curation: { attributesPost: [{ type: 'x', value }] } },
    { token },
  );

/** Past the limits. */
async function addUnasked(id: number, accession: string, value: string, account: string): Promise<void> {
  const lists = {
    attributesPre: [],
    attributesPost: [{ type: 'x', value }],
    externalReferencesPre: [],
    externalReferencesPost: [],
    relationshipsPre: [],
    relationshipsPost: [],
  };
  const hash = curationHash(lists);
  await service.store.addCurationLink(id, {
    curation: { ...lists, hash },
    domain: null,
    account,
    created: 1,
    hash: linkHash(hash, accession, account),
  });
}

/** The last one of them over HTTP. */
async function fill(accession: string, links: number, account: string, mark: string): Promise<void> {
  const id = Number(accession.slice('SAMR'.length));
  for (let at = 0; at < links - 1; at++) await addUnasked(id, accession, `${mark} ${at}`, account);
  const last = await curate(accession, `${mark} ${links - 1}`, await service.token(account));
  expect(last.status, last.text).toBe(201);
}

describe('curations of one sample', () => {
  it('are bounded in number by account, and the owner still has room when all others have used theirs', async () => {
    const accession = await registered();
    const { ofAccount, ofOthers, ofSample } = CURATION_LIMITS;
    const stranger = await service.token('stranger 0');
    await fill(accession, ofAccount.links, 'stranger 0', '0');
    const refused = await curate(accession, 'one more', stranger);
    expect(refused.status).toBe(409);
    expect(refused.json()).toMatchObject({
      code: 'curation.limit',
      detail: expect.stringContaining('from one account'),
    });
    expect((await curate(accession, '0 0', stranger)).status, 'the same again is no new link').toBe(200);

    for (let at = 1; at < ofOthers.links / ofAccount.links; at++) {
      await fill(accession, ofAccount.links, `stranger ${at}`, String(at));
    }
    const late = await curate(accession, 'late', await service.token('late'));
    expect([late.status, late.json<{ detail: string }>().detail]).toEqual([409, expect.stringContaining('owner')]);
    await fill(accession, ofSample.links - ofOthers.links, 'lab-1', 'own');
    expect((await curate(accession, 'beyond all', owner)).status).toBe(409);

    const seen = await service.get(`/samples/${accession}`, { token: null });
    expect(seen.json<{ characteristics: { x: unknown[] } }>().characteristics.x).toHaveLength(ofSample.links);
    const links = await service.get(`/samples/${accession}/curationlinks`, { token: null });
    expect(links.json()).toMatchObject({ page: { totalElements: ofSample.links } });
  });

  it('are bounded in bytes, by account and in all', async () => {
    const accession = await registered();
    const strangers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => service.token(`large ${name}`)));
    const most = 'y'.repeat(CURATION_LIMITS.ofAccount.bytes - 1000);
    const statuses: number[] = [];
    for (const token of strangers) statuses.push((await curate(accession, most, token)).status);
    expect(statuses).toEqual([201, 201, 201, 409, 409]);
    expect((await curate(accession, 'z'.repeat(2000), strangers[0] as string)).status).toBe(409);
    expect((await curate(accession, 'v'.repeat(60_000), strangers[3] as string)).status).toBe(409);
    const domain = { curation: {}, domain: 'd'.repeat(CURATION_LIMITS.ofAccount.bytes) };
    const path = `/samples/${accession}/curationlinks`;
    expect((await service.send('POST', path, domain, { token: strangers[4] as string })).status).toBe(409);
    expect((await curate(accession, most, owner)).status).toBe(201);
  });

  it('beyond the bounds, from before there were any, are read and searched as before', { tags: 'slow' }, async () => {
    const shapes: [number, number][] = [
      [250, 1],
      [4, 900_000],
    ];
    for (const [links, bytes] of shapes) {
      const accession = await registered();
      const id = Number(accession.slice('SAMR'.length));
      for (let at = 0; at < links; at++) await addUnasked(id, accession, `${at}`.padEnd(bytes, 'w'), 'stranger');
      const seen = await service.get(`/samples/${accession}`, { token: null });
      expect(seen.json<{ characteristics: { x: unknown[] } }>().characteristics.x).toHaveLength(links);
      const page = await service.get(`/samples/${accession}/curationlinks?size=1`, { token: null });
      expect(page.json()).toMatchObject({
        page: { totalElements: links },
        _embedded: { curationLinks: [{ applied: true }] },
      });
      expect((await curate(accession, 'more', await service.token('late'))).status).toBe(409);
    }
  });
});

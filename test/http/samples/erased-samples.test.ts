/** What requests meet where a sample was erased: nobody writes it again, others hear that it is gone, its owner sees what is left. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, type Service, startService } from '../service.js';

type Sample = { accession: string; status: string; name: string };

let service: Service;
let owner: string;
let other: string;
let accession: string;
let neighbour: string;
beforeAll(async () => {
  service = await startService();
  owner = await service.token('lab');
  other = await service.token('other');
  const register = async (name: string) =>
    (await service.send('POST', '/samples', { name, release: '2020-01-01' }, { token: owner })).json<Sample>()
      .accession;
  accession = await register('quetzal');
  neighbour = await register('heron');
  await service.send(
    'PUT',
    `/samples/by-key/lims/q1`,
    { accession, name: 'quetzal', release: '2020-01-01' },
    { token: owner },
  );
  await service.store.eraseSamples([Number(accession.slice(4))], 'admin');
});
afterAll(() => service.stop());

/** By its accession, not as a race that it lost. */
const isGone = (answer: { status: number; json<T>(): T }) => {
  const { code, detail } = answer.json<{ code: string; detail: string }>();
  expect([answer.status, code, detail]).toEqual([
    410,
    'sample.erased',
    expect.stringContaining(`${accession} was erased`),
  ]);
};

describe('an erased sample', () => {
  it('is gone for everybody but its owner and administrators, who see that it was', async () => {
    for (const token of [null, other]) {
      for (const path of [
        '',
        '/curationlinks',
        '/lineage',
        '?format=jsonld',
        '?version=1',
        ...(token ? ['/history'] : []),
      ])
        isGone(await service.get(`/samples/${accession}${path}`, { token }));
      isGone(await service.get(`/structureddata/${accession}`, { token }));
    }
    for (const token of [owner, ADMIN_TOKEN]) {
      const left = (await service.get(`/samples/${accession}`, { token })).json<Sample>();
      expect(left).toMatchObject({ name: '', status: 'ERASED', characteristics: {}, submissionAccountId: 'lab' });
      const former = await service.get(`/samples/${accession}?version=1`, { token });
      expect(former.json()).toMatchObject({ name: '', characteristics: {} });
      const history = await service.get(`/samples/${accession}/history`, { token });
      expect(history.json<{ _embedded: { versions: { version: number }[] } }>()._embedded.versions[0]).toMatchObject({
        version: 2,
        submissionAccountId: 'admin',
      });
    }
    const page = await service.get(`/page/?sample=${accession}`, { token: null });
    expect([page.status, page.text.includes('ld+json')]).toEqual([200, false]);
  });

  it('is written by nobody', async () => {
    const body = { accession, name: 'again', release: '2020-01-01' };
    for (const token of [owner, ADMIN_TOKEN]) {
      isGone(await service.send('PUT', `/samples/${accession}`, body, { token }));
      isGone(await service.call(`/samples/${accession}/withdrawal`, { method: 'PUT', token }));
      isGone(await service.send('POST', '/validate', body, { token }));
      const link = { curation: { attributesPre: [], attributesPost: [{ type: 'a', value: 'b' }] } };
      isGone(await service.send('POST', `/samples/${accession}/curationlinks`, link, { token }));
      const data = { data: [{ type: 'T', content: [{ a: { value: 'b' } }] }] };
      isGone(await service.send('PUT', `/structureddata/${accession}`, data, { token }));
    }
    isGone(
      await service.send('PUT', '/samples/by-key/lims/q1', { name: 'again', release: '2020-01-01' }, { token: owner }),
    );
    isGone(await service.send('PUT', '/samples/by-key/lims/q2', body, { token: owner }));
    const refused = await service.send('POST', '/v2/samples/bulk-submit', [body], { token: owner });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('was erased');
    expect((await service.get(`/samples/${accession}`, { token: owner })).json()).toMatchObject({ status: 'ERASED' });
  });

  it('is in no list, no sheet and no answer to many accessions, unless withdrawn samples are asked for', async () => {
    const found = async (path: string) => (await service.get(path, { token: owner })).text.includes(`"${accession}"`);
    expect(await found('/samples?size=200')).toBe(false);
    expect(await found('/samples?text=quetzal&filter=status:any')).toBe(false);
    expect(await found('/samples?filter=name:quetzal&filter=status:any')).toBe(false);
    expect(await found('/samples?filter=status:withdrawn')).toBe(true);
    const v2 = await service.get(`/v2/samples/bulk-fetch?accessions=${accession},${neighbour}`, { token: other });
    expect(Object.keys(v2.json<Record<string, unknown>>())).toEqual([neighbour]);
    isGone(
      await service.get(`/samples/template?format=tsv&accession=${accession}&accession=${neighbour}`, { token: owner }),
    );
    const { id } = await service.uploadAndSettle('Sample Name\tRelease Date\nkite\t2020-01-01\nowl\t2020-01-01\n', {
      token: owner,
    });
    const sheetOf = () => service.get(`/samples/template?format=tsv&submission=${id}`, { token: owner });
    const [kite, owl] = (await sheetOf()).text.match(/SAMR\d+/g) as [string, string];
    await service.store.eraseSamples([Number(kite.slice(4))], 'admin');
    expect((await sheetOf()).text.match(/SAMR\d+/g)).toEqual([owl]);
    await service.store.eraseSamples([Number(owl.slice(4))], 'admin');
    expect((await sheetOf()).status).toBe(400);
    const all = await service.get('/samples/export?format=tsv', { token: owner });
    expect([all.text.includes('heron'), all.text.includes(accession)]).toEqual([true, false]);
  });

  it('is refused in a sheet by its accession and by its key, alone', async () => {
    const sheet = `Sample Name\tRelease Date\tSample Identifier\nagain\t2020-01-01\t${accession}\nheron 2\t2020-01-01\t${neighbour}\n`;
    const byAccession = await service.upload(sheet, { token: owner });
    expect(byAccession.text).toMatch(/Updated\t1\n/);
    expect(byAccession.text).toContain(`sample.erased\t${accession}`);
    expect(byAccession.text).not.toContain('sample.not-shown');
    const keyed = await service.upload('lims\tSample Name\tRelease Date\nq1\tagain\t2020-01-01\n', {
      token: owner,
      options: { key: 'lims', keySpace: 'lims' },
    });
    expect(keyed.text).toContain('sample.erased');
    expect(keyed.text).toMatch(/Created\t0\n/);
    const relating = await service.send(
      'PUT',
      `/samples/${neighbour}`,
      {
        accession: neighbour,
        name: 'heron',
        release: '2020-01-01',
        relationships: [{ type: 'derived from', source: neighbour, target: accession }],
      },
      { token: owner },
    );
    expect(relating.status).toBe(200);
  });

  it('is a change to those who follow the registry', async () => {
    const types = async (token: string | null) => {
      const { text } = await service.get('/changes', { token });
      return text
        .split('\n')
        .filter((line) => line.includes(`"${accession}"`))
        .map((line) => (JSON.parse(line) as { type: string }).type);
    };
    expect((await types(owner)).at(-1)).toBe('withdrawn');
    expect(await types(null)).toEqual(['withdrawn']);
  });
});

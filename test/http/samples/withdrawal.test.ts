/** What its owner withdraws is nobody else's to read, and comes back as it was. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, type Service, startService } from '../service.js';

type Sample = { accession: string; status: string; name: string; update: string };

let service: Service;
let owner: string;
let other: string;
beforeAll(async () => {
  service = await startService();
  owner = await service.token('lab');
  other = await service.token('other');
});
afterAll(() => service.stop());

const register = async (more: object = {}): Promise<string> =>
  (
    await service.send('POST', '/samples', { name: 's', release: '2020-01-01', ...more }, { token: owner })
  ).json<Sample>().accession;
const withdrawal = (method: 'PUT' | 'DELETE', accession: string, token = owner) =>
  service.call(`/samples/${accession}/withdrawal`, { method, token });
const read = (accession: string, token: string | null) => service.get(`/samples/${accession}`, { token });
const listed = async (accession: string, filter = '') => {
  const { text } = await service.get(`/samples?filter=name:s&size=200&filter=${filter}`, { token: owner });
  return text.includes(`"${accession}"`);
};
const changes = async (accession: string): Promise<string[]> => {
  const { text } = await service.get('/changes', { token: owner });
  return text
    .split('\n')
    .filter((line) => line.includes(`"${accession}"`))
    .map((line) => (JSON.parse(line) as { type: string }).type);
};

describe('PUT and DELETE /samples/{accession}/withdrawal', () => {
  it('take a public sample from everybody else and give it back, with its history', async () => {
    const accession = await register();
    const withdrawn = await withdrawal('PUT', accession);
    expect([withdrawn.status, withdrawn.json<Sample>().status]).toEqual([200, 'WITHDRAWN']);
    expect([(await read(accession, null)).status, (await read(accession, other)).status]).toEqual([403, 403]);
    expect((await read(accession, owner)).json()).toMatchObject({ name: 's', status: 'WITHDRAWN' });
    expect([await listed(accession), await listed(accession, 'status:withdrawn')]).toEqual([false, true]);
    const again = await withdrawal('PUT', accession);
    expect(again.headers.get('etag')).toBe(withdrawn.headers.get('etag'));
    const back = await withdrawal('DELETE', accession);
    expect([back.status, back.json<Sample>().status]).toEqual([200, 'PUBLIC']);
    expect((await read(accession, null)).status).toBe(200);
    expect(await listed(accession)).toBe(true);
    const history = await service.get(`/samples/${accession}/history`, { token: owner });
    expect(history.json<{ _embedded: { versions: unknown[] } }>()._embedded.versions).toHaveLength(3);
    expect(await changes(accession)).toEqual(['created', 'withdrawn', 'released']);
  });

  it('leave the content as it is, and updates leave the withdrawal', async () => {
    const accession = await register({ characteristics: { organism: [{ text: 'human' }] } });
    await withdrawal('PUT', accession);
    const body = (await read(accession, owner)).json<Sample>();
    expect(body).toMatchObject({ characteristics: { organism: [{ text: 'human' }] } });
    const renamed = await service.send('PUT', `/samples/${accession}`, { ...body, name: 'r' }, { token: owner });
    expect(renamed.json()).toMatchObject({ name: 'r', status: 'WITHDRAWN' });
    const { status: _, ...bare } = body;
    const again = await service.send('PUT', `/samples/${accession}`, bare, { token: owner });
    expect(again.json()).toMatchObject({ name: 's', status: 'WITHDRAWN' });
  });

  it('are what the status of a body asks for, too', async () => {
    const accession = await register();
    const put = (status: string, token = owner) =>
      service.send('PUT', `/samples/${accession}`, { accession, name: 's', release: '2020-01-01', status }, { token });
    expect((await put('WITHDRAWN')).json<Sample>().status).toBe('WITHDRAWN');
    expect((await put('PUBLIC')).json<Sample>().status).toBe('PUBLIC');
    expect((await put('PRIVATE')).status).toBe(422);
    const born = await service.send(
      'POST',
      '/samples',
      { name: 's', release: '2020-01-01', status: 'WITHDRAWN' },
      { token: owner },
    );
    expect(born.json<Sample>().status).toBe('WITHDRAWN');
  });

  it('change nothing that an administrator decided', async () => {
    const accession = await register();
    const body = (await read(accession, owner)).json<Sample>();
    const put = (status: string, token: string) =>
      service.send('PUT', `/samples/${accession}`, { ...body, status }, { token });
    expect((await put('SUPPRESSED', ADMIN_TOKEN)).status).toBe(200);
    for (const method of ['PUT', 'DELETE'] as const) {
      const refused = await withdrawal(method, accession);
      expect([refused.status, refused.text.includes('SUPPRESSED')], refused.text).toEqual([409, true]);
    }
    expect((await put('WITHDRAWN', owner)).status).toBe(422);
    expect((await read(accession, owner)).json<Sample>().status).toBe('SUPPRESSED');
  });

  it('are the owner’s, and of samples that were submitted', async () => {
    const accession = await register();
    expect((await withdrawal('PUT', accession, other)).status).toBe(403);
    expect((await withdrawal('PUT', 'SAMR999999999')).status).toBe(404);
    const placeholder = await service.send('POST', '/samples/accession', { name: 'p' }, { token: owner });
    const refused = await withdrawal('PUT', placeholder.json<Sample>().accession);
    expect([refused.status, refused.text.includes('never submitted')], refused.text).toEqual([409, true]);
  });
});

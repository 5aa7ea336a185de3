/** Parameters that say what a request is about: what is unclear is refused, and not taken for everything. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../service.js';

let service: Service;
let accession: string;
beforeAll(async () => {
  service = await startService();
  const made = await service.send('POST', '/samples', { name: 'a', release: '2020-01-01' });
  accession = made.json<{ accession: string }>().accession;
});
afterAll(() => service.stop());

const detailOf = async (method: string, path: string) => {
  const answer = await service.call(path, { method });
  return [answer.status, answer.json<{ detail: string }>().detail];
};

it('tables are taken away by what is said clearly, or all of them', async () => {
  const tables = ['AMR', 'x'].map((type) => ({ type, content: [{ a: { value: '1' } }] }));
  const path = `/structureddata/${accession}`;
  await service.send('PUT', path, { data: tables });
  const kinds = async () => (await service.get(path)).json<{ data: { type: string }[] }>().data.map(({ type }) => type);
  const all = 'give one, or leave it out to take all tables away.';
  expect(await detailOf('DELETE', `${path}?type=`)).toEqual([400, `type= is empty; ${all}`]);
  expect(await detailOf('DELETE', `${path}?account=%20`)).toEqual([400, `account= is empty; ${all}`]);
  expect(await detailOf('DELETE', `${path}?type=x&type=AMR`)).toEqual([
    400,
    `type= is given twice with different values; ${all}`,
  ]);
  expect(await detailOf('DELETE', `${path}?Type=x`)).toEqual([400, 'There is no parameter Type; write type.']);
  expect(await kinds()).toEqual(['AMR', 'x']);
  expect((await service.call(`${path}?type=x&type=%20x&unknown=`, { method: 'DELETE' })).status).toBe(204);
  expect(await kinds()).toEqual(['AMR']);
  expect((await service.call(path, { method: 'DELETE' })).status).toBe(204);
  expect((await service.get(path)).status).toBe(404);
});

it('a sheet of samples is of those named or of those of a submission', async () => {
  const { id } = await service.uploadAndSettle('Sample Name\tRelease Date\nb\t2020-01-01\n');
  const both = `/samples/template?submission=${id}&accession=${accession}`;
  expect(await detailOf('GET', both)).toEqual([400, 'Give accession or submission, not both.']);
  const sheetOf = async (query: string) => (await service.get(`/samples/template?${query}`)).text;
  expect(await sheetOf(`submission=${id}`)).not.toContain(accession);
  expect(await sheetOf(`accession=${accession}`)).toContain(accession);
});

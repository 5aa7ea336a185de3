/** Parameters that say what a request is about: what is unclear is refused, and not taken for everything. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/http/openapi/openapi.js';
import { type Service, startService } from '../service.js';

let service: Service;
let accession: string;
let submission: string;
beforeAll(async () => {
  service = await startService();
  const made = await service.send('POST', '/samples', { name: 'a', release: '2020-01-01' });
  accession = made.json<{ accession: string }>().accession;
  submission = (await service.uploadAndSettle('Sample Name\tRelease Date\nb\t2020-01-01\n')).id;
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
  const both = `/samples/template?submission=${submission}&accession=${accession}`;
  expect(await detailOf('GET', both)).toEqual([400, 'Give accession or submission, not both.']);
  const sheetOf = async (query: string) => (await service.get(`/samples/template?${query}`)).text;
  expect(await sheetOf(`submission=${submission}`)).not.toContain(accession);
  expect(await sheetOf(`accession=${accession}`)).toContain(accession);
});

/** Lists, with commas between their items or given again, and the search of the help, whose words are put together. */
const TAKE_SEVERAL = ['fields', 'types', 'accession', 'accessions', 'id', 'q'];
/** What {id} stands for there is no submission; the page is the same whatever its address says. */
const ELSEWHERE = /^\/(?:webhooks|samples\/exports|checklists|files)\/\{id\}|^\/page|\{(?!accession|id\})/;

const single = OPERATIONS.filter(({ method, path }) => method === 'get' && !ELSEWHERE.test(path)).flatMap(
  ({ path, parameters = [] }) =>
    parameters
      .filter(
        ({ in: place, name, schema }) => place === 'query' && schema?.type !== 'array' && !TAKE_SEVERAL.includes(name),
      )
      .map(({ name }) => [path, name] as const),
);

it.each(single)('GET %s does not choose among two values of %s', async (path, name) => {
  const at = path.replace('{accession}', accession).replace('{id}', submission);
  expect(await detailOf('GET', `${at}?${name}=1&${name}=2`)).toEqual([
    400,
    `${name} is given twice with different values, ${name}=1 and ${name}=2; give it once.`,
  ]);
});

it('the same value given twice is one', async () => {
  expect(single).toContainEqual(['/samples', 'text']);
  expect((await service.get('/samples?text=a&text=a&size=1&size=1')).status).toBe(200);
  expect((await service.get('/help?q=name&q=column')).status).toBe(200);
  expect((await service.get(`/page/?sample=${accession}&sample=SAMR2`)).status).toBe(200);
});

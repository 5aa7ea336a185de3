/** Which form of an answer is chosen by what the client accepts (RFC 9110, 12.5.1). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/http/openapi/openapi.js';
import { type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const HAL = 'application/hal+json';
const JSON_TYPE = 'application/json;charset=UTF-8';

let asked = 0;
/** What was chosen is remembered by the whole header: each request has one of its own. */
const own = (accept: string): string => `${accept}, x/${asked++}`;
const typeFor = async (accept: string) => {
  const { status, headers } = await service.get('/', { headers: { accept: own(accept) } });
  return status === 200 ? headers.get('content-type') : status;
};

it.each([
  ['application/json;q=0.5, application/hal+json', HAL],
  ['application/json, application/hal+json;q=0.5', JSON_TYPE],
  ['application/json;q=0.2, application/hal+json;q=0.3', HAL],
  ['application/json ; q=0.1,application/hal+json;q=0.1', HAL],
  ['application/*', HAL],
  ['application/*, application/hal+json;q=0', JSON_TYPE],
  ['application/*;q=0, */*', 406],
  ['application/json;q=0.3, application/*;q=0.9', HAL],
  ['text/plain, */*;q=0.1', HAL],
  ['text/*, */*;q=0', 406],
  ['application/json;q=0.2, */*;q=0.1', JSON_TYPE],
  ['application/json; v="a,b;q=0.9"; Q=0.4, application/hal+json;q=0.3', JSON_TYPE],
  ['Application/JSON', JSON_TYPE],
  ['application/hal+json;q=0, application/json;q=0.001', JSON_TYPE],
  ['*/*;q=0', 406],
  ['application/json;q=much', 406],
  ['application/json;q=-1', 406],
  ['application/json;q=', 406],
  ['application', 406],
  ['application/jsonx', 406],
  ['', 406],
])('%j gets %s', async (accept, expected) => {
  expect(await typeFor(accept)).toBe(expected);
});

it('an empty list names nothing that is not wanted', async () => {
  for (const accept of ['', '*/*'])
    expect((await service.get('/', { headers: { accept } })).headers.get('content-type')).toBe(HAL);
});

it.each([
  ['text/csv', '', 'text/csv;charset=UTF-8'],
  ['application/x-ndjson', '', 'application/x-ndjson'],
  ['application/ld+json, text/csv;q=0.5', '', 'application/ld+json;charset=UTF-8'],
  [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    '',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  ['text/csv', '?format=ndjson', 'application/x-ndjson'],
  // What most clients send, with every request.
  ['*/*', '', 'text/tab-separated-values;charset=UTF-8'],
  ['application/json', '', 'text/tab-separated-values;charset=UTF-8'],
  ['application/json, text/plain, */*', '', 'text/tab-separated-values;charset=UTF-8'],
])('a whole result for %s%s is %s', async (accept, query, expected) => {
  const address = `/samples/export${query}`;
  for (const method of ['GET', 'HEAD']) {
    const response = await service.send(method, address, undefined, { headers: { accept } });
    expect([response.status, response.headers.get('content-type')], method).toEqual([200, expected]);
  }
});

it('is JSON where a list is answered as it was sent, unless HAL is wanted', async () => {
  const typeOf = async (accept: string) => {
    const sample = { name: 's', release: '2020-01-01' };
    return (await service.send('POST', '/v2/samples/validate', [sample], { headers: { accept } })).headers.get(
      'content-type',
    );
  };
  expect(await typeOf(own('*/*'))).toBe(JSON_TYPE);
  expect(await typeOf('*/*')).toBe(JSON_TYPE);
  expect(await typeOf(own('application/json'))).toBe(JSON_TYPE);
  expect(await typeOf(own('application/json;q=0.5, application/hal+json'))).toBe(HAL);
});

it('names what the address answers when none of it is accepted, each time', async () => {
  const accept = own('image/png');
  for (let times = 0; times < 2; times++) {
    const answer = await service.get('/', { headers: { accept } });
    expect([answer.status, answer.json<{ detail: string }>().detail]).toEqual([
      406,
      `The Accept header is ${JSON.stringify(accept)}; this address answers application/hal+json or application/json.`,
    ]);
  }
  const long = own(`image/${'x'.repeat(300)}`);
  expect((await service.get('/', { headers: { accept: long } })).json<{ detail: string }>().detail).toContain(
    `"image/${'x'.repeat(194)}"; this address`,
  );
});

it('remembers what it chose for these offers alone', async () => {
  const accept = own('application/json, text/html;q=0.1');
  for (const path of ['/', '/samples', '/']) {
    const answer = await service.get(path, { headers: { accept } });
    expect([path, answer.headers.get('content-type')]).toEqual([path, JSON_TYPE]);
  }
  const description = own('application/openapi+json;q=0.5, application/hal+json');
  expect((await service.get('/', { headers: { accept: description } })).headers.get('content-type')).toBe(HAL);
  expect((await service.get('/openapi.json', { headers: { accept: description } })).headers.get('content-type')).toBe(
    'application/openapi+json',
  );
});

it('is HAL wherever an answer has links, for clients that ask for nothing else', async () => {
  // Whose answers have no links.
  const plain = [
    '/samples/export',
    '/samples/template',
    '/openapi.json',
    '/docs',
    '/docs/style.css',
    '/help',
    '/page/',
    '/metrics',
  ];
  const addresses = OPERATIONS.filter(
    ({ method, path }) => method === 'get' && !/\{/.test(path) && !plain.includes(path),
  );
  const statuses = await Promise.all(
    addresses.map(async ({ path }) => [path, (await service.get(path, { headers: { accept: HAL } })).status]),
  );
  expect(statuses.filter(([, status]) => status === 406)).toEqual([]);
  expect(statuses).toContainEqual(['/changes', 200]);
  const changes = (accept: string) => service.get('/changes?size=1', { headers: { accept } });
  expect((await changes(HAL)).headers.get('content-type')).toBe(HAL);
  expect((await changes(HAL)).json()).toHaveProperty('_links.next.href');
  expect((await changes(`${HAL}, application/json`)).headers.get('content-type')).toBe(JSON_TYPE);
  expect((await changes('*/*')).headers.get('content-type')).toBe('application/x-ndjson');
});

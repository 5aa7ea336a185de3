/** Addresses as proxies send them, and as nobody in good faith does. */
import { type IncomingMessage, maxHeaderSize, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAccession } from '../../src/http/read-sample.js';
import { tidyPath } from '../../src/http/tidy-address.js';
import { processorMs } from '../support/processor-time.js';
import { type Service, startService } from './service.js';

describe('slashes by the hundred thousand', () => {
  const slashes = '/'.repeat(100_000);

  it.each([
    ['in front', `${slashes}a`],
    ['behind the samples', `/samples${slashes}a`],
    ['behind those of a base path', `/samples/samples${slashes}a`],
  ])('%s of a word hold up nobody', (_, path) => {
    const taken = processorMs(() => {
      expect(tidyPath(path)).toBe(path);
      expect(readAccession({ method: 'GET', url: path } as IncomingMessage, '', 'SAMR')).toBeUndefined();
    });
    expect(taken, 'ms of the processor').toBeLessThan(5_000);
  });

  it('behind a word are taken away, and behind nothing all but one', () => {
    expect(tidyPath(`/samples${slashes}`)).toBe('/samples');
    expect(tidyPath(slashes)).toBe('/');
    for (const named of ['/openapi.json', '/OpenAPI.json']) expect(tidyPath(`${named}/`)).toBe(named);
    expect(readAccession({ method: 'GET', url: `/samples/SAMR1.json${slashes}` } as IncomingMessage, '', 'SAMR')).toBe(
      'SAMR1',
    );
  });
});

describe('an address with letters beyond ASCII', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it.each([
    ['/samples', 'text'],
    ['/samples', 'filter', 'attr:a:'],
    ['/samples', 'facets'],
    ['/samples/export', 'filter', 'name:'],
    ['/samples/SAMR1/lineage', 'types'],
    ['/submissions', 'fileName'],
    ['/submissions', 'account'],
    ['/tokens', 'account'],
    ['/accounts', 'text'],
    ['/v2/samples/bulk-fetch', 'accessions'],
  ])('in another encoding than UTF-8 is refused by its parameter: %s?%s', async (path, name, before = '') => {
    const refused = await service.get(`${path}?other=%FC&${name}=${before}M%FCnster`);
    expect([refused.status, refused.json()]).toEqual([
      400,
      expect.objectContaining({
        code: 'request.invalid',
        detail: expect.stringContaining(`${name}=${before}M\uFFFDnster`),
      }),
    ]);
  });

  it.each(['text=a&other=%FC', 'text=M%C3%BCnster', 'text=%EF%BF%BD', 'text=100%', 'text=+%F0%9F%98%80'])(
    'is read where nothing that is asked for is lost: %s',
    async (query) => {
      expect((await service.get(`/samples?${query}`)).status).toBe(200);
    },
  );

  it.each([
    ['bytes as they are', 'text=M\u00fcnster', 400, '%C3%BC'],
    ['a control character', 'text=\u0001', 400, 'percent-encoded'],
    ['more than is read', `text=${'x'.repeat(maxHeaderSize)}`, 431, `${maxHeaderSize} bytes`],
  ])('that holds %s is refused with what to do', async (_, query, status, words) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(`GET /samples?${query} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      status,
      code: 'request.invalid',
      detail: expect.stringContaining(words),
    });
  });
});

describe('an address with scheme and host before it', () => {
  let service: Service;
  let accession: string;
  beforeAll(async () => {
    service = await startService({ env: { BASE_PATH: '/registry' } });
    const made = await service.send('POST', '/samples', { name: 'a', release: '2020-01-01' });
    accession = made.json<{ accession: string }>().accession;
  });
  afterAll(() => service.stop());

  const get = (path: string): Promise<{ status: number | undefined; type: string | undefined; body: string }> =>
    new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port: new URL(service.url).port, path }, async (answer) =>
        resolve({ status: answer.statusCode, type: answer.headers['content-type'], body: await text(answer) }),
      );
      asked.once('error', reject).end();
    });

  it.each([
    ['a sample', () => `/registry/samples/${accession}`, 200],
    ['a list', () => '/registry/samples?size=1', 200],
    ['the root', () => '/registry/', 200],
    ['nothing', () => '/', 404],
  ])('is that of %s', async (_, path, status) => {
    const plain = await get(path());
    expect(plain.status).toBe(status);
    for (const origin of ['http://proxied.example', 'HTTPS://proxied.example:8443'])
      expect(await get(origin + path())).toEqual(plain);
  });

  it.each(['http://proxied.example', 'http://proxied.example?a=1', 'ftp://proxied.example', '*'])(
    'and nothing of ours behind them is refused like any other: %s',
    async (address) => {
      const { status, type, body } = await get(address);
      expect([status, type]).toEqual([404, 'application/problem+json']);
      expect(JSON.parse(body)).toMatchObject({
        code: 'not-found',
        detail: expect.stringContaining('begin at /registry/'),
      });
    },
  );
});

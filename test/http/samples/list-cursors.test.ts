/** A cursor that is none is refused by every list: an empty page would pass for the end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../service.js';

let service: Service;
let deliveries: string;
beforeAll(async () => {
  service = await startService();
  const made = await service.send('POST', '/webhooks', { url: 'https://example.org/hook' });
  deliveries = `/webhooks/${made.json<{ id: string }>().id}/deliveries`;
});
afterAll(() => service.stop());

describe.each<[string, () => string]>([
  ['samples', () => '/samples?cursor='],
  ['curations', () => '/curations?cursor='],
  ['submissions', () => '/submissions?cursor='],
  ['tokens', () => '/tokens?cursor='],
  ['deliveries', () => `${deliveries}?cursor=`],
  ['changes', () => '/changes?after='],
])('the list of %s', (_, address) => {
  it.each(['nope', '1', '%00', '00000000-0000-4000-8000-00000000000', "'"])('refuses the cursor %s', async (cursor) => {
    const answer = await service.get(`${address()}${cursor}`);
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([400, 'request.invalid']);
    expect(answer.json<{ detail: string }>().detail).toMatch(/link "next"|cursor of|Changes-Cursor/);
  });

  it('begins without one', async () => {
    expect((await service.get(address())).status).toBe(200);
  });
});

it.each(['/curations', '/submissions', '/tokens', '/accounts', 'deliveries'])(
  '%s has no numbered pages, and says so',
  async (list) => {
    const address = list === 'deliveries' ? deliveries : list;
    for (const page of ['', '0']) expect((await service.get(`${address}?page=${page}`)).status, page).toBe(200);
    for (const page of ['1', '-1', 'x']) {
      const answer = await service.get(`${address}?page=${page}`);
      expect([answer.status, answer.json<{ detail: string }>().detail]).toEqual([
        400,
        `page=${page}: this list has no numbered pages; leave page out and follow the link "next".`,
      ]);
    }
  },
);

it('tokens of no account in particular are those that may be seen', async () => {
  const token = await service.token('lab-1', ['read']);
  const accounts = async (path: string, by: string) => {
    const answer = await service.get(path, { token: by });
    const { _embedded } = answer.json<{ _embedded: { tokens: { account: string }[] } }>();
    return new Set(_embedded.tokens.map(({ account }) => account));
  };
  expect(await accounts('/tokens?account=', token)).toEqual(new Set(['lab-1']));
  expect(await accounts('/tokens?account=', service.adminToken)).toEqual(new Set(['admin', 'lab-1']));
  expect(await accounts('/tokens?account=lab-1', service.adminToken)).toEqual(new Set(['lab-1']));
  expect((await service.get('/tokens?account=admin', { token })).status).toBe(403);
});

describe('lists of which a page holds one', () => {
  beforeAll(async () => {
    for (const at of [1, 2]) {
      const sample = { name: `page ${at}`, release: '2020-01-01', characteristics: { tissue: [{ text: 'liver' }] } };
      const { accession } = (await service.send('POST', '/samples', sample)).json<{ accession: string }>();
      const curation = { attributesPre: [], attributesPost: [{ type: 'page', value: String(at) }] };
      await service.send('POST', `/samples/${accession}/curationlinks`, { sample: accession, curation });
      await service.upload(`Sample Name\tRelease Date\nrow ${at}\t2020-01-01\n`);
      await service.token('lab-1', ['read']);
      await service.token(`lab-1${at}`, ['read']);
    }
  });

  it.each([
    '/samples?text=page&size=1',
    '/curations?size=1',
    '/submissions?size=1&status=COMPLETED',
    '/tokens?size=1&valid=true',
    '/tokens?size=1&account=lab-1',
    '/accounts?size=1&text=a',
  ])('%s links each page to itself and to the next', async (first) => {
    interface Page {
      _embedded: Record<string, unknown[]>;
      _links: { self: { href: string }; next: { href: string } };
    }
    // Each read is a use of the token that it shows.
    const read = async (path: string): Promise<Page> =>
      JSON.parse((await service.get(path, { token: service.adminToken })).text, (name, value) =>
        name === 'lastUsed' ? undefined : value,
      );
    const page = await read(first);
    const { self, next } = page._links;
    const pathOf = (href: string) => href.slice(new URL(href).origin.length);
    expect(await read(pathOf(self.href))).toEqual(page);
    const second = await read(pathOf(next.href));
    expect(second._links.self).toEqual(next);
    expect(second._embedded).not.toEqual(page._embedded);
    for (const [name, value] of new URLSearchParams(first.split('?')[1]))
      for (const { href } of [self, next]) expect(new URL(href).searchParams.get(name), href).toBe(value);
  });
});

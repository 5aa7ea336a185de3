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

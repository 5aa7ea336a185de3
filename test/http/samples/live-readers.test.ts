/** How many connections one account and one network keep open for what is still to come. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { submissionIdOf } from '../../support/api-caller.js';
import { type Service, startService } from '../service.js';
import { sheet } from '../uploads/forms.js';

let service: Service;
let token: string;
/** Events of a submission that is under way for longer than anybody here asks. */
let underWay: string;
beforeAll(async () => {
  service = await startService({ withoutWorker: true, env: { SMALL_WAIT_SECONDS: '0' } });
  token = await service.token('follower');
  const answer = await service.upload(sheet(), { token });
  underWay = `/submissions/${submissionIdOf(answer)}`;
});
afterAll(async () => {
  await service.call(underWay, { method: 'DELETE' });
  await service.stop();
});

/** Resolves when the answer has begun. */
async function follow(path: string, by: string | null): Promise<IncomingMessage> {
  const headers = { accept: 'text/event-stream', ...(by === null ? {} : { authorization: `Bearer ${by}` }) };
  const [answer] = (await once(request(`${service.url}${path}`, { headers }).end(), 'response')) as [IncomingMessage];
  return answer;
}

const PAGES = 'ask for pages (Accept: application/x-ndjson)';
it.each<[string, string, () => string, () => string | null, number, string]>([
  ['an account', 'changes', () => '/changes', () => token, 20, PAGES],
  ['nobody', 'changes', () => '/changes', () => null, 20, PAGES],
  ['an account', 'submissions', () => `${underWay}/events`, () => token, 50, 'ask for the status now and then'],
])('%s that follows %s has so many places, and each again that is left', async (_, what, path, by, places, instead) => {
  const readers = await Promise.all(Array.from({ length: places }, () => follow(path(), by())));
  expect(readers.map(({ statusCode }) => statusCode)).toEqual(readers.map(() => 200));
  const refused = await follow(path(), by());
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10']);
  expect(JSON.parse(await text(refused))).toMatchObject({
    code: 'rate.limited',
    detail: `You follow ${what} on ${places} connections already; close one, or ${instead}.`,
  });
  // Another's places are their own.
  const other = await follow(path(), service.adminToken);
  expect(other.statusCode).toBe(200);
  for (const reader of [...readers, other]) reader.destroy();
  await expect.poll(async () => (await follow(path(), by())).destroy().statusCode).toBe(200);
});

it('a submission is looked at once for all who follow it, and each of them sees what became of it', async () => {
  const id = submissionIdOf(await service.upload(sheet(), { token }));
  const readers = await Promise.all(Array.from({ length: 50 }, () => follow(`/submissions/${id}/events`, token)));
  await Promise.all(readers.map((reader) => once(reader, 'data')));
  const find = service.store.find;
  let changed = () => {};
  const change = new Promise<void>((resolve) => {
    changed = resolve;
  });
  const looks = vi.spyOn(service.store, 'find').mockImplementation(async (asked) => {
    await change;
    return find(asked);
  });
  await service.store.cancel(id);
  changed();
  const said = await Promise.all(readers.map((reader) => text(reader)));
  expect(said.map((events) => events.includes('event: end'))).toEqual(readers.map(() => true));
  expect(looks).toHaveBeenCalledTimes(1);
  looks.mockRestore();
});

it('events of a submission end when the token is revoked that asked for them', async () => {
  const { record, text: shown } = await service.tokens.issue({ account: 'lab', name: 'live', scopes: ['submit'] });
  const other = await service.token('lab');
  const running = `/submissions/${submissionIdOf(await service.upload(sheet(), { token: shown }))}`;
  const events = await follow(`${running}/events`, shown);
  const seen: string[] = [];
  events.setEncoding('utf8').on('data', (piece: string) => seen.push(piece));
  const over = once(events, 'end');
  await once(events, 'data');
  await service.tokens.revoke(record.id);
  // A change, for which the token is asked for again; who may still read would see the end.
  await service.call(running, { method: 'DELETE', token: other });
  await over;
  expect(seen.join('')).not.toContain('event: end');
});

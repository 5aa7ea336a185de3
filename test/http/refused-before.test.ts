/** What is refused because no answer can be given in the form that is accepted has changed nothing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_TOKEN, type Service, startService } from './service.js';

let service: Service;
let submission: string;
beforeAll(async () => {
  service = await startService();
  const { id } = await service.uploadAndSettle('Sample Name\tRelease Date\na\t2020-01-01\n');
  submission = `/submissions/${id}`;
});
afterAll(() => service.stop());

const SHEET = 'Sample Name\tRelease Date\na\t2020-01-01\n';
const refused = async (method: string, path: string, body?: object): Promise<void> => {
  const answer = await service.send(method, path, body, { headers: { accept: 'image/png' } });
  expect([method, path, answer.status]).toEqual([method, path, 406]);
};
const total = async (path: string): Promise<number> => {
  const { _embedded = {} } = (await service.get(path)).json<{ _embedded?: Record<string, unknown[]> }>();
  return Object.values(_embedded).flat().length;
};

it('makes no account and no password', async () => {
  await refused('POST', '/accounts', { account: 'nobody' });
  expect((await service.get('/accounts/nobody')).status).toBe(404);
  await service.send('POST', '/accounts', { account: 'known' });
  await refused('POST', '/accounts/known/password-reset');
  expect((await service.get('/accounts/known')).json()).toMatchObject({ password: 'none' });
});

it('makes no token and no session', async () => {
  const before = await total('/tokens');
  await refused('POST', '/tokens', { name: 'lost', scopes: ['read'] });
  await refused('POST', '/auth/session', { token: ADMIN_TOKEN });
  expect(await total('/tokens')).toBe(before);
});

it('neither makes nor changes a submission', async () => {
  const { id } = await service.uploadAndSettle(SHEET, { options: { dryRun: 'true' } });
  const before = await total('/submissions');
  await refused('POST', `/submissions/${id}/commit`);
  await refused('POST', `${submission}/undo`);
  await refused('POST', `${submission}/retry`);
  await refused('DELETE', submission);
  await refused('POST', '/submissions/edits', { select: { filter: ['name:a'] }, changes: [{ clear: 'x' }] });
  expect(await total('/submissions')).toBe(before);
});

/** Who reads the metrics: administrators, and whoever shows the token made for it, spelt as any bearer token may be. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from './service.js';

const METRICS_TOKEN = 'prometheus-reads-this';
let service: Service;
beforeAll(async () => {
  service = await startService({ env: { METRICS_TOKEN } });
});
afterAll(() => service.stop());

const status = async (authorization: string): Promise<number> =>
  (await service.call('/metrics', { token: null, headers: { authorization } })).status;

it('takes the token however its scheme is spelt', async () => {
  for (const scheme of ['Bearer ', 'bearer ', 'BEARER  '])
    expect(await status(scheme + METRICS_TOKEN), scheme).toBe(200);
  expect(await status(`Bearer ${service.adminToken}`)).toBe(200);
});

it('refuses every other', async () => {
  expect(await status(`Bearer ${await service.token('lab-1')}`)).toBe(403);
  expect(await status(`Bearer ${METRICS_TOKEN.slice(1)}`)).toBe(401);
  expect(await status(`Basic ${METRICS_TOKEN}`)).toBe(401);
  expect(await status(METRICS_TOKEN)).toBe(401);
  expect((await service.get('/metrics', { token: null })).status).toBe(401);
});

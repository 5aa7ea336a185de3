/** Addresses that a method is sent to which they do not take. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

it.each([
  ['/page/', 'GET, HEAD, OPTIONS'],
  ['/page/index.html', 'GET, HEAD, OPTIONS'],
  ['/page/nothing', 'GET, HEAD, OPTIONS'],
  ['/help', 'GET, HEAD, OPTIONS'],
  ['/samples', 'GET, HEAD, OPTIONS, POST'],
  ['/samples/accession', 'OPTIONS, POST'],
  ['/files', 'OPTIONS, POST'],
])('%s says which it takes', async (path, allowed) => {
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    const answer = await service.call(path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
    expect(answer.json<{ detail: string }>().detail).toContain(
      `${method} is not taken here; this address takes ${allowed}.`,
    );
  }
  const asked = await service.call(path, { method: 'OPTIONS' });
  expect([asked.status, asked.headers.get('allow'), asked.text]).toEqual([204, allowed, '']);
});

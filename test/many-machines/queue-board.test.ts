/** The board of the queue, served to administrators. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';
import { service, without } from '../support/services.js';

describe.skipIf(without('redis'))('the board of the queue', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ env: { QUEUE_URL: `${service('redis')}?prefix=board-${process.pid}` } });
  });
  afterAll(() => server.stop());

  it('shows both lanes to an administrator, its files included', async () => {
    const page = await server.get('/queues');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const queues = (await server.get('/queues/api/queues')).json<{ queues: { name: string }[] }>().queues;
    expect(queues.map(({ name }) => name)).toEqual(['submissions-small', 'submissions-large']);
    const script = /src="([^"]+\.js)"/.exec(page.text)?.[1] ?? '';
    const base = new URL(/<base href="([^"]+)"/.exec(page.text)?.[1] ?? '/queues/', `${server.url}/`);
    expect((await server.get(new URL(script, base).href)).status).toBe(200);
    expect(page.text).not.toMatch(/<script>(?!\s*<)/);
  });

  it('is closed to everyone else', async () => {
    expect((await server.get('/queues', { token: null })).status).toBe(401);
    expect((await server.get('/queues/api/queues', { token: await server.token('lab') })).status).toBe(403);
  });
});

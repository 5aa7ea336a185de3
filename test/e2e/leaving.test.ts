/**
 * A service that is replaced: whoever keeps connections to it, as a proxy does, loses no request to its end.
 *
 * @module-tag slow
 */

import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { standStill } from '../support/processes.js';
import { startServer, type TestServer } from '../support/server.js';

/** Longer than any machine takes for a dozen requests. */
const LEAVE_SECONDS = 300;

/** Status and whether the connection may be used again. */
async function ask(url: string, agent: Agent): Promise<{ status: number | undefined; kept: boolean }> {
  const sent = request(`${url}/samples?size=1`, { agent });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return { status: answer.statusCode, kept: answer.headers.connection !== 'close' };
}

describe('a service that has had SIGTERM', () => {
  let server: TestServer;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  afterEach(async () => {
    agent.destroy();
    await server?.stop();
  });

  const start = async (seconds: number) => {
    // Workers that have just been started end late on a busy machine, which is no matter of leaving.
    server = await startServer({
      env: { LEAVE_SECONDS: String(seconds), SHUTDOWN_SECONDS: '120', LOG_LEVEL: 'info' },
    });
  };

  it('answers each kept connection once more and takes new ones, until it is asked again to go', async () => {
    await start(LEAVE_SECONDS);
    expect(await Promise.all(Array.from({ length: 4 }, () => ask(server.url, agent)))).toEqual(
      Array.from({ length: 4 }, () => ({ status: 200, kept: true })),
    );
    const ended = server.ended();
    process.kill(server.pid, 'SIGTERM');
    await expect.poll(async () => (await ask(server.url, agent)).kept).toBe(false);
    const [live, ready] = await Promise.all(['live', 'ready'].map((what) => server.get(`/health/${what}`)));
    expect([live?.status, ready?.status]).toEqual([200, 503]);
    expect([live?.json().status, ready?.json().status]).toEqual(['leaving', 'leaving']);
    const answers = [];
    for (let asked = 0; asked < 8; asked++) answers.push(await ask(server.url, agent));
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ status: 200, kept: false })]),
    );
    process.kill(server.pid, 'SIGINT');
    expect(await ended).toBe(0);
    await expect(ask(server.url, agent)).rejects.toThrow('ECONNREFUSED');
  });

  it('ends in order within its time though a request and a worker both hang to the end of it', async () => {
    server = await startServer({ env: { SHUTDOWN_SECONDS: '4', LEASE_SECONDS: '60' } });
    const { hostname, port } = new URL(server.url);
    const hanging = connect(Number(port), hostname);
    const cut = once(hanging, 'close');
    hanging.write(`POST /samples HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.adminToken}\r\n`);
    hanging.write('Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
    await standStill(server.ingestPids());
    const ended = server.ended();
    process.kill(server.pid, 'SIGTERM');
    expect(await ended).toBe(0);
    await cut;
  });

  it('goes by itself when its time to leave is over', async () => {
    await start(1);
    const ended = server.ended();
    process.kill(server.pid, 'SIGTERM');
    expect(await ended).toBe(0);
    await expect(ask(server.url, agent)).rejects.toThrow('ECONNREFUSED');
  });
});

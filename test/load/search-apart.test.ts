/**
 * Expensive searches of many clients hold up other searches at most: everything else is answered meanwhile.
 *
 * @module-tag slow
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';

const ROWS = 5_000;
/** Fewer than may wait. */
const SEARCHES = 90;
/** Four times as many as may wait. */
const TOO_MANY = 400;
/** Each value of each sample is counted. */
const EXPENSIVE = '/samples?text=sapiens%20homo&facets=*&facetValues=100&size=1';

describe('many expensive searches', () => {
  let server: TestServer;
  let accession: string;
  beforeAll(async () => {
    server = await startServer();
    const { id } = await server.uploadAndSettle(plainSheet({ tag: 'much', rows: ROWS }));
    accession = (await server.mapping(id)).sampleNameAccessionPairs[0]?.sampleAccession as string;
    const lag = async () => (await server.get('/operations')).json<{ searchIndex: { lag: number } }>().searchIndex.lag;
    while ((await lag()) > 0) await sleep(100);
  });
  afterAll(() => server.stop());

  /**
   * Sends all of them at once, each on a connection that is there already, so that they have all arrived before the first is answered
   * whatever else the machine does. `statuses`: of those answered so far.
   */
  const sendAtOnce = async (searches: number) => {
    const { hostname, port } = new URL(server.url);
    const request = `GET ${EXPENSIVE} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`;
    const sockets = await Promise.all(
      Array.from({ length: searches }, async () => {
        const socket = connect(Number(port), hostname).setEncoding('utf8');
        await once(socket, 'connect');
        return socket;
      }),
    );
    const statuses: number[] = [];
    let start: () => void;
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const answers = sockets.map(async (socket) => {
      socket.write(request);
      for await (const part of socket) {
        const [, status] = /^HTTP\/1\.1 (\d+)/.exec(part as string) ?? [];
        if (status !== undefined) statuses.push(Number(status));
        start();
      }
    });
    return { started, ended: Promise.all(answers), statuses };
  };

  it('leave other reads served: they are answered before the searches sent earlier', async () => {
    const { started, ended, statuses } = await sendAtOnce(SEARCHES);
    await started;
    expect((await server.call('/health/live', { token: null })).status).toBe(200);
    expect((await server.call(`/samples/${accession}`, { token: null })).status).toBe(200);
    expect(statuses.length, 'searches answered before the reads').toBeLessThan(SEARCHES);
    await ended;
    expect(statuses).toEqual(Array(SEARCHES).fill(200));
  });

  it('have turns with those of others', async () => {
    const { started, ended, statuses } = await sendAtOnce(SEARCHES);
    await started;
    expect((await server.get(EXPENSIVE)).status).toBe(200);
    expect(statuses.length, 'searches answered before that of another').toBeLessThan(SEARCHES);
    await ended;
    expect(statuses).toEqual(Array(SEARCHES).fill(200));
  });

  it('beyond what may wait are refused for now, not queued without end', async () => {
    const { ended, statuses } = await sendAtOnce(TOO_MANY);
    await ended;
    expect(statuses).toHaveLength(TOO_MANY);
    expect([...new Set(statuses)].sort()).toEqual([200, 503]);
    expect((await server.call(EXPENSIVE, { token: null })).status).toBe(200);
  });
});

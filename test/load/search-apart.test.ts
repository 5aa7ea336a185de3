/** Expensive searches of many clients hold up other searches at most: everything else is answered meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';

const ROWS = 5_000;
const SEARCHES = 40;
/** Many times as many as may wait: some are answered while others still arrive. */
const FAR_TOO_MANY = 1_000;
/** Every sample has the word and none the date: each is looked at. */
const EXPENSIVE = '/samples?text=sapiens%20homo&filter=dt:update:until=1990-01-01&page=0';

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

  it('leave other reads served: they are answered before the searches sent earlier', async () => {
    let answered = 0;
    const searches = Array.from({ length: SEARCHES }, () =>
      server.call(EXPENSIVE, { token: null }).then((answer) => {
        answered++;
        return answer;
      }),
    );
    // They have all arrived when one of them is answered.
    await Promise.race(searches);
    expect((await server.call('/health/live', { token: null })).status).toBe(200);
    expect((await server.call(`/samples/${accession}`, { token: null })).status).toBe(200);
    expect(answered, 'searches answered before the reads').toBeLessThan(SEARCHES);
    for (const { status, text } of await Promise.all(searches)) expect(status, text).toBe(200);
  });

  it('beyond what may wait are refused for now, not queued without end', async () => {
    const answers = await Promise.all(
      Array.from({ length: FAR_TOO_MANY }, () => server.call(EXPENSIVE, { token: null })),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 503]);
    expect((await server.call(EXPENSIVE, { token: null })).status).toBe(200);
  });
});

/**
 * The search index reaches the writes whatever they are, with its process killed in between (build needed).
 *
 * @module-tag slow
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { plainSheet } from '../support/plain-sheet.js';
import { childrenOf, killNow, standStill } from '../support/processes.js';
import { startServer, type TestServer } from '../support/server.js';

const PROOF = process.env.PROOF === '1';
const UNDONE_ROWS = PROOF ? 700_000 : 4_000;
const WIDE_ROWS = PROOF ? 600 : 24;
const WIDE_COLUMNS = 1_000;
const CURATIONS = PROOF ? 4_000 : 24;
const KILLS = 3;
/** Several steps of the indexer. */
const MORE_ROWS = 5_000;

interface Operations {
  searchIndex: { status: string; lag: number; nameOnly: { count: number } };
}

describe('an undo of many rows, a very wide sheet and many curations', () => {
  let server: TestServer;
  beforeAll(async () => {
    // One that stands still is not taken for dead meanwhile.
    server = await startServer({ env: { LEASE_SECONDS: '120' } });
  });
  afterAll(() => server.stop());

  const operations = async () => (await server.get('/operations')).json<Operations>().searchIndex;
  const indexer = () => childrenOf(server.pid, /workers[\\/]indexer/)[0];
  const names = async (query: string): Promise<string[]> => {
    const page = (await server.get(`/samples?size=50&${query}`)).json<{
      _embedded?: { samples: { name: string }[] };
    }>();
    return (page._embedded?.samples ?? []).map(({ name }) => name);
  };

  let more = 0;
  /** Stops the indexer while something is left to take in; where nothing is, it is given more and begins with it first. */
  async function stoppedInTheMiddle(): Promise<number> {
    for (;;) {
      const victim = indexer();
      if (victim === undefined) {
        await sleep(20);
        continue;
      }
      await standStill([victim]);
      if ((await operations()).lag > 0) return victim;
      await server.uploadAndSettle(plainSheet({ tag: `more ${more++}`, rows: MORE_ROWS }));
      const { lag } = await operations();
      killNow([victim], 'SIGCONT');
      while ((await operations()).lag >= lag) await sleep(5);
    }
  }

  /** Kills the indexer in the middle, and waits until another has taken something in. */
  async function killInTheMiddle(): Promise<void> {
    const victim = await stoppedInTheMiddle();
    const { lag } = await operations();
    killNow([victim]);
    while (indexer() === undefined || indexer() === victim) await sleep(20);
    for (let now = await operations(); now.lag >= lag; now = await operations()) await sleep(20);
  }

  it(`the lag reaches 0 though the indexer is killed ${KILLS} times`, async () => {
    const first = await server.uploadAndSettle(plainSheet({ tag: 'undone', rows: UNDONE_ROWS }));
    const undo = await server.call(`/submissions/${first.id}/undo`, { method: 'POST' });
    await server.settled(submissionIdOf(undo));
    const wide = await server.uploadAndSettle(wideSheet());
    expect(wide.status.counts.created).toBe(WIDE_ROWS);
    const curated = (await server.get(`/submissions/${wide.id}/mapping`)).json<{
      sampleNameAccessionPairs: { sampleAccession: string }[];
    }>().sampleNameAccessionPairs;
    for (let n = 0; n < CURATIONS; n++) await curate(curated[n % curated.length]?.sampleAccession as string, n);

    for (let kills = 0; kills < KILLS; kills++) await killInTheMiddle();
    while ((await operations()).lag > 0) await sleep(100);

    expect(await operations()).toMatchObject({ status: 'current', lag: 0, nameOnly: { count: 0 } });
    expect(server.output()).not.toContain('worker is silent');
    expect(server.output()).not.toContain('the indexing thread');
    const last = WIDE_ROWS - 1;
    expect(await names(`text=cell${last}x${WIDE_COLUMNS - 1}`)).toEqual([`wide_${last}`]);
    expect(await names(`text=curated${CURATIONS - 1}`)).toHaveLength(1);
    const open = await server.call('/samples?filter=name:undone_5', { token: null });
    expect(open.json()).not.toHaveProperty('_embedded');
  });

  async function curate(accession: string, n: number): Promise<void> {
    const body = JSON.stringify({
      sample: accession,
      curation: { attributesPre: [], attributesPost: [{ type: `note ${n}`, value: `curated${n}` }] },
    });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await server.call(`/samples/${accession}/curationlinks`, { method: 'POST', headers, body });
    expect(answer.status, answer.text).toBe(201);
  }
});

/** Each cell is 100 bytes. */
function wideSheet(): string {
  const columns = Array.from({ length: WIDE_COLUMNS }, (_, at) => at);
  const header = ['Sample Name', 'Release Date', ...columns.map((at) => `Characteristics[column ${at}]`)];
  const rows = Array.from({ length: WIDE_ROWS }, (_, row) =>
    [`wide_${row}`, '2024-01-15', ...columns.map((at) => `cell${row}x${at} `.padEnd(100, `w${at} `))].join('\t'),
  );
  return `${[header.join('\t'), ...rows].join('\n')}\n`;
}

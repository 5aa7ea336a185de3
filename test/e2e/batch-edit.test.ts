/**
 * Thousands of samples edited at once by a real server: its reading thread, its workers killed in the midst, its undo.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killAtWork } from '../faults/kill-at-work.js';
import { settledDespiteKills } from '../faults/settle.js';
import { type StatusDocument, submissionIdOf } from '../support/api-caller.js';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';

const ROWS = process.env.PROOF === '1' ? 100_000 : 3_000;

let server: TestServer;
beforeAll(async () => {
  // A killed worker's lease runs out soon.
  server = await startServer({ env: { LEASE_SECONDS: '3' } });
});
afterAll(() => server?.stop());

/** Every document of the store as it is read, but for the clock of its last change and what that came by. */
async function documents(): Promise<Map<string, string>> {
  const { text } = await server.get('/samples/export?format=ndjson');
  const lines = text.trim().split('\n');
  return new Map(
    lines.map((line) => {
      const {
        accession,
        update: _,
        submittedVia: __,
        ...rest
      } = JSON.parse(line) as Record<'accession' | 'update' | 'submittedVia', string>;
      return [accession, JSON.stringify(rest)] as const;
    }),
  );
}

const edit = async (body: object): Promise<string> =>
  submissionIdOf(await server.send('POST', '/submissions/edits', body));

async function follow(id: string, step: 'commit' | 'undo'): Promise<string> {
  return submissionIdOf(await server.call(`/submissions/${id}/${step}`, { method: 'POST' }));
}

describe('a batch edit of many samples', () => {
  it('is carried out once and undone once, whatever is killed, and undo brings every document back', async () => {
    await server.uploadAndSettle(plainSheet({ tag: 'e', rows: ROWS }));
    const before = await documents();
    expect(before.size).toBe(ROWS);
    const changes = [
      { rename: 'organism', to: 'species' },
      { set: 'tissue', values: [{ text: 'liver', ontologyTerms: ['UBERON:0002107'] }] },
    ];
    let shown: StatusDocument;
    let commit: string;
    /** Of a sample, by now: its first, and two of each time that no kill met work. */
    let versions = 1;
    for (;;) {
      const dryRun = await edit({ select: { all: true }, changes, dryRun: true });
      shown = await server.settled(dryRun);
      expect(shown.counts).toEqual({ rows: ROWS, created: 0, updated: ROWS, unchanged: 0, rejected: 0 });
      expect(await documents()).toEqual(before);
      commit = await follow(dryRun, 'commit');
      if (await killAtWork(server, [commit])) break;
      await server.settled(await follow(commit, 'undo'));
      versions += 2;
    }
    const status = await settledDespiteKills(server, commit);
    expect(status.attempts).toBe(2);
    expect(status.counts).toEqual(shown.counts);
    const edited = await documents();
    expect([...edited.keys()]).toEqual([...before.keys()]);
    const left = [...edited.values()].filter((text) => text.includes('"organism"') || !text.includes('"species"'));
    expect(left).toEqual([]);

    const undo = await follow(commit, 'undo');
    expect((await server.settled(undo)).counts).toMatchObject({ updated: ROWS, rejected: 0 });
    expect(await documents()).toEqual(before);
    const [first] = before.keys();
    const history = (await server.get(`/samples/${first}/history`)).text;
    expect(history.match(/"version":/g)).toHaveLength(versions + 2);
  });
});

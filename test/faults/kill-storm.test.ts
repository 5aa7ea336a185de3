/** Workers that die: killed from outside again and again nothing is given up; a file that ends them by itself is, and holds nobody back. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyMachines } from '../many-machines/engines.js';
import { submissionIdOf } from '../support/api-caller.js';
import { checkSubmission } from '../support/invariants.js';
import { plainSheet } from '../support/plain-sheet.js';
import { childrenOf, killNow } from '../support/processes.js';
import { Random } from '../support/random.js';
import { newSeed } from '../support/seeds.js';
import { startServer, type TestServer } from '../support/server.js';
import { untilOneWorks } from './settle.js';

const PROOF = process.env.PROOF === '1';
/** Every other kill is of a worker that is known to hold a submission. */
const KILLS = 6;
const STORM_MS = PROOF ? 60_000 : 2_500;
const UPLOADS = PROOF ? 10 : 4;
const ROWS = PROOF ? 8_000 : 4_000;
const ENGINES = ['sqlite', ...(process.env.TEST_POSTGRES_URL && process.env.TEST_REDIS_URL ? ['postgres'] : [])];

describe.each(ENGINES)('workers that die, on %s', (engine) => {
  let folder: string;
  let server: TestServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kill-storm-'));
    writeFileSync(join(folder, 'plant.mjs'), PLANT);
    const { STORE_URL } = engine === 'postgres' ? await manyMachines(folder) : {};
    server = await startServer({
      dataDir: folder,
      env: { NODE_OPTIONS: `--import=${join(folder, 'plant.mjs')}`, ...(STORE_URL && { STORE_URL }) },
    });
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(`${UPLOADS} submissions outlive ${STORM_MS / 1000} s in which a worker is killed every 0.1 to 0.8 s`, async () => {
    const seed = newSeed();
    const random = new Random(seed);
    const ids: string[] = [];
    for (let n = 0; n < UPLOADS; n++)
      ids.push(submissionIdOf(await server.upload(plainSheet({ tag: `s${n}`, rows: ROWS }))));
    let killed = 0;
    for (const end = Date.now() + STORM_MS; Date.now() < end || killed < KILLS; ) {
      // Every other one hits a worker that is known to hold a submission; a new one takes a while to begin.
      if (killed % 2 === 1) await untilOneWorks(server, ids);
      const victims = workersOf(server);
      if (victims.length > 0) {
        killed += killNow([random.pick(victims)]);
      }
      await sleep(100 + random.below(700));
      // Work for the next kill to meet.
      const left = await Promise.all(ids.slice(-2).map((id) => server.status(id)));
      if (left.some(({ submissionStatus }) => submissionStatus !== 'ACTIVE')) {
        ids.push(submissionIdOf(await server.upload(plainSheet({ tag: `s${ids.length}`, rows: ROWS }))));
      }
    }
    let interrupted = 0;
    for (const id of ids) {
      const status = await server.settled(id, undefined, 240_000);
      expect(status.submissionStatus, `seed ${seed}: ${JSON.stringify(status.problem)}`).toBe('COMPLETED');
      expect((await checkSubmission(server, id)).status.counts).toMatchObject({ created: ROWS, rejected: 0 });
      interrupted += status.attempts - 1;
    }
    console.log(
      `${engine}: ${killed} kills, ${interrupted} of them met a submission, ${ids.length} submissions, seed ${seed}`,
    );
    expect(interrupted, 'kills that met work').toBeGreaterThanOrEqual(3);
  });

  // Mostly the waiting between tries, which no engine shortens: the short form waits once.
  it.runIf(PROOF || engine === 'sqlite')(
    'a file that ends its worker by itself is given up, and holds nobody back meanwhile',
    async () => {
      const crashing = submissionIdOf(await server.upload(plainSheet({ tag: MARKER, rows: ROWS })));
      const said = new Set<string>();
      let passed = 0;
      let status = await server.status(crashing);
      for (; status.submissionStatus === 'ACTIVE'; status = await server.status(crashing)) {
        if (status.setbacks) said.add(status.setbacks.message.replace(/in \d+ s/, 'in … s'));
        // Enough to show that nobody is held back; the rest is waiting for its tries.
        if (passed >= 8) {
          await sleep(50);
          continue;
        }
        const other = await server.uploadAndSettle(plainSheet({ tag: `beside${passed}`, rows: 300 }));
        expect(other.status.submissionStatus).toBe('COMPLETED');
        passed++;
      }
      expect(status).toMatchObject({
        submissionStatus: 'FAILED',
        problem: { code: 'submission.attempts-used-up', line: 0, retryable: true },
      });
      expect(status.setbacks).toBeUndefined();
      expect(passed).toBeGreaterThan(3);
      expect([...said].join()).toMatch(/Worker lost (once|twice) after line 0, (trying again|next try in … s)/);
      expect([...said].join()).toMatch(/processing failed (once|twice) after line 0, next try in … s/);
    },
  );
});

/** Those that register samples, and those that work on one submission beside them. */
const workersOf = (server: TestServer): number[] =>
  server.ingestPids().flatMap((pid) => [pid, ...childrenOf(pid, /workers[\\/]alone/)]);

const MARKER = 'crash-here';
/** In workers alone, and in their threads: the file whose rows carry the marker ends the process as a fault of the engine would. */
const PLANT = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { open } = fs.promises;
if (/workers.(ingest|alone|reading-thread)/.test(process.argv[1] ?? '')) {
  fs.promises.open = async (path, flags, ...more) => {
    const file = await open(path, flags, ...more);
    if (flags === 'r' && (await file.stat()).isFile()) {
      const { buffer } = await file.read(Buffer.alloc(500), 0, 500, 0);
      if (buffer.includes('${MARKER}')) process.kill(process.pid, 'SIGSEGV');
    }
    return file;
  };
  syncBuiltinESMExports();
}
`;

/**
 * Workers that die: killed from outside again and again nothing is given up; a file that ends them by itself is, and holds nobody back.
 *
 * @module-tag slow
 */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyMachines } from '../many-machines/engines.js';
import { type StatusDocument, submissionIdOf } from '../support/api-caller.js';
import { checkSubmission } from '../support/invariants.js';
import { plainSheet } from '../support/plain-sheet.js';
import { isAlive, killNow } from '../support/processes.js';
import { Random } from '../support/random.js';
import { newSeed } from '../support/seeds.js';
import { startServer, type TestServer } from '../support/server.js';
import { killAtWork, SMALL_BATCHES, workersOf } from './kill-at-work.js';
import { settledDespiteKills } from './settle.js';

const PROOF = process.env.PROOF === '1';
/** The storm ends after its time, and not before so many kills, half of which meet a worker that holds a submission. */
const KILLS = PROOF ? 6 : 4;
const STORM_MS = PROOF ? 60_000 : 0;
const PAUSE_MS = PROOF ? 700 : 200;
const UPLOADS = PROOF ? 10 : 4;
const ROWS = PROOF ? 8_000 : 1_000;
/** Lost from outside a submission is not given up, though it is lost more often than it may fail by itself. */
const MAX_ATTEMPTS = PROOF ? 3 : 2;
/** Lost once more, it is tried again within two seconds. */
const waitsLittle = ({ setbacks }: StatusDocument): boolean => PROOF || (setbacks?.workersLost ?? 0) < 2;
const ENGINES = ['sqlite', ...(process.env.TEST_POSTGRES_URL && process.env.TEST_REDIS_URL ? ['postgres'] : [])];

describe.each(ENGINES)('workers that die, on %s', (engine) => {
  let folder: string;
  let server: TestServer;
  let gates: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kill-storm-'));
    gates = join(folder, 'gates');
    mkdirSync(gates);
    writeFileSync(join(folder, 'plant.mjs'), PLANT);
    const { STORE_URL } = engine === 'postgres' ? await manyMachines(folder) : {};
    server = await startServer({
      dataDir: folder,
      env: {
        NODE_OPTIONS: `--import=${join(folder, 'plant.mjs')}`,
        GATES: gates,
        MAX_ATTEMPTS: String(MAX_ATTEMPTS),
        ...(PROOF ? {} : SMALL_BATCHES),
        ...(STORE_URL && { STORE_URL }),
      },
    });
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(`${UPLOADS} submissions outlive workers that are killed at any moment, and at their work`, async () => {
    const seed = newSeed();
    const random = new Random(seed);
    const ids: string[] = [];
    const upload = async () => {
      ids.push(submissionIdOf(await server.upload(plainSheet({ tag: `s${ids.length}`, rows: ROWS }))));
    };
    for (let n = 0; n < UPLOADS; n++) await upload();
    let killed = 0;
    let met = 0;
    for (const end = Date.now() + STORM_MS; Date.now() < end || killed < KILLS || met < KILLS / 2; ) {
      await sleep(random.below(PAUSE_MS));
      const victims = workersOf(server);
      if (met >= killed / 2 && victims.length > 0) {
        killed += killNow([random.pick(victims)]);
        continue;
      }
      // All had ended before one could be met: there is more to do then.
      if ((await killAtWork(server, ids, waitsLittle)) === undefined) await upload();
      else {
        met++;
        killed++;
      }
    }
    let interrupted = 0;
    for (const id of ids) {
      const status = await settledDespiteKills(server, id);
      expect(status.submissionStatus, `seed ${seed}: ${JSON.stringify(status.problem)}`).toBe('COMPLETED');
      expect((await checkSubmission(server, id)).status.counts).toMatchObject({ created: ROWS, rejected: 0 });
      interrupted += status.attempts - 1;
    }
    console.log(
      `${engine}: ${killed} kills, ${interrupted} of them met a submission, ${ids.length} submissions, seed ${seed}`,
    );
    expect(interrupted, `kills that met work, seed ${seed}`).toBeGreaterThanOrEqual(met);
  });

  // Mostly the waiting between tries, which no engine shortens: the short form waits once.
  it.runIf(PROOF || engine === 'sqlite')(
    'a file that ends its worker by itself is given up, and holds nobody back meanwhile',
    async () => {
      const crashing = submissionIdOf(await server.upload(plainSheet({ tag: MARKER, rows: ROWS })));
      const others = async (count: number) => {
        for (let n = 0; n < count; n++) {
          const other = await server.uploadAndSettle(plainSheet({ tag: `beside${++passed}`, rows: 300 }));
          expect(other.status.submissionStatus).toBe('COMPLETED');
        }
      };
      let passed = 0;
      const said: (string | undefined)[] = [];
      /** The process that is about to end, which waits for leave to; what is said of the submission meanwhile is noted. */
      const met = async (): Promise<number> => {
        const waiting = () => readdirSync(gates).filter((name) => !name.includes('.'));
        await expect.poll(() => waiting().length, { interval: 10 }).toBe(1);
        said.push((await server.status(crashing)).setbacks?.message);
        return Number(waiting()[0]);
      };
      const about = (pid: number): string =>
        `${pid} ${isAlive(pid) ? `is alive, of ${workersOf(server)}` : 'has ended'}; ${readdirSync(gates)}; ${said}`;
      const letEnd = (pid: number) => renameSync(join(gates, `${pid}`), join(gates, `${pid}.gone`));
      for (let lost = 0; lost < 2; lost++) {
        const pid = await met();
        expect(server.ingestPids(), about(pid)).toContain(pid);
        letEnd(pid);
      }
      for (let failed = 0; failed < MAX_ATTEMPTS; failed++) {
        const pid = await met();
        expect(workersOf(server), 'works beside the others').toContain(pid);
        expect(server.ingestPids()).not.toContain(pid);
        // It holds nobody back: as long as it works, the others get through.
        await others(failed === 0 ? 4 : 1);
        letEnd(pid);
      }
      const status = await settledDespiteKills(server, crashing);
      expect(status).toMatchObject({
        submissionStatus: 'FAILED',
        problem: { code: 'submission.attempts-used-up', line: 0, retryable: true },
      });
      expect(status.setbacks).toBeUndefined();
      expect(said.slice(0, 4)).toEqual([
        undefined,
        'Worker lost once after line 0, trying again.',
        'Worker lost twice after line 0, trying again.',
        'Worker lost twice and processing failed once after line 0, trying again.',
      ]);
    },
  );
});

const MARKER = 'crash-here';
/**
 * In workers alone, and in their threads: the file whose rows carry the marker ends the process as a fault of the engine
 * would, as soon as the note that the process leaves of itself is gone.
 */
const PLANT = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
const { open } = fs.promises;
if (/workers.(ingest|alone|reading-thread)/.test(process.argv[1] ?? '')) {
  fs.promises.open = async (path, flags, ...more) => {
    const file = await open(path, flags, ...more);
    if (flags === 'r' && (await file.stat()).isFile()) {
      const { buffer } = await file.read(Buffer.alloc(500), 0, 500, 0);
      if (buffer.includes('${MARKER}')) {
        const note = process.env.GATES + '/' + process.pid;
        fs.writeFileSync(note, '');
        while (fs.existsSync(note)) await sleep(10);
        process.kill(process.pid, 'SIGSEGV');
      }
    }
    return file;
  };
  syncBuiltinESMExports();
}
`;

/**
 * A worker that is frozen past its lease and then goes on must not write: its claim is stale.
 *
 * @module-tag slow
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/observability/log.js';
import { type Supervisor, superviseWorkers } from '../../src/wiring/supervise-workers.js';
import { type StatusDocument, submissionIdOf } from '../support/api-caller.js';
import { checkSubmission } from '../support/invariants.js';
import { OUTPUT_DIR, ROOT } from '../support/output.js';
import { plainSheet } from '../support/plain-sheet.js';
import { isAlive, standStill } from '../support/processes.js';
import { startServer, type TestServer } from '../support/server.js';
import { isUnlocked } from '../support/write-lock.js';
import { SMALL_BATCHES } from './kill-at-work.js';

const PROOF = process.env.PROOF === '1';
const ROWS = PROOF ? 250_000 : 1_500;
const SETTINGS = PROOF ? {} : SMALL_BATCHES;

describe('a frozen worker', () => {
  let server: TestServer | undefined;
  let supervisor: Supervisor | undefined;
  const extra: ReturnType<typeof spawn>[] = [];
  afterEach(async () => {
    for (const child of extra.splice(0)) child.kill('SIGKILL');
    await supervisor?.stop(0);
    supervisor = undefined;
    await server?.stop();
  });

  // The service waits seven seconds for a beat; in the short form its supervisor runs here and waits two.
  it('is replaced by its supervisor, and processing goes on', async () => {
    server = await startServer(PROOF ? {} : { env: { WORKERS: '0', ...SETTINGS } });
    if (!PROOF) supervisor = superviseHere(server);
    const pids = () => supervisor?.pids() ?? (server as TestServer).ingestPids();
    let id: string;
    let worker: number | undefined;
    let uploads = 0;
    let held: StatusDocument;
    do {
      id = submissionIdOf(await server.upload(plainSheet({ tag: `frozen ${uploads++}`, rows: ROWS })));
      await workingOn(server, id);
      [worker] = pids();
      await standStill([worker as number]);
      held = await server.status(id);
      // Ended before it could be frozen: another one, then.
      if (held.submissionStatus !== 'ACTIVE') process.kill(worker as number, 'SIGCONT');
    } while (held.submissionStatus !== 'ACTIVE');
    expect((await server.settled(id)).attempts).toBeGreaterThan(held.attempts);
    expect((await checkSubmission(server, id)).status.counts.created).toBe(ROWS);
    expect(isAlive(worker as number)).toBe(false);
  });

  it('that wakes up after another has taken over writes nothing more', async () => {
    server = await startServer({ env: { WORKERS: '0', LEASE_SECONDS: '1', ...SETTINGS } });
    const workers = [startWorkerProcess(server), startWorkerProcess(server)];
    extra.push(...workers.map(({ child }) => child));
    const { id, frozen } = await freezeUntilTakenOver(server, workers);
    frozen.child.kill('SIGCONT');
    await server.settled(id);
    expect((await checkSubmission(server, id)).status.counts).toMatchObject({ created: ROWS, rejected: 0 });
    await expect.poll(() => frozen.output()).toContain('another worker has taken over');
  });
});

function superviseHere({ dataDir }: TestServer): Supervisor {
  const { PATH, HOME } = process.env;
  return superviseWorkers({
    entry: join(ROOT, 'dist', 'workers', 'ingest.js'),
    count: 1,
    silenceMs: 2_000,
    env: { PATH, HOME, DATA_DIR: dataDir, LEASE_SECONDS: '1', ...SETTINGS },
    log: createLog('silent', 'test'),
  });
}

type WorkerProcess = ReturnType<typeof startWorkerProcess>;

/**
 * Freezes whoever works, between two of its chunks: frozen inside one it would hold SQLite's only write lock, and
 * nobody could take over (that is what a supervisor kills it for). One that is caught inside goes on after a moment.
 */
async function freezeUntilTakenOver(
  server: TestServer,
  workers: WorkerProcess[],
): Promise<{ id: string; frozen: WorkerProcess }> {
  for (let uploads = 0; ; uploads++) {
    const id = submissionIdOf(await server.upload(plainSheet({ tag: `wakes ${uploads}`, rows: ROWS })));
    for (;;) {
      const working = await workingOn(server, id);
      // Ended before it could be frozen: another one, then.
      if (working === undefined) break;
      const frozen = workers.find(({ child }) => working.includes(`:${child.pid}:`)) as WorkerProcess;
      await standStill([frozen.child.pid as number]);
      const { attempts, worker, submissionStatus } = await server.status(id);
      if (submissionStatus === 'ACTIVE' && worker === working && isUnlocked(join(server.dataDir, 'registry.db'))) {
        const taken = async () => (await server.status(id)).attempts;
        await expect.poll(taken).toBeGreaterThan(attempts);
        return { id, frozen };
      }
      frozen.child.kill('SIGCONT');
    }
  }
}

/** The name of the worker that has registered some rows of the submission; undefined when it has ended. */
async function workingOn(server: TestServer, id: string): Promise<string | undefined> {
  for (;;) {
    const { counts, worker, submissionStatus } = await server.status(id);
    if (submissionStatus !== 'ACTIVE') return undefined;
    if (counts.rows > 0 && worker) return worker;
    await sleep(5);
  }
}

function startWorkerProcess({ dataDir }: TestServer) {
  const child = spawn(process.execPath, [join(ROOT, 'dist', 'workers', 'ingest.js')], {
    cwd: ROOT,
    env: { ...process.env, ...SETTINGS, DATA_DIR: dataDir, LEASE_SECONDS: '1', TEST_OUTPUT: OUTPUT_DIR },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return { child, output: () => output };
}

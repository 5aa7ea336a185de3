/** A worker that is frozen past its lease and then goes on must not write: its claim is stale. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import Database from '../../src/store/sqlite/driver.js';
import { submissionIdOf } from '../support/api-caller.js';
import { checkSubmission } from '../support/invariants.js';
import { OUTPUT_DIR, ROOT } from '../support/output.js';
import { plainSheet } from '../support/plain-sheet.js';
import { isAlive } from '../support/processes.js';
import { startServer, type TestServer } from '../support/server.js';

const ROWS = process.env.PROOF === '1' ? 250_000 : 40_000;

describe('a frozen worker', () => {
  let server: TestServer | undefined;
  const extra: ReturnType<typeof spawn>[] = [];
  afterEach(async () => {
    for (const child of extra.splice(0)) child.kill('SIGKILL');
    await server?.stop();
  });

  it('is replaced by its supervisor, and processing goes on', async () => {
    server = await startServer();
    const id = submissionIdOf(await server.upload(plainSheet({ tag: 'frozen', rows: ROWS })));
    const [worker] = await startedPids(server, id);
    process.kill(worker as number, 'SIGSTOP');
    await server.settled(id, undefined, 60_000);
    expect((await checkSubmission(server, id)).status.counts.created).toBe(ROWS);
    expect(isAlive(worker as number)).toBe(false);
  });

  it('that wakes up after another has taken over writes nothing more', async () => {
    server = await startServer({ env: { WORKERS: '0', LEASE_SECONDS: '1' } });
    const workers = [startWorkerProcess(server), startWorkerProcess(server)];
    extra.push(...workers.map(({ child }) => child));
    const id = submissionIdOf(await server.upload(plainSheet({ tag: 'wakes', rows: ROWS })));
    const frozen = await freezeUntilTakenOver(server, id, workers);
    frozen.child.kill('SIGCONT');
    await server.settled(id);
    expect((await checkSubmission(server, id)).status.counts).toMatchObject({ created: ROWS, rejected: 0 });
    await expect.poll(() => frozen.output(), { timeout: 10_000 }).toContain('another worker has taken over');
  });
});

type WorkerProcess = ReturnType<typeof startWorkerProcess>;

/**
 * Freezes whoever works, between two of its chunks: frozen inside one it would hold SQLite's only write lock, and
 * nobody could take over (that is what a supervisor kills it for). Whether it holds the lock is asked at once, so that
 * a worker caught inside goes on after a moment, and the file does not end meanwhile.
 */
async function freezeUntilTakenOver(server: TestServer, id: string, workers: WorkerProcess[]): Promise<WorkerProcess> {
  for (;;) {
    const working = await workingOn(server, id);
    const frozen = workers.find(({ child }) => working.includes(`:${child.pid}:`)) as WorkerProcess;
    const { attempts } = await server.status(id);
    frozen.child.kill('SIGSTOP');
    if (isUnlocked(join(server.dataDir, 'registry.db'))) {
      await expect.poll(async () => (await server.status(id)).attempts, { timeout: 30_000 }).toBeGreaterThan(attempts);
      return frozen;
    }
    frozen.child.kill('SIGCONT');
  }
}

/** Whether nobody is inside a transaction that writes. */
function isUnlocked(file: string): boolean {
  const database = new Database(file, { timeout: 0 });
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK');
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

async function startedPids(server: TestServer, id: string): Promise<number[]> {
  await workingOn(server, id);
  return server.ingestPids();
}

/** The name of the worker that has registered some rows of the submission. */
async function workingOn(server: TestServer, id: string): Promise<string> {
  for (;;) {
    const status = (await server.status(id)) as unknown as {
      counts: { rows: number };
      worker?: string;
      submissionStatus: string;
    };
    if (status.counts.rows > 0 && status.worker) return status.worker;
    if (status.submissionStatus !== 'ACTIVE') throw new Error('It ended before the worker could be frozen.');
    await sleep(5);
  }
}

function startWorkerProcess({ dataDir }: TestServer) {
  const child = spawn(process.execPath, [join(ROOT, 'dist', 'workers', 'ingest.js')], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, LEASE_SECONDS: '1', TEST_OUTPUT: OUTPUT_DIR },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return { child, output: () => output };
}

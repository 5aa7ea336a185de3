/** The server itself is killed: while it receives a file, right after its answer, and during processing. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StatusDocument, submissionIdOf } from '../support/api-caller.js';
import { checkSubmission } from '../support/invariants.js';
import { plainSheet } from '../support/plain-sheet.js';
import { isAlive } from '../support/processes.js';
import { PROOF } from '../support/proof.js';
import { startServer, type TestServer } from '../support/server.js';
import { SMALL_BATCHES, stopAtWork } from './kill-at-work.js';
import { settledDespiteKills } from './settle.js';

const ROWS = PROOF ? 40_000 : 1_500;
const SETTINGS = PROOF ? {} : SMALL_BATCHES;

describe('the server is killed', () => {
  let dataDir: string;
  let server: TestServer;
  /** `goOn`: of a worker that was stopped at its work, and finds its server gone. */
  const restart = async (goOn?: () => void) => {
    const workers = server.workerPids();
    await server.kill('SIGKILL');
    goOn?.();
    server = await startServer({ dataDir, env: { ...SETTINGS, ADMIN_TOKEN: server.adminToken } });
    return workers;
  };
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'registry-kill-'));
    server = await startServer({ dataDir, env: SETTINGS });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('while it receives a file: no submission, and no part of the file stays behind', { tags: 'slow' }, async () => {
    const sheet = Buffer.from(plainSheet({ tag: 'cut', rows: 5_000 }));
    const upload = request(`${server.url}/submissions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.adminToken}`,
        'content-type': 'text/tab-separated-values',
        'content-length': sheet.length,
      },
    });
    upload.on('error', () => {});
    upload.write(sheet.subarray(0, sheet.length >> 1));
    await expect.poll(() => blobFiles(dataDir).length, { message: 'half a file is there' }).toBe(1);
    await restart();
    upload.destroy();
    expect(blobFiles(dataDir)).toEqual([]);
    expect((await server.get('/submissions')).text).not.toContain('submissionId');
  });

  it('right after its answer: the file is processed when it is back', async () => {
    const answer = await server.upload(plainSheet({ tag: 'after', rows: ROWS }));
    // Accepted, and not done: otherwise the kill would meet no work.
    expect(answer.status).toBe(202);
    await restart();
    const id = submissionIdOf(answer);
    expect((await settledDespiteKills(server, id)).submissionStatus).toBe('COMPLETED');
    expect((await checkSubmission(server, id)).status.counts.created).toBe(ROWS);
  });

  it('three times during processing: the worker hands back and ends, and every row is registered once', {
    tags: 'slow',
  }, async () => {
    const left: number[] = [];
    const ids: string[] = [];
    const further = async () => {
      const sheet = plainSheet({ tag: `during ${ids.length}`, rows: ROWS, related: true });
      ids.unshift(submissionIdOf(await server.upload(sheet)));
    };
    await further();
    for (let kills = 0, rows = 0; kills < 3; ) {
      // Each kill finds it further, and with rows left to register.
      const between = ({ counts }: StatusDocument) => counts.rows > rows && counts.rows < ROWS;
      const held = await stopAtWork(server, ids.slice(0, 1), between);
      if (held) {
        rows = held.status.counts.rows;
        left.push(...(await restart(held.goOn)));
        kills++;
      } else {
        // It had ended before it could be stopped there.
        rows = 0;
        await further();
      }
    }
    for (const id of ids) {
      await settledDespiteKills(server, id);
      expect((await checkSubmission(server, id)).status.counts).toMatchObject({ created: ROWS, rejected: 0 });
    }
    await expect.poll(() => left.filter(isAlive)).toEqual([]);
  });
});

/** Every file below the blob folder but the mark of the place. */
const blobFiles = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'registry-place')
    .map((entry) => entry.name);

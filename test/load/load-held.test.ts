/** @module-tag slow */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { residentBytes } from '../support/processes.js';
import { startServer, type TestServer } from '../support/server.js';
import { metric, publicSamples, readUntil, uploadUntil } from './mixed-load.js';

const PROOF = process.env.PROOF === '1';
const LOAD_MS = PROOF ? 60_000 : 1_500;
const SOAK_MS = PROOF ? 10 * 60_000 : 3_000;

let server: TestServer;
let paths: string[];
beforeAll(async () => {
  // Nobody is refused for having sent too much: what is not answered well is a fault.
  server = await startServer({ env: { RATE_UPLOADS_PER_MINUTE: '0', RATE_READS_PER_MINUTE: '0' } });
  paths = await publicSamples(server, 200);
});
afterAll(() => server.stop());

const mebibytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);

/** Summed memory and open handles of the service and its workers. */
function usage(): { memory: number; handles: number } {
  const pids = [server.pid, ...server.workerPids()];
  return {
    memory: pids.reduce((sum, pid) => sum + residentBytes(pid), 0),
    handles: pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0),
  };
}

describe('under load', () => {
  it(`50 clients with small uploads and 500 reads a second for ${LOAD_MS / 1000} s are answered, every one`, async () => {
    const token = await server.token('load');
    const signal = AbortSignal.timeout(LOAD_MS);
    const [uploads, reads] = await Promise.all([
      uploadUntil(server, token, 50, signal),
      readUntil(server, paths, 500, signal, { atLeast: paths.length }),
    ]);
    const lag = await metric(server, 'nodejs_eventloop_lag_p99_seconds');
    console.log(
      [uploads.line('uploads'), reads.line('reads'), `event-loop lag p99 ${Math.round(lag * 1000)} ms`].join('\n'),
    );
    expect(reads.unexpected(200)).toEqual([]);
    // 202: accepted, and the queue of small ones was longer than the wait for a result.
    expect(uploads.unexpected(201, 202)).toEqual([]);
    expect(uploads.times.length).toBeGreaterThanOrEqual(50);
    expect(uploads.statuses.get(201)).toBeGreaterThan(0);
    expect(reads.statuses.get(200)).toBeGreaterThanOrEqual(paths.length);
  });

  it(`memory and handles are flat over ${SOAK_MS / 1000} s of mixed load`, async () => {
    const token = await server.token('soak');
    const seen: { memory: number; handles: number }[] = [];
    for (let part = 0; part < 3; part++) {
      const signal = AbortSignal.timeout(SOAK_MS / 3);
      const [uploads, reads] = await Promise.all([
        uploadUntil(server, token, 4, signal),
        readUntil(server, [...paths, '/samples?size=20', '/submissions?size=5'], 100, signal),
      ]);
      expect(uploads.unexpected(201, 202)).toEqual([]);
      expect(uploads.times.length).toBeGreaterThanOrEqual(4);
      // The list of submissions is for those who signed in.
      expect(reads.unexpected(200, 401)).toEqual([]);
      seen.push(usage());
    }
    console.log(
      seen
        .map(
          ({ memory, handles }, part) =>
            `${['start', 'middle', 'end'][part]}: ${mebibytes(memory)} MiB, ${handles} handles`,
        )
        .join('\n'),
    );
    const [, middle, end] = seen as [(typeof seen)[0], (typeof seen)[0], (typeof seen)[0]];
    expect(end.handles).toBeLessThanOrEqual(middle.handles + 20);
    expect(end.memory).toBeLessThan(middle.memory * 1.25 + 40 * 1024 * 1024);
  });
});

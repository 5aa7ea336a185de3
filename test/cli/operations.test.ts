/**
 * What an operator asks at night is answered by one command each, with real processes (docs/operations.md has the questions).
 *
 * @module-tag slow
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AtWork, stopAtWork } from '../faults/kill-at-work.js';
import { submissionIdOf } from '../support/api-caller.js';
import { type CommandOptions, type Finished, runCommand } from '../support/command.js';
import { plainSheet } from '../support/plain-sheet.js';
import { childrenOf, isAlive } from '../support/processes.js';
import { startServer, type TestServer } from '../support/server.js';

const ROWS = 20_000;

let server: TestServer;
let folder: string;
const frozen: number[] = [];
beforeAll(async () => {
  // What stands still is not taken for dead meanwhile.
  server = await startServer({ env: { WORKERS: '1', LEASE_SECONDS: '120' } });
  folder = mkdtempSync(join(tmpdir(), 'operations-'));
});
afterEach(() => {
  for (const pid of frozen.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGCONT');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const run = (args: string[], { env, ...options }: CommandOptions = {}): Promise<Finished> =>
  runCommand(args, { cwd: folder, ...options, env: { HOME: folder, DATA_DIR: server.dataDir, ...env } });

function freeze(pids: readonly number[]): void {
  expect(pids.length).toBeGreaterThan(0);
  for (const pid of pids) {
    process.kill(pid, 'SIGSTOP');
    frozen.push(pid);
  }
}

describe('an operator who asks', () => {
  it('whether the search index is behind, hears how far and since when', async () => {
    const index = async () => /^search index: .*$/m.exec((await run(['operations'])).stdout)?.[0];
    await expect.poll(index).toBe('search index: current');
    freeze(childrenOf(server.pid, /workers[\\/]indexer/));
    await server.send('POST', '/samples', { name: 'behind', release: '2020-01-01' });
    expect(await index()).toMatch(/^search index: behind, \d+ changes? behind since 20\d\d-/);
  });

  it('why an upload takes long, and which worker has it, hears it of each submission of the account', async () => {
    const token = await server.token('lab-7');
    const upload = async (tag: string, rows: number): Promise<string> =>
      submissionIdOf(await server.upload(plainSheet({ tag, rows }), { token }));
    let [large, waiting, again] = ['', '', ''];
    let held: AtWork | undefined;
    for (let tries = 0; !held; tries++) {
      if (again) await server.settled(again, token);
      large = await upload(`large ${tries}`, ROWS);
      waiting = await upload(`waiting ${tries}`, 1_000);
      again = await upload(`waiting too ${tries}`, 1_000);
      held = await stopAtWork(server, [large], ({ counts }) => counts.rows > 0 && counts.rows < ROWS);
    }
    frozen.push(...server.ingestPids());
    let worker: string | undefined;
    const said = async (): Promise<Record<string, string>> => {
      const { stdout } = await run(['operations', '--account', 'lab-7']);
      worker = /Worker (\S+) registers/.exec(stdout)?.[1];
      const each = stdout.split(/\n(?! )/).map((text) => text.replace(/\n\s*/g, ' '));
      return Object.fromEntries(each.map((text) => [text.split(' ')[0], text]));
    };
    expect(await said()).toEqual({
      '': '',
      [large]: expect.stringMatching(
        /^\S+ {2}lab-7 {2}\S.*Worker \S+ registers its rows: \d+ % of the file is read, [1-9]\d* rows are done; last heard of \d+ s ago\.$/,
      ),
      [waiting]: expect.stringContaining(
        'It is the next one as soon as a worker is free; where that does not happen, no worker runs.',
      ),
      [again]: expect.stringContaining('1 before it in the lane of large files; accounts take turns.'),
    });
    expect(worker, 'host, process of the service, which of its workers').toMatch(new RegExp(`:${server.pid}:\\d`));
    expect((await run(['operations', '--account', 'nobody'])).stdout).toBe('Nothing runs or waits.\n');
    const all = (await run(['operations', '--submissions', '--json'])).lines<{ submissions: unknown[] }>();
    expect(all[0]?.submissions).toContainEqual(expect.objectContaining({ submissionId: again, account: 'lab-7' }));
    held.goOn();
    await server.settled(again, token);
    expect((await run(['operations'])).stdout).toMatch(/^submissions: 0 running, 0 waiting/m);
  });

  it('whether something does not answer, hears which part and why', async () => {
    // What was frozen above has caught up: an index that stands still is no answer of a service that is well.
    await expect.poll(async () => (await run(['operations'])).stdout).toContain('search index: current');
    const well = await run(['operations']);
    expect(well.stdout).toMatch(/^store: answers\nqueue: answers\nblobs: answers$/m);
    expect(well.code, well.stdout + well.stderr).toBe(0);
    const away = await run(['operations', '--json'], { env: { QUEUE_URL: 'redis://127.0.0.1:1' } });
    expect(away.code, away.stderr).toBe(4);
    expect(away.lines()[0]).toMatchObject({
      parts: [{ name: 'store' }, { name: 'queue', fault: expect.stringMatching(/\S/) }, { name: 'blobs' }],
    });
  });

  it('how much room a disk has left, hears it of each folder', async () => {
    expect((await run(['operations'])).stdout).toMatch(/^disk of data \(\S+\): [\d.]+ GiB of [\d.]+ GiB free$/m);
  });

  it('when the last backup was, hears it, and when there was none', async () => {
    expect((await run(['operations'])).stdout).toContain('last backup: none was ever recorded');
    await run(['backup', '--record']);
    expect((await run(['operations'])).stdout).toMatch(/^last backup: 20\d\d-\d\d-\d\dT/m);
  });

  it('who made a token, hears who, from where and when', async () => {
    const { id } = (
      await server.send('POST', '/tokens', {
        account: 'lab-8',
        createAccount: true,
        name: 'sequencer',
        scopes: ['read'],
      })
    ).json<{ id: string }>();
    const { id: byHand } = (await run(['token', 'create', '--account', 'lab-8', '--json'])).lines<{
      id: string;
    }>()[0] as {
      id: string;
    };
    const madeBy = async (token: string) => (await run(['audit', 'find', token, '--json'])).lines();
    expect(await madeBy(id)).toEqual([
      expect.objectContaining({
        account: 'admin',
        address: expect.stringContaining('127.0.0.1'),
        action: 'POST /tokens',
        outcome: 201,
      }),
    ]);
    expect(await madeBy(byHand)).toEqual([
      expect.objectContaining({ account: expect.stringMatching(/^operator:/), action: 'token create' }),
    ]);
    expect((await run(['audit', 'find', byHand])).stdout).toMatch(
      /^20\S+Z {2}operator:\S+ {2}token create {2}0 {2}token \S+ of lab-8\n$/,
    );
    expect((await run(['audit', 'find', 'nothing of the kind'])).code).toBe(4);
  });
});

/**
 * The power is cut between any two writes of the service: its disk is rebuilt from what it wrote and synced, with all that
 * was not synced kept, lost or torn by lot, and everything that was answered is there. Without any one of its syncs it is not.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { plainSheet } from '../support/plain-sheet.js';
import { Random } from '../support/random.js';
import { PROOF } from '../support/services.js';
import { LossyDisk } from './lossy-disk.js';
import { faultsOf } from './rebuilt.js';
import { prepare, type Recording, record } from './recorded-service.js';
import type { Done } from './trace.js';

const DISKS = Number(process.env.POWER_CUTS ?? 20_000);
/** Of a service without one of its syncs, until something is lost. */
const MOST_WITHOUT = 4000;
/** A worker goes on with one of so many. */
const GOES_ON = 10;
const SEED = 17;
const LARGE_ROWS = 500;

const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

describe.runIf(PROOF)('the power is cut', () => {
  let place: string;
  let recording: Recording;
  beforeAll(async () => {
    if (spawnSync('strace', ['-V']).error) throw new Error('strace is missing, which records what the service writes.');
    place = mkdtempSync(join(memory, 'registry-power-'));
    const data = join(place, 'data');
    mkdirSync(data);
    await prepare(data, join(place, 'first.trace'));
    recording = await record(data, join(place, 'trace'), async (api, keep) => {
      const upload = async (rows: number, tag: string): Promise<string> => {
        const answer = await api.upload(plainSheet({ tag, rows }));
        const id = submissionIdOf(answer);
        keep({ kind: 'submission', id, ended: false });
        await api.settled(id);
        keep({ kind: 'submission', id, ended: true });
        return id;
      };
      const small = await upload(5, 'small');
      const write = async (note: string, accession?: string): Promise<string> => {
        const body = { name: 'one', release: '2024-01-15T00:00:00Z', characteristics: { note: [{ text: note }] } };
        const answer = accession
          ? await api.send('PUT', `/samples/${accession}`, { ...body, accession })
          : await api.send('POST', '/samples', body);
        expect([200, 201]).toContain(answer.status);
        const written = answer.json<{ accession: string }>().accession;
        keep({ kind: 'sample', accession: written, note });
        return written;
      };
      const first = await write('first');
      await write('of another');
      await upload(LARGE_ROWS, 'large');
      const undo = await api.call(`/submissions/${small}/undo`, { method: 'POST' });
      const undone = submissionIdOf(undo);
      keep({ kind: 'submission', id: undone, ended: false });
      await api.settled(undone);
      keep({ kind: 'submission', id: undone, ended: true });
      expect(first).toMatch(/^SAM/);
    });
  }, 240_000);
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  /** Rebuilds so many disks at moments drawn by lot, none before operation `from`, and resolves to what is wrong with the first that is not well. */
  async function cutAnywhere(
    disks: number,
    happened: readonly Done[],
    seed: number,
    from = 0,
  ): Promise<{ disks: number; faults: string[] }> {
    const random = new Random(seed);
    const ends = Array.from({ length: disks }, () => from + random.below(happened.length + 1 - from)).sort(
      (a, b) => a - b,
    );
    const disk = new LossyDisk(join(place, 'data'), recording.before);
    let next = 0;
    let cuts = 0;
    for (const end of ends) {
      while (next < end) disk.do(happened[next++] as Done);
      const left = join(place, 'left');
      rmSync(left, { recursive: true, force: true });
      mkdirSync(left);
      disk.cutPower(random, left);
      const at = happened[end]?.at ?? Number.POSITIVE_INFINITY;
      const promised = recording.promised.filter((one) => one.at < at).map(({ what }) => what);
      const faults = await faultsOf(left, promised, cuts++ % GOES_ON === 0);
      if (faults.length > 0)
        return {
          disks: cuts,
          faults: [`before operation ${end}: ${happened[end]?.kind} ${happened[end]?.path}`, ...faults],
        };
    }
    return { disks: cuts, faults: [] };
  }

  it(
    'between any two writes, and nothing that was answered is lost',
    async () => {
      const { done, promised } = recording;
      console.log(
        `${done.length} operations, of them ${done.filter(({ kind }) => kind === 'sync').length} syncs; ${promised.length} promises`,
      );
      const begun = performance.now();
      expect((await cutAnywhere(DISKS, done, SEED)).faults).toEqual([]);
      console.log(`${DISKS} disks in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    },
    2 * 3_600_000,
  );

  /** Syncs of one kind, by what they sync. */
  const SYNCS = [{ what: 'the store, with each commit', pattern: /registry\.db-wal$/ }];

  it.each(SYNCS)(
    'and without the sync of $what something is lost',
    async ({ pattern }) => {
      const first = recording.done.findIndex(({ kind, path }) => kind === 'sync' && pattern.test(path));
      expect(first, 'a sync of it').toBeGreaterThan(0);
      const unsynced = recording.done.map(
        (one): Done => (one.kind === 'sync' && pattern.test(one.path) ? { ...one, begun: 0 } : one),
      );
      const { disks, faults } = await cutAnywhere(MOST_WITHOUT, unsynced, SEED, first);
      console.log(`${disks} disks: ${faults[1]}`);
      expect(faults).not.toEqual([]);
    },
    600_000,
  );
});

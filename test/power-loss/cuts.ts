/** The proof of one recording: the power is cut at moments drawn by lot, with every sync, and without each of them. */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROOF } from '../support/proof.js';
import { Random } from '../support/random.js';
import { newSeed } from '../support/seeds.js';
import { faultsOf } from './left.js';
import { LossyDisk } from './lossy-disk.js';
import { Recorder, type Recording } from './recorder.js';
import { syncsOf, withoutSyncs } from './syncs.js';
import type { Done } from './trace.js';

/** A service goes on with one of so many. */
const GOES_ON = 25;
const GOES_ON_WITHOUT = 250;
/** Of a recording without one of its syncs, until something is lost. */
const MOST_WITHOUT = 6000;
/** How many operations behind a sync the power is cut. */
const SOON = 60;

export interface Scene {
  name: string;
  /** Disks that are rebuilt. */
  disks: number;
  record(recorder: Recorder): Promise<void>;
  /** Programs whose syncs are taken away. Default: the service. */
  of?: RegExp;
  /** With one of how many disks without a sync a service goes on, where only that shows what is lost. */
  oneGoesOnOf?: number;
  /** Syncs that no power cut misses, by what they sync, and why they are there all the same; `sometimes`, where others write beside. */
  unmissed?: { sync: RegExp; because: string; sometimes?: true }[];
}

/** `POWER_CUTS` multiplies the disks. */
const TIMES = Number(process.env.POWER_CUTS ?? 1);

export function proveScene(scene: Scene): void {
  const { name, disks, record, of = /^the service/, oneGoesOnOf = GOES_ON_WITHOUT, unmissed = [] } = scene;
  describe.runIf(PROOF)(`the power is cut during ${name}`, () => {
    const seed = newSeed();
    let recorder: Recorder;
    let recording: Recording;
    beforeAll(async () => {
      if (spawnSync('strace', ['-V']).error)
        throw new Error('strace is missing, which records what the service writes.');
      recorder = new Recorder();
      await record(recorder);
      recording = recorder.end();
    }, 240_000);
    afterAll(() => recorder?.remove());

    it(
      'between any two writes, and nothing that was answered is lost',
      async () => {
        const { done, promised, chapters } = recording;
        const syncs = done.filter(({ kind }) => kind === 'sync').length;
        console.log(`${name}: ${done.length} operations, of them ${syncs} syncs; ${promised.length} promises`);
        const each = Math.ceil((disks * TIMES) / chapters.length);
        for (const [number, chapter] of chapters.entries()) {
          const random = new Random(seed + number);
          const [from, to] = [firstAt(done, chapter.at), firstAt(done, chapters[number + 1]?.at)];
          const ends = Array.from({ length: each }, () => from + random.below(to + 1 - from));
          const begun = performance.now();
          const { faults } = await cutAt(recorder, recording, ends, random);
          expect(faults, `RANDOM_SEED=${seed} makes it again`).toEqual([]);
          const seconds = ((performance.now() - begun) / 1000).toFixed(0);
          console.log(`${chapter.name}: ${each} disks of ${to - from} operations in ${seconds} s`);
        }
      },
      2 * 3_600_000,
    );

    it(
      'and each sync that is taken away is missed',
      async () => {
        const never: string[] = [];
        for (const [sync, { places, idle }] of syncsOf(recording)) {
          if (!of.test(sync) || unmissed.some((one) => one.sync.test(sync))) continue;
          const random = new Random(seed);
          const ends = endsBehind(places, recording.done.length, random);
          const without = { ...recording, done: withoutSyncs(recording.done, new Set([...places, ...idle])) };
          const { disks: tried, faults } = await cutAt(recorder, without, ends, random, oneGoesOnOf);
          console.log(
            `without ${sync} (${places.length}): ${faults.length > 0 ? `${tried} disks: ${faults[1]}` : 'nothing is lost'}`,
          );
          if (faults.length === 0) never.push(sync);
        }
        for (const { sync } of unmissed.filter(({ sometimes }) => !sometimes)) {
          const isThere = [...syncsOf(recording).keys()].some((one) => sync.test(one));
          expect(isThere, `a sync ${sync}`).toBe(true);
        }
        expect(never, `RANDOM_SEED=${seed} makes it again`).toEqual([]);
      },
      2 * 3_600_000,
    );
  });
}

const firstAt = (done: readonly Done[], at: number | undefined): number => {
  const first = at === undefined ? -1 : done.findIndex((one) => one.at >= at);
  return first === -1 ? done.length : first;
};

/** Moments behind syncs that are not done, mostly soon: what they would have kept is lost as long as no other sync keeps it. */
const endsBehind = (places: readonly number[], last: number, random: Random): number[] =>
  Array.from({ length: MOST_WITHOUT }, () => {
    const place = random.pick(places);
    return Math.min(last, place + 1 + random.below(random.chance(0.6) ? SOON : last - place));
  });

/** Rebuilds a disk for each of these ends, and resolves to what is wrong with the first that is not well. */
async function cutAt(
  recorder: Recorder,
  { root, before, done, promised }: Recording,
  ends: readonly number[],
  random: Random,
  oneOf = GOES_ON,
): Promise<{ disks: number; faults: string[] }> {
  let disk = new LossyDisk(root, before);
  let next = 0;
  let cuts = 0;
  for (const end of ordered(ends)) {
    if (end < next) {
      disk = new LossyDisk(root, before);
      next = 0;
    }
    while (next < end) disk.do(done[next++] as Done);
    const left = recorder.emptied();
    disk.cutPower(random, left);
    const at = done[end]?.at ?? Number.POSITIVE_INFINITY;
    const answered = promised.filter((one) => one.at < at).length;
    const what = promised.map((one) => one.what);
    const faults = await faultsOf(left, {
      promised: what.slice(0, answered),
      later: what.slice(answered),
      goOn: cuts++ % oneOf === 0,
    });
    if (faults.length > 0)
      return { disks: cuts, faults: [`before operation ${end}: ${done[end]?.kind} ${done[end]?.path}`, ...faults] };
  }
  return { disks: cuts, faults: [] };
}

/** In rounds through the recording: each goes forward, so that a disk goes on from the last, and the first finds what is lost anywhere. */
const ROUND = 100;
function ordered(ends: readonly number[]): number[] {
  const rounds = Array.from({ length: Math.ceil(ends.length / ROUND) }, (_, n) =>
    ends.slice(n * ROUND, (n + 1) * ROUND),
  );
  return rounds.flatMap((round) => round.sort((a, b) => a - b));
}

/** What stores promise of an upload that ends before its last row while its rows may name rows behind, on any adapter. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatAccession } from '../../src/registry/accession.js';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { HOLD, type LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
import type { Store } from '../../src/store/store.js';
import type { Claim } from '../../src/submissions/submission-store.js';
import { batchOf, draft, named } from '../many-machines/store-samples.js';
import type { OpenStore } from './submission-store.js';

const MINUTE = 60_000;
const GO_ON = { leaseMs: MINUTE, last: false };
const RULES = { maxAttempts: 1, outsideMs: 0 };

export function endingEarlyContract(name: string, open: OpenStore): void {
  describe(`ending early contract on ${name}`, () => {
    let store: Store;
    let clock: number;
    beforeEach(async () => {
      clock = Date.UTC(2030, 0, 1);
      store = await open({ prefix: 'SAMR', now: () => clock });
    });
    afterEach(() => store.close());

    const claimNext = (rules = RULES) => store.claimNext({ lane: 'large', worker: 'w', leaseMs: MINUTE, ...rules });
    const claim = async (): Promise<Claim> => {
      await store.accept(draft('ada', { created: clock, updated: clock }), { sameBytes: false });
      return (await claimNext()) as Claim;
    };
    const accessionOf = (id: number): string => formatAccession('SAMR', id);

    /** Two rows of five are registered; the first names the fourth and the second, the second names the third of another source. */
    const started = async (): Promise<{ on: Claim; first: number }> => {
      const on = await claim();
      const first = await store.reserve(on, 5);
      const related = (...relationships: { type: string; target: string; source?: string }[]): string =>
        JSON.stringify({ ...emptyContent(), relationships });
      const batch: LaidOutBatch = {
        ...batchOf(2, named(2, 2)),
        reserved: Float64Array.of(first, first + 1),
        documents: new Map([
          [0, related({ type: 'a', target: accessionOf(first + 3) }, { type: 'b', target: accessionOf(first + 1) })],
          [1, related({ type: 'a', target: accessionOf(first + 2), source: 'ENA' })],
        ]),
      };
      await store.applyBatch(on, batch, GO_ON);
      return { on, first };
    };
    const next = (on: Claim) => store.applyBatch(on, batchOf(4, named(4, 3)), { leaseMs: MINUTE, last: true });
    const taking = (line: number, ids: readonly number[], gone: string[]): LaidOutBatch => ({
      ...batchOf(line, named(line, ids.length)),
      ids: Float64Array.from(ids),
      holds: new Uint8Array(ids.length).fill(HOLD.complete),
      completes: new Map(ids.map((_, row) => [row, { own: true, targets: [], gone }])),
      endsEarly: true,
    });
    const stateOf = async ({ submission: { id } }: Claim) => {
      const { state, cancelRequested } = (await store.find(id)) as Claim['submission'];
      return [state, cancelRequested];
    };

    it('a wish to cancel it stops it, and leaves the end to its worker, which takes back what its rows name', async () => {
      const { on, first } = await started();
      await store.cancel(on.submission.id);
      const stopped = await next(on);
      expect(stopped).toMatchObject({
        chunk: { created: [] },
        submission: { state: 'ACTIVE', cancelRequested: true, counts: { rows: 2 }, cursor: 3 },
      });
      const batch = taking(4, [first, first + 1], [accessionOf(first + 3), accessionOf(first + 2)]);
      const { chunk, submission } = await store.applyBatch(on, batch, GO_ON);
      expect(chunk).toMatchObject({ completedOwn: [[4, first, 2]], updated: [], rejected: [] });
      expect(submission).toMatchObject({ state: 'ACTIVE', cursor: 5, counts: { rows: 2, created: 2, updated: 0 } });
      const [one, other] = [await store.readSample(first), await store.readSample(first + 1)];
      expect(one?.sample).toMatchObject({
        version: 2,
        submissionId: on.submission.id,
        content: { relationships: [{ type: 'b', target: accessionOf(first + 1) }] },
      });
      expect(other?.sample).toMatchObject({ version: 2, content: { relationships: [] } });
      // Applied before, its answer lost.
      expect((await store.applyBatch(on, batch, GO_ON)).chunk.completedOwn).toEqual([[4, first, 2]]);
      expect((await store.readSample(first))?.sample.version).toBe(2);
      expect((await store.finish(on)).state).toBe('CANCELLED');
    });

    it('while it waits it is not ended at once, but given to whoever looks, also before its next try', async () => {
      const { on } = await started();
      await store.release(on);
      expect(await store.cancel(on.submission.id)).toMatchObject({ state: 'ACTIVE', cancelRequested: true });
      const again = (await claimNext()) as Claim;
      expect(again.submission).toMatchObject({ id: on.submission.id, cancelRequested: true, cursor: 3 });
      expect((await store.finish(again)).state).toBe('CANCELLED');
      const failed = await started();
      const rules = { maxAttempts: 5, outsideMs: MINUTE };
      await store.setBack(failed.on, { cause: 'itself' }, rules);
      expect(await claimNext(rules)).toBeUndefined();
      await store.cancel(failed.on.submission.id);
      expect((await claimNext(rules))?.submission.id).toBe(failed.on.submission.id);
    });

    it('with its worker lost it is given on, and ends as cancelled when that has been tried for the last time', async () => {
      const { on } = await started();
      await store.cancel(on.submission.id);
      clock += 2 * MINUTE;
      const rules = { maxAttempts: 2, outsideMs: 0 };
      // Whoever finds it notes that its worker is lost.
      expect(await claimNext(rules)).toBeUndefined();
      expect(await stateOf(on)).toEqual(['ACTIVE', true]);
      clock += MINUTE;
      const again = (await claimNext(rules)) as Claim;
      expect(again.submission.id).toBe(on.submission.id);
      await store.setBack(again, { cause: 'itself' }, rules);
      expect(await stateOf(on)).toEqual(['CANCELLED', true]);
      expect((await store.find(on.submission.id))?.problem).toBeUndefined();
    });

    it('is none that has registered nothing, or whose rows have no numbers beforehand', async () => {
      const reserving = await claim();
      await store.reserve(reserving, 5);
      await store.cancel(reserving.submission.id);
      expect((await next(reserving)).submission.state).toBe('CANCELLED');
      const plain = await claim();
      await store.applyBatch(plain, batchOf(2, named(2, 2)), GO_ON);
      await store.cancel(plain.submission.id);
      expect((await next(plain)).submission.state).toBe('CANCELLED');
      const waiting = await claim();
      await store.applyBatch(waiting, batchOf(2, named(2, 2)), GO_ON);
      await store.release(waiting);
      expect((await store.cancel(waiting.submission.id))?.state).toBe('CANCELLED');
    });
  });
}

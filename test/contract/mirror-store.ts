/** What src/registry/changes/mirror-store.ts promises, on any adapter. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MirroredSample } from '../../src/registry/changes/mirror-store.js';
import { ERASED, emptyContent, type StoredSample } from '../../src/registry/samples/sample.js';
import type { SampleRecord } from '../../src/registry/samples/sample-store.js';
import type { Store } from '../../src/store/store.js';
import type { OpenStore } from './submission-store.js';

const NOW = Date.UTC(2030, 0, 1);
const SOURCE = 'https://samples.example.org';

const sampleOf = (id: number, version: number, more: Partial<StoredSample> = {}): StoredSample => ({
  id,
  account: 'ada',
  name: `version ${version}`,
  release: 0,
  content: { ...emptyContent(), relationships: [{ type: 'derived from', target: 'SAMR7' }] },
  author: version > 1 ? 'bo' : 'ada',
  via: 'FILE_UPLOADER',
  line: 3,
  version,
  created: 1_000,
  updated: 1_000 + version,
  submitted: 1_000,
  ...more,
});
const link = (hash: string, declined?: number): SampleRecord['curationLinks'][number] => ({
  curation: {
    attributesPre: [],
    attributesPost: [{ type: 'note', value: hash }],
    externalReferencesPre: [],
    externalReferencesPost: [],
    relationshipsPre: [],
    relationshipsPost: [],
    hash: `curation ${hash}`,
  },
  domain: null,
  account: 'cy',
  created: 2_000,
  hash,
  ...(declined === undefined ? {} : { declined }),
});
const table = { domain: null, account: 'ada', type: 't', schema: null, content: [], created: 3_000, updated: 3_001 };
const mirrored = (
  record: Partial<SampleRecord> & { sample: StoredSample },
  former: StoredSample[] = [],
): MirroredSample => ({
  record: { curationLinks: [], structuredData: [], ...record },
  former,
});

export function mirrorStoreContract(name: string, open: OpenStore): void {
  describe(`mirror store contract on ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open({ prefix: 'SAMR', now: () => NOW });
    });
    afterEach(() => store.close());
    const step = (after: string | undefined, cursor: string, ...samples: MirroredSample[]) =>
      store.applyMirrored({ after, cursor, samples, withdrawn: [], erased: [] });
    const story = async () => {
      while (await store.advanceChanges());
      return (await store.readChanges(1, 100)).map(({ type, first }) => `${type} ${first}`);
    };

    it('keeps accession, versions, times, authors, curations and tables of the source', async () => {
      await store.beginMirror(SOURCE);
      const whole = {
        sample: sampleOf(41, 3),
        curationLinks: [link('one'), link('two', 2_500)],
        structuredData: [table],
      };
      await step(undefined, 'a', mirrored(whole, [sampleOf(41, 1), sampleOf(41, 2)]));
      expect(await store.readSample(41)).toEqual(whole);
      expect(await store.readVersion(41, 1)).toEqual(sampleOf(41, 1));
      expect((await store.listVersions(41)).map(({ version, author }) => [version, author])).toEqual([
        [3, 'bo'],
        [2, 'bo'],
        [1, 'ada'],
      ]);
      expect(await store.nextAccession()).toBe(42);
      expect(await store.mirrorState()).toEqual({ source: SOURCE, cursor: 'a' });
      expect(await story()).toEqual(['created 41', 'curated 41', 'updated 41']);
    });

    it('follows what changes, and logs that and nothing else', async () => {
      await store.beginMirror(SOURCE);
      const first = { sample: sampleOf(5, 1), curationLinks: [link('one')], structuredData: [table] };
      await step(undefined, 'a', mirrored(first));
      await step('a', 'b', mirrored(first));
      const next = { ...first, sample: sampleOf(5, 2, { release: NOW + 1_000 }) };
      await step('b', 'c', mirrored(next));
      await step('c', 'd', mirrored({ ...next, curationLinks: [] }));
      expect(await store.readSample(5)).toEqual({ ...next, curationLinks: [] });
      expect(await store.readVersion(5, 1)).toEqual(first.sample);
      expect(await story()).toEqual(['created 5', 'curated 5', 'updated 5', 'withdrawn 5', 'curated 5']);
    });

    it('hides what is not public at the source any more, and shows it again', async () => {
      await store.beginMirror(SOURCE);
      await step(undefined, 'a', mirrored({ sample: sampleOf(5, 1) }));
      await store.applyMirrored({ after: 'a', cursor: 'b', samples: [], withdrawn: [5, 6], erased: [] });
      expect((await store.readSample(5))?.sample).toEqual(sampleOf(5, 1, { adminStatus: 'SUPPRESSED' }));
      await step('b', 'c', mirrored({ sample: sampleOf(5, 1) }));
      expect((await store.readSample(5))?.sample).toEqual(sampleOf(5, 1));
      expect(await story()).toEqual(['created 5', 'withdrawn 5', 'released 5']);
    });

    it('keeps nothing of what is erased at the source, whether that shows what is left or not', async () => {
      await store.beginMirror(SOURCE);
      const first = { sample: sampleOf(5, 2), curationLinks: [link('one')], structuredData: [table] };
      await step(undefined, 'a', mirrored(first, [sampleOf(5, 1)]), mirrored({ ...first, sample: sampleOf(6, 1) }));
      while ((await store.indexNext(100)).more);
      const blank = { name: '', content: emptyContent() };
      const left = sampleOf(5, 4, { ...blank, adminStatus: ERASED });
      await step('a', 'b', mirrored({ sample: left }, [sampleOf(5, 3, blank)]));
      await store.applyMirrored({ after: 'b', cursor: 'c', samples: [], withdrawn: [], erased: [6, 7] });
      expect(await store.readSample(5)).toEqual({ sample: left, curationLinks: [], structuredData: [] });
      for (const version of [1, 2, 3]) expect(await store.readVersion(5, version)).toMatchObject(blank);
      expect(await store.readSample(6)).toMatchObject({
        sample: { ...blank, adminStatus: ERASED, version: 2, updated: NOW },
        curationLinks: [],
        structuredData: [],
      });
      expect(await store.readVersion(6, 1)).toMatchObject(blank);
      expect(await store.readSample(7)).toBeUndefined();
      expect(await store.findCuration('curation one', { account: 'root', admin: true, now: NOW })).toBeUndefined();
      expect([await store.integrityFaults(), await store.damagedVersions({ id: 0, version: 0 }, 100)]).toEqual([
        [],
        { damaged: [] },
      ]);
      const found = await store.findSamples(
        { terms: [['wversion']], now: NOW, size: 10, withdrawn: 'too', reader: { account: 'root', admin: true } },
        {},
      );
      expect(found.ids).toEqual([]);
      await step('c', 'd', mirrored({ sample: left }));
      expect((await store.readSample(5))?.sample).toEqual(left);
    });

    it('holds no rows of tables that a ledger would tell of, while it is a copy and afterwards', async () => {
      await store.beginMirror(SOURCE);
      const changed = mirrored({ sample: sampleOf(6, 2) }, [sampleOf(6, 1)]);
      await step(undefined, 'a', mirrored({ sample: sampleOf(5, 1) }), changed);
      expect(await store.countSamplesFromFiles()).toBe(0);
      await store.endMirror();
      expect(await store.countSamplesFromFiles()).toBe(0);
    });

    it('takes each step once, and none of a process that was overtaken', async () => {
      await store.beginMirror(SOURCE);
      await step(undefined, 'a', mirrored({ sample: sampleOf(5, 1) }));
      await step(undefined, 'a', mirrored({ sample: sampleOf(5, 1) }));
      await expect(step(undefined, 'b', mirrored({ sample: sampleOf(6, 1) }))).rejects.toMatchObject({
        code: 'conflict',
      });
      expect(await store.readSample(6)).toBeUndefined();
      const steps = await Promise.allSettled(
        ['b', 'c'].map((to) => step('a', to, mirrored({ sample: sampleOf(5, 1) }))),
      );
      expect(steps.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await story()).toEqual(['created 5']);
    });

    it('begins in an empty store only, goes on from another address, and ends once', async () => {
      expect(await store.mirrorState()).toBeUndefined();
      await expect(step(undefined, 'a')).rejects.toMatchObject({ code: 'conflict' });
      await store.beginMirror(SOURCE);
      await store.beginMirror('https://other.example.org');
      expect(await store.mirrorState()).toEqual({ source: 'https://other.example.org' });
      await step(undefined, 'a', mirrored({ sample: sampleOf(5, 1) }));
      expect([await store.endMirror(), await store.endMirror()]).toEqual([true, false]);
      await expect(store.beginMirror(SOURCE)).rejects.toMatchObject({ code: 'conflict' });
    });
  });
}

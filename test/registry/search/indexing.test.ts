import { describe, expect, it } from 'vitest';
import { emptyContent } from '../../../src/registry/samples/sample.js';
import { checkIndex, describeIndex, indexDocument, indexFault } from '../../../src/registry/search/index-progress.js';
import { indexedSample, SAMPLE_BYTES } from '../../../src/registry/search/indexed-sample.js';
import type { IndexState } from '../../../src/registry/search/search-store.js';
import { textsOf } from '../../../src/registry/search/term-keys.js';
import { ADA, BODY, openRegistry } from '../open-registry.js';

describe('the index takes in', () => {
  const head = { id: 7, name: 'probe', bytes: 10 };
  const content = emptyContent();
  content.characteristics.organ = [{ text: 'liver' }];
  const read = () => ({ content, curationLinks: [] });
  it('all of a sample', () => {
    const { terms, facets, nameOnly } = indexedSample('SAMR', head, false, read);
    expect(textsOf(terms)).toEqual(expect.arrayContaining(['wprobe', 'wsamr7', 'wliver']));
    expect([facets.characteristics.size, nameOnly]).toEqual([1, undefined]);
    expect(indexedSample('SAMR', { ...head, bytes: SAMPLE_BYTES }, false, read)).not.toHaveProperty('nameOnly');
  });

  it.each([
    ['failed twice', head, true, read, 'The process that indexes ended twice while it read this sample.'],
    [
      'is too large',
      { ...head, bytes: 4_000_001 },
      false,
      read,
      'Content and curations take 4000001 bytes; up to 4000000 are indexed.',
    ],
    [
      'cannot be read',
      head,
      false,
      () => {
        throw new Error('damaged');
      },
      'The stored sample cannot be read: damaged',
    ],
  ])('the name and accession of one that %s, and why', (_, of, failed, reads, reason) => {
    const { terms, facets, nameOnly } = indexedSample('SAMR', of, failed, reads);
    expect(textsOf(terms)).toEqual(expect.arrayContaining(['wprobe', 'wsamr7']));
    expect(textsOf(terms)).not.toContain('wliver');
    expect([facets.characteristics.size, nameOnly]).toEqual([0, reason]);
  });
});

describe('how the index is getting on', () => {
  const NOW = 1_000_000;
  const stateOf = (changes: Partial<IndexState>): IndexState => ({ lag: 0, moved: 0, nameOnly: 0, ...changes });
  const iso = (ms: number) => new Date(ms).toISOString();

  it.each([
    ['current', { moved: 1 }],
    ['behind', { lag: 1 }],
    ['behind', { lag: 1, moved: NOW - 60_000 }],
    ['standstill', { lag: 1, moved: NOW - 60_001 }],
    ['behind', { lag: 1, since: NOW - 60_000, moved: 1 }],
    ['standstill', { lag: 1, since: NOW - 60_001, moved: 1 }],
    ['behind', { lag: 1, since: NOW + 5, moved: 1 }],
  ])('is %s with %j: at a standstill after a minute without progress', (status, changes) => {
    expect(indexDocument(stateOf(changes), [], 'SAMR', NOW).status).toBe(status);
  });

  it('has its times and the samples that are found by name alone', () => {
    expect(indexDocument(stateOf({ moved: 5 }), [], 'SAMR', NOW)).toEqual({
      status: 'current',
      lag: 0,
      lastProgress: iso(5),
      nameOnly: { count: 0, samples: [] },
      setAside: [],
    });
    const behind = stateOf({ lag: 3, since: NOW, nameOnly: 1, setAside: ['f'] });
    expect(indexDocument(behind, [{ id: 5, reason: 'r' }], 'SAMR', NOW)).toEqual({
      status: 'behind',
      lag: 3,
      behindSince: iso(NOW),
      nameOnly: { count: 1, samples: [{ accession: 'SAMR5', reason: 'r' }] },
      setAside: ['f'],
    });
  });

  it('is asked of the store', async () => {
    const { registry, store, clock, close } = await openRegistry();
    try {
      expect(await describeIndex(store, 'SAMR', Date.now)).toMatchObject({ status: 'current', lag: 0 });
      await registry.register(BODY, ADA);
      const { status, lag } = await describeIndex(store, 'SAMR', Date.now);
      expect([status, lag]).toEqual(['behind', 1]);
      const note = [{ text: 'x'.repeat(SAMPLE_BYTES) }];
      const { accession } = await registry.register({ ...BODY, characteristics: { note } }, ADA);
      expect((await describeIndex(store, 'SAMR', Date.now)).nameOnly).toEqual({ count: 0, samples: [] });
      while ((await store.indexNext(10)).more);
      expect((await describeIndex(store, 'SAMR', Date.now)).nameOnly).toEqual({
        count: 1,
        samples: [{ accession, reason: expect.stringMatching(/^Content and curations take \d+ bytes/) }],
      });
      await registry.register(BODY, ADA);
      await checkIndex(store, Date.now);
      await expect(checkIndex(store, () => clock.now + 120_000)).rejects.toThrow(
        /^The search index does not move: 1 changes wait, the oldest since 20\d\d-/,
      );
    } finally {
      await close();
    }
  });

  it('is a matter of health when it stands still', () => {
    expect(indexFault(stateOf({ lag: 1, since: NOW - 60_000 }), NOW)).toBeUndefined();
    // Nothing has changed for long: there is nothing to take in.
    expect(indexFault(stateOf({ moved: 1 }), NOW)).toBeUndefined();
    expect(indexFault(stateOf({ lag: 2, since: NOW - 60_001 }), NOW)).toBe(
      `The search index does not move: 2 changes wait, the oldest since ${iso(NOW - 60_001)}.`,
    );
    expect(indexFault(stateOf({ lag: 2, moved: 1 }), NOW)).toMatch(/since an unknown time\.$/);
  });
});

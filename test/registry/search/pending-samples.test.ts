import { describe, expect, it } from 'vitest';
import {
  findPending,
  isMeasured,
  type JournalRow,
  mergeNewestFirst,
  type PendingEntry,
  pendingContent,
  pendingSamples,
  type Wanted,
  withinPendingBytes,
} from '../../../src/registry/search/pending-samples.js';
import { noFacets } from '../../../src/registry/search/sample-facets.js';
import { Terms } from '../../../src/registry/search/term-keys.js';

describe('samples that a search reads besides the index', () => {
  const idsOf = (...rows: JournalRow[]) => {
    const { ids, covered } = pendingSamples(rows);
    return [[...ids].sort(([a], [b]) => a - b), covered];
  };
  it('are those of the newest changes, each once', () => {
    expect(idsOf({ seq: 1, first: 1, count: 3 }, { seq: 2, first: 3, count: 2 })).toEqual([
      [
        [1, 1],
        [2, 1],
        [3, 2],
        [4, 2],
      ],
      5,
    ]);
  });

  it('are a thousand at most, past runs that are too long', () => {
    const small = { seq: 1, first: 1, count: 1 };
    expect(idsOf({ seq: 2, first: 10, count: 1000 }, small)[1]).toBe(1000);
    expect(idsOf({ seq: 2, first: 10, count: 1001 }, small)).toEqual([[[1, 1]], 1]);
    expect(idsOf({ seq: 2, first: 10, count: 999 }, small)[1]).toBe(1000);
  });

  it('are four megabytes at most, past ones that are too large', () => {
    const heads = [3_000_000, 2_000_000, 1_000_000, 1].map((bytes) => ({ bytes }));
    expect(withinPendingBytes(heads).map(({ bytes }) => bytes)).toEqual([3_000_000, 1_000_000]);
  });

  it('are read once, when they are asked for', () => {
    let reads = 0;
    const { terms, facets } = pendingContent(() => {
      reads++;
      return { terms: [new Terms('a')], facets: noFacets() };
    });
    expect(reads).toBe(0);
    expect([[...terms()], [...terms()], facets().more, reads]).toEqual([['wa'], ['wa'], false, 1]);
  });
});

describe('a pending sample is found', () => {
  const facets = noFacets();
  facets.characteristics.set(9, {
    name: 'age',
    values: [
      { code: 1, text: 'x', said: true },
      { code: 2, text: '5', said: true, number: 5 },
    ],
  });
  const entry = (changes: Partial<PendingEntry> = {}): PendingEntry => ({
    id: 7,
    account: 1,
    release: 100,
    updated: 200,
    hidden: false,
    terms: () => new Set(['a', 'b']),
    facets: () => facets,
    ...changes,
  });
  const finds = (
    query: Partial<Wanted['query']>,
    { sample = {}, before, ...wanted }: Partial<Wanted> & { sample?: Partial<PendingEntry>; before?: number } = {},
  ) =>
    findPending(
      [entry(sample)],
      { query: { terms: [], now: 1000, size: 1, ...query }, accounts: undefined, visible: 'all', ...wanted },
      before,
    ).length === 1;

  it.each([
    ['by nothing in particular', () => finds({}), true],
    ['by one term of each group', () => finds({ terms: [['x', 'a'], ['b']] }), true],
    ['not where one group is not met', () => finds({ terms: [['a'], ['x']] }), false],
    ['by its number', () => finds({ ids: [1, 7] }), true],
    ['not by other numbers', () => finds({ ids: [1] }), false],
    ['by its account', () => finds({}, { accounts: [1] }), true],
    ['not by other accounts', () => finds({}, { accounts: [2] }), false],
    ['by its release', () => finds({ release: { from: 100, until: 100 } }), true],
    ['not by a later release', () => finds({ release: { from: 101 } }), false],
    ['not by an earlier release', () => finds({ release: { until: 99 } }), false],
    ['by its update', () => finds({ updated: { from: 200, until: 200 } }), true],
    ['not by a later update', () => finds({ updated: { from: 201 } }), false],
    ['not by an earlier update', () => finds({ updated: { until: 199 } }), false],
    ['before a later one', () => finds({}, { before: 8 }), true],
    ['not before itself', () => finds({}, { before: 7 }), false],
    ['by anybody once it is released', () => finds({ now: 100 }, { visible: 'open' }), true],
    ['not by others before it is released', () => finds({ now: 99 }, { visible: 'open' }), false],
    ['by its owner before it is released', () => finds({ now: 99 }, { visible: 1 }), true],
    ['not by another account before it is released', () => finds({ now: 99 }, { visible: 2 }), false],
    ['by all that may see everything', () => finds({ now: 99 }, { visible: 'all' }), true],
    ['not when it is withdrawn', () => finds({}, { sample: { hidden: true } }), false],
    ['when it is withdrawn, among those', () => finds({ withdrawn: 'only' }, { sample: { hidden: true } }), true],
    ['when it is withdrawn, among all', () => finds({ withdrawn: 'too' }, { sample: { hidden: true } }), true],
    ['not among the withdrawn', () => finds({ withdrawn: 'only' }), false],
    ['among all', () => finds({ withdrawn: 'too' }), true],
    [
      'not by others when it is withdrawn',
      () => finds({ withdrawn: 'too' }, { visible: 'open', sample: { hidden: true } }),
      false,
    ],
    [
      'by a number of it',
      () =>
        finds({
          ranges: new Map([
            [
              9,
              [
                { date: false, from: 9 },
                { date: false, from: 5 },
              ],
            ],
          ]),
        }),
      true,
    ],
    ['not by other numbers of it', () => finds({ ranges: new Map([[9, [{ date: false, from: 6 }]]]) }), false],
    [
      'not by a characteristic that it lacks',
      () => finds({ ranges: new Map([[8, [{ date: false, from: 0 }]]]) }),
      false,
    ],
    [
      'not where one of two ranges is not met',
      () =>
        finds({
          ranges: new Map([
            [9, [{ date: false, from: 5 }]],
            [8, [{ date: false, from: 5 }]],
          ]),
        }),
      false,
    ],
  ])('%s', (_, found, wanted) => expect(found()).toBe(wanted));

  it.each([
    [{ number: 5 }, { date: false, from: 5, until: 5 }, true],
    [{ number: 5 }, { date: false, below: 5 }, false],
    [{ number: 4.9 }, { date: false, below: 5 }, true],
    [{ number: 5 }, { date: false, from: 5.1 }, false],
    [{ number: 5 }, { date: false, until: 4.9 }, false],
    [{ number: 5 }, { date: true, from: 1 }, false],
    [{ number: 5, date: true as const }, { date: true, from: 1 }, true],
    [{ number: 5, date: true as const }, { date: false, from: 1 }, false],
    [{}, { date: false }, false],
  ])('%j in %j: %s', (value, range, measured) => expect(isMeasured(value, range)).toBe(measured));

  it('in the order of the newest first, also together with those of the index', () => {
    const wanted: Wanted = { query: { terms: [], now: 1000, size: 1 }, accounts: undefined, visible: 'all' };
    expect(
      findPending(
        [2, 9, 4].map((id) => entry({ id })),
        wanted,
        undefined,
      ),
    ).toEqual([9, 4, 2]);
    expect(mergeNewestFirst([8, 3], [9, 1])).toEqual([9, 8, 3, 1]);
    expect(mergeNewestFirst([8, 3], [])).toEqual([8, 3]);
  });
});

/** How long a whole result waits for the index and is read, in words that say what to do instead. */
import { expect, it } from 'vitest';
import { IndexBehind, needsIndex, onceIndexed, withinTime } from '../../../src/registry/samples/whole-result.js';
import { tookTooLong } from '../../../src/registry/search/search-store.js';
import { refused } from '../open-registry.js';

it('a result that takes too long ends between two blocks', () => {
  const { now } = performance;
  let clock = 1_000_000;
  performance.now = () => clock;
  try {
    const check = withinTime(6);
    clock += 6;
    check();
    clock += 1;
    expect(check).toThrow(
      refused(
        'service.unavailable',
        'This result was not read within 0.0001 minutes; ask for it in parts, for example by "dt:update:from=…until=…" or by account.',
      ),
    );
    expect(withinTime()()).toBeUndefined();
  } finally {
    performance.now = now;
  }
});

it('an index that is behind is looked at again for a while', async () => {
  let looks = 0;
  const late = async () => {
    if (looks++ === 0) throw new IndexBehind(3);
    return 'all of it';
  };
  const { now } = performance;
  // However long the process has run.
  performance.now = () => 1_000_000;
  expect(
    await onceIndexed(late).finally(() => {
      performance.now = now;
    }),
  ).toBe('all of it');
  expect(looks).toBe(2);
  const behind = new IndexBehind(7);
  expect(behind.message).toBe('7 changes are not indexed');
  await expect(onceIndexed(() => Promise.reject(behind), -1)).rejects.toMatchObject({
    code: 'service.unavailable',
    message:
      'The search index is 7 changes behind, and a whole result would miss them; ask again in a minute, or without words and without name:, attr: and rel:.',
    detail: { extra: { retryAfter: 60 } },
  });
  const other = new Error('damaged');
  await expect(onceIndexed(() => Promise.reject(other))).rejects.toBe(other);
});

it('words and ranges are known by the index alone, an account or a date by the samples', () => {
  expect(needsIndex({ terms: [] })).toBe(false);
  expect(needsIndex({ terms: [['wliver']] })).toBe(true);
  expect(needsIndex({ terms: [], ranges: new Map() })).toBe(true);
});

it('a search that takes too long says how to narrow it', () => {
  expect(tookTooLong()).toEqual(
    refused(
      'service.unavailable',
      'This search was stopped after 5 s. Narrow it, by a word or a filter that fewer samples meet.',
    ),
  );
});

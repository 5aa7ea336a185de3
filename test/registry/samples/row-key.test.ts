import { describe, expect, it } from 'vitest';
import { ROW_PLACES } from '../../../src/registry/row-places.js';
import { batchKey, refusedKey } from '../../../src/registry/samples/batch-keys.js';
import {
  decideKey,
  KEY_SPACE_FORM,
  type KeyDecision,
  type KeyedRow,
  type KeyRule,
  type KnownKeys,
  learnKey,
} from '../../../src/registry/samples/row-key.js';
import { batchOf, named } from '../../many-machines/store-samples.js';

const RULE: KeyRule = { places: { ...ROW_PLACES, key: { column: 'Lab ID' } }, prefix: 'SAMR' };
/** Key A is that of sample 1, B that of sample 2. */
const known = (): KnownKeys => ({
  samples: new Map([
    ['A', 1],
    ['B', 2],
  ]),
  keys: new Map([
    [1, 'A'],
    [2, 'B'],
  ]),
});
const row = (changes: Partial<KeyedRow>): KeyedRow => ({
  line: 7,
  key: 'new',
  id: 0,
  meant: 0,
  released: true,
  ...changes,
});
const decide = (changes: Partial<KeyedRow>, rule: Partial<KeyRule> = {}): KeyDecision =>
  decideKey(row(changes), known(), { ...RULE, ...rule });

describe('the key of a row of a batch', () => {
  const text = 'nameA\ud800B';
  const batch = { ...batchOf(2, named(2, 3)), texts: [text] };
  it('is a part of its text, as stores can keep it', () => {
    const keyed = { ...batch, keys: Uint32Array.from([4, 5, 0, 0, 4, 7]) };
    expect([0, 1, 2].map((at) => batchKey(keyed, at))).toEqual(['A', '', 'A\ufffdB']);
    expect(refusedKey(keyed, 0)).toEqual({ key: 'A' });
  });

  it('is none where the upload has no keys', () => {
    expect(batchKey(batch, 0)).toBe('');
    expect(refusedKey(batch, 0)).toEqual({});
  });
});

describe('a row with a key of its own', () => {
  it.each([
    ['registers a sample with a key that nobody has', {}, { id: 0, gives: true }],
    ['updates the sample that has the key', { key: 'A' }, { id: 1, gives: false }],
    ['updates the sample that it names and that has the key', { key: 'A', id: 1 }, { id: 1, gives: false }],
    ['gives its key to the sample that it names and that has none', { id: 9 }, { id: 9, gives: true }],
    ['gives its key to the sample of an earlier upload that has none', { meant: 9 }, { id: 9, gives: true }],
    ['registers where the sample of the earlier upload has another key', { meant: 2 }, { id: 0, gives: true }],
    ['follows its key, not the earlier upload', { key: 'A', meant: 9 }, { id: 1, gives: false }],
    ['needs no release to update', { key: 'A', released: false }, { id: 1, gives: false }],
  ] as const)('%s', (_, changes, decision) => expect(decide(changes)).toEqual(decision));

  it('registers where the key space has no keys at all', () => {
    expect(decideKey(row({}), { samples: new Map(), keys: new Map() }, RULE)).toEqual({ id: 0, gives: true });
  });

  it.each([
    [
      'names another sample than the one with its key',
      { key: 'A', id: 9 },
      {},
      'key.of-another',
      'Lab ID',
      'The key "A" is that of sample SAMR1, and the row names SAMR9. Correct one of the two cells, or empty the Sample Identifier to update SAMR1.',
    ],
    [
      'names a sample that has another key',
      { id: 2 },
      {},
      'key.differs',
      'Lab ID',
      'Sample SAMR2 has the key "B" in this key space, and the row says "new". Correct one of the two cells, or take that key away first.',
    ],
    [
      'is there already and was only to be created',
      { key: 'A' },
      { onlyCreate: true },
      'key.exists',
      'Lab ID',
      'The row means sample SAMR1, which is there already, by its key "A", its Sample Identifier or an earlier upload of this file, and the upload was to create samples only. Take the row out, or upload without onlyCreate.',
    ],
    [
      'is not there and was only to be updated',
      {},
      { onlyUpdate: true },
      'key.unknown',
      'Lab ID',
      'No sample has the key "new" in this key space, and the upload was to update samples only. Correct the key, or upload without onlyUpdate.',
    ],
    [
      'would be registered without a release',
      { released: false },
      {},
      'release.missing',
      'Release Date',
      'No sample has the key "new" yet, and the row has no Release Date to register it with. Fill it with a date such as 2024-11-21, or give one date for all rows with the option releaseDate.',
    ],
  ] as const)(
    'is refused with its place, the keys and what to do when it %s',
    (_, changes, rule, code, column, message) => {
      const decision = decide(changes, rule);
      const value = code === 'release.missing' ? {} : { value: row(changes).key };
      expect(decision).toEqual({ issue: { line: 7, column, code, ...value, message, severity: 'error' } });
    },
  );

  it('is known to the rows that follow once it was given to a sample', () => {
    const keys = known();
    learnKey(keys, 'C', 3);
    learnKey(keys, 'D', 0);
    expect(decideKey(row({ key: 'C' }), keys, RULE)).toEqual({ id: 3, gives: false });
    expect(decideKey(row({ key: 'E', id: 3 }), keys, RULE)).toMatchObject({ issue: { code: 'key.differs' } });
    expect(keys.samples.has('D')).toBe(false);
    expect(keys.keys.has(0)).toBe(false);
  });
});

describe('the name of a key space', () => {
  it.each(['a', '7', 'LIMS_1.b-c', 'a'.repeat(64)])('%s', (name) => expect(name).toMatch(KEY_SPACE_FORM));
  it.each(['', '-a', '.a', '_a', 'a b', 'ä', 'a/b', 'a'.repeat(65)])('is not %j', (name) =>
    expect(name).not.toMatch(KEY_SPACE_FORM),
  );
});

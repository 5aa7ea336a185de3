import { describe, expect, it } from 'vitest';
import { cursorOf, isBehind, readCursor, START, writeCursor } from '../../../src/registry/changes/change-cursor.js';
import { changeBetween, creation, type Visibility } from '../../../src/registry/changes/sample-change.js';

const NOW = 1000;
const [open, later, held]: Visibility[] = [
  { release: NOW },
  { release: NOW + 1 },
  { release: NOW, adminStatus: 'SUPPRESSED' },
] as Visibility[];

describe('what happened to a sample', () => {
  it.each([
    [open, { type: 'created', public: true }],
    [later, { type: 'created', public: false, due: NOW + 1 }],
    [held, { type: 'created', public: false }],
    [
      { release: NOW + 1, adminStatus: 'KILLED' },
      { type: 'created', public: false },
    ],
  ] as [Visibility, object][])('when it came: %j', (after, change) => expect(creation(after, NOW)).toEqual(change));

  it.each([
    ['another version of a public one', open, { release: 5 }, { type: 'updated', public: true }],
    ['another version of a private one', later, later, { type: 'updated', public: false }],
    ['another date of a private one', later, { release: NOW + 9 }, { type: 'updated', public: false, due: NOW + 9 }],
    ['its release', later, open, { type: 'released', public: true }],
    ['a status that is taken back', held, open, { type: 'released', public: true }],
    [
      'a status that is taken back before its date',
      { ...later, adminStatus: 'KILLED' },
      later,
      { type: 'updated', public: false, due: NOW + 1 },
    ],
    ['a status of a public one', open, held, { type: 'withdrawn', public: true }],
    ['a later date of a public one', open, later, { type: 'withdrawn', public: true, due: NOW + 1 }],
    ['a status of a private one', later, { ...later, adminStatus: 'KILLED' }, { type: 'withdrawn', public: false }],
    ['another status', held, { ...held, adminStatus: 'KILLED' }, { type: 'updated', public: false }],
  ] as [string, Visibility, Visibility, object][])('%s', (_, before, after, change) =>
    expect(changeBetween(before, after, NOW)).toEqual(change),
  );
});

describe('a place in the log of changes', () => {
  const cursor = { number: 123_456, part: 789, at: 1_700_000_000_000 };
  it('comes back as it was', () => {
    for (const one of [START, cursor]) expect(readCursor(writeCursor(one))).toEqual(one);
    expect(cursorOf({ number: 3, at: 5, first: 1, count: 9, type: 'created', public: true }, 2)).toEqual({
      number: 3,
      part: 2,
      at: 5,
    });
  });

  it('lies behind another by its run, then by its part', () => {
    const at = (number: number, part: number) => writeCursor({ number, part, at: 1 });
    expect(isBehind(at(2, 0), at(1, 9))).toBe(true);
    expect(isBehind(at(1, 9), at(2, 0))).toBe(false);
    expect(isBehind(at(1, 2), at(1, 1))).toBe(true);
    expect(isBehind(at(1, 1), at(1, 1))).toBe(false);
  });

  it.each([
    '1.2',
    '1.2.3.4',
    '.2.3',
    '1..3',
    '1.2.',
    'A.2.3',
    '1.2.3x!',
    `${'1'.repeat(11)}.2.3`,
    `1.${'2'.repeat(8)}.3`,
    '',
  ])('is not %j', (plain) => {
    expect(() => readCursor(Buffer.from(plain).toString('base64url'))).toThrow(
      expect.objectContaining({
        code: 'request.invalid',
        message:
          'The cursor is not one of ours; give that of a change, the header Changes-Cursor of a page, or "latest".',
      }),
    );
  });
});

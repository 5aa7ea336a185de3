/** How many rows a ceiling allows, what is none, and how an upload that has more refused rows ends. */
import { describe, expect, it } from 'vitest';
import type { LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
import type { Counts, UploadOptions } from '../../src/submissions/submission.js';
import { aboveCeiling, ceilingFault, rowsOf } from '../../src/submissions/uploads/ceiling.js';

it.each([
  ['0', 500, 0],
  ['50', 10, 50],
  ['5%', 100, 5],
  ['5%', 99, 4],
  ['0.5%', 200, 1],
  ['0.5%', 199, 0],
  ['12.125%', 1000, 121],
  ['100%', 7, 7],
])('%s of %i rows allows %i', (ceiling, rows, allowed) => {
  expect(rowsOf(ceiling, rows)).toBe(allowed);
});

it.each([
  ['50', undefined, undefined],
  ['999999999', undefined, undefined],
  ['1000000000', 'no ceiling', 'no ceiling'],
  ['0%', undefined, undefined],
  ['100%', undefined, undefined],
  ['100.0%', undefined, undefined],
  ['100.001%', 'above all', undefined],
  ['250%', 'above all', undefined],
  ['1000%', 'no ceiling', 'no ceiling'],
  ['1.2345%', 'no ceiling', 'no ceiling'],
  ['1.%', 'no ceiling', 'no ceiling'],
  ['1.5', 'no ceiling', 'no ceiling'],
  ['x50', 'no ceiling', 'no ceiling'],
  ['50 rows', 'no ceiling', 'no ceiling'],
  ['-1', 'no ceiling', 'no ceiling'],
  ['', 'no ceiling', 'no ceiling'],
])(
  '"%s" as maxMissing or maxRejected: %s; as maxChanges, which may be more than all: %s',
  (ceiling, fault, changes) => {
    expect(ceilingFault('maxMissing', ceiling)).toBe(fault);
    expect(ceilingFault('maxRejected', ceiling)).toBe(fault);
    expect(ceilingFault('maxChanges', ceiling)).toBe(changes);
  },
);

it('a share allows just as many rows as it says, whatever numbers the machine has', () => {
  const wrong: string[] = [];
  for (let thousandths = 1; thousandths <= 100_000; thousandths += 7) {
    const share = `${thousandths / 1000}%`;
    for (const rows of [100, 1_000, 100_000, 1_000_000]) {
      const exact = Number((BigInt(rows) * BigInt(thousandths)) / 100_000n);
      if (rowsOf(share, rows) !== exact) wrong.push(`${share} of ${rows}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(rowsOf('0.072%', 100_000)).toBe(72);
});

describe('an upload with maxRejected', () => {
  const ended = (options: Partial<UploadOptions>, counts: Partial<Counts>, batch?: { good: number; bad: number }) =>
    aboveCeiling(
      {
        id: 'the-upload',
        options: options as UploadOptions,
        counts: { rows: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, ...counts },
        cursor: 11,
      },
      batch && ({ count: batch.good, rejected: Array.from({ length: batch.bad }), toLine: 21 } as LaidOutBatch),
    );

  it('goes on while no more rows are refused than it allows, those of the next batch among them', () => {
    expect(ended({}, { rows: 9, rejected: 9 })).toBeUndefined();
    expect(ended({ maxRejected: '3' }, { rows: 9, rejected: 3 })).toBeUndefined();
    expect(ended({ maxRejected: '3' }, { rows: 9, rejected: 1 }, { good: 0, bad: 2 })).toBeUndefined();
    expect(ended({ maxRejected: '20%' }, { rows: 9, rejected: 1 }, { good: 4, bad: 2 })).toBeUndefined();
    expect(ended({ maxRejected: '0', undoOf: 'another' }, { rows: 9, rejected: 3 })).toBeUndefined();
  });

  it('ends above it, with the line where that was known', () => {
    const batch = { good: 3, bad: 2 };
    expect(ended({ maxRejected: '20%' }, { rows: 9, rejected: 1, updated: 3, created: 2 }, batch)).toEqual({
      code: 'file.too-many-rejected',
      message:
        '3 of the 14 rows so far are refused, and maxRejected=20% allows 2. 5 rows before them are registered; the rest was not looked at. Fix the rows that the errors of submission the-upload list, or give another maxRejected, and upload the file again.',
      retryable: false,
      line: 21,
    });
    expect(ended({ maxRejected: '0' }, { rows: 9, rejected: 1, unchanged: 8 })).toMatchObject({
      message: expect.stringContaining('No row was registered, and the rest was not looked at.'),
      line: 11,
    });
    expect(ended({ maxRejected: '0' }, { rows: 2, rejected: 1, created: 1 })?.message).toContain(
      'One row before them is registered; the rest',
    );
    expect(ended({ maxRejected: '0', dryRun: true }, { rows: 9, rejected: 1, created: 8 })?.message).toContain(
      'allows 0. The rest was not looked at.',
    );
  });
});

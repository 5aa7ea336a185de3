/** Small rules that both stores keep, said for each alone. */
import { describe, expect, it } from 'vitest';
import { visibilitiesOf } from '../../src/store/change-runs.js';
import { CURATIONS_LOOKED_AT, choosePage } from '../../src/store/curation-pages.js';
import {
  inRotation,
  inTurns,
  rowsOfEach,
  samplesOfEach,
  TURN_ACCOUNTS,
  takeStep,
} from '../../src/store/index-turns.js';
import { keyedRows } from '../../src/store/keyed-rows.js';
import { completing } from '../../src/store/open-rows.js';
import { decideReplay } from '../../src/store/replay.js';
import { touches } from '../../src/store/rows/token-row.js';
import { isIntact } from '../../src/store/sample-checksum.js';
import { gapFault, orphanFault } from '../../src/store/upkeep-rules.js';
import { OutdatedBatch } from '../../src/submissions/processing/unapplied-batch.js';
import type { Submission } from '../../src/submissions/submission.js';
import { batchOf, draft } from '../many-machines/store-samples.js';

describe('a step of the index', () => {
  it('has the accounts behind the last one first, then those from the beginning, each once', () => {
    expect(inRotation([7, 9], [1, 2, 7])).toEqual([7, 9, 1, 2]);
    expect(inRotation([], [3])).toEqual([3]);
    const many = Array.from({ length: 40 }, (_, at) => at);
    expect(inRotation(many, [100, ...many.map((at) => at + 50)])).toHaveLength(TURN_ACCOUNTS);
  });

  it('reads enough of each account that waits for its turns, and no more than its part', () => {
    const [one, two, fifty] = [1, 2, 50].map(
      (accounts) => [rowsOfEach(accounts), samplesOfEach(500, accounts)] as const,
    );
    expect(one?.[0]).toBeGreaterThan(two?.[0] as number);
    expect([samplesOfEach(500, 1) - samplesOfEach(500, 2), samplesOfEach(500, 2) - samplesOfEach(500, 4)]).toEqual([
      500, 250,
    ]);
    // Whoever has few neighbours fills a step alone; everybody has one turn at least.
    expect(one?.[1]).toBeGreaterThanOrEqual(1_000);
    expect(fifty?.[1]).toBeGreaterThan(20);
  });
});

it('a step ends before a sample whose size nobody can say', () => {
  const waiting = [{ account: 1, rows: [{ seq: 1, first: 1, count: 4 }] }];
  const taken: number[] = [];
  const bytesOf = (id: number) => (id === 3 ? undefined : 1);
  const done = takeStep(inTurns(waiting), { limit: 10, bytesOf, take: (id) => taken.push(id), isOver: () => false });
  expect([done.length, taken]).toEqual([2, [1, 2]]);
});

describe('a page of curations', () => {
  const rows = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, at) => ({ hash: `h${at}`, bytes: 10, visible: true, ...more }));
  it('is as long as it is asked for, and goes on behind its last one', () => {
    expect(choosePage(rows(5), 3)).toEqual({ hashes: ['h0', 'h1', 'h2'], next: 'h2' });
    expect(choosePage(rows(3), 3)).toEqual({ hashes: ['h0', 'h1', 'h2'] });
    expect(choosePage([], 3)).toEqual({ hashes: [] });
  });

  it('ends where a megabyte is read, with one at least', () => {
    expect(choosePage(rows(3, { bytes: 600_000 }), 3)).toEqual({ hashes: ['h0'], next: 'h0' });
    expect(choosePage(rows(2, { bytes: 2_000_000 }), 3)).toEqual({ hashes: ['h0'], next: 'h0' });
  });

  it('goes on behind all that was looked at, though the caller may see none of it', () => {
    const hidden = { visible: false };
    expect(choosePage(rows(CURATIONS_LOOKED_AT, hidden), 3)).toEqual({
      hashes: [],
      next: `h${CURATIONS_LOOKED_AT - 1}`,
    });
    expect(choosePage(rows(CURATIONS_LOOKED_AT - 1, hidden), 3)).toEqual({ hashes: [] });
  });
});

it('whether samples are visible is said with their status, where they have one', () => {
  const row = { account: 'ada', release: 5 };
  const rows = [
    { id: 1, ...row, admin_status: null },
    { id: 2, ...row, admin_status: 'WITHDRAWN' },
  ];
  expect(visibilitiesOf(rows)).toEqual(
    new Map<number, object>([
      [1, row],
      [2, { ...row, adminStatus: 'WITHDRAWN' }],
    ]),
  );
});

it('faults of a history are named by their sample', () => {
  expect(gapFault({ id: 7, version: 3, kept: 1 })).toEqual({
    place: 'sample 7',
    message: 'It is at version 3, and 1 earlier versions of it are there.',
  });
  expect(orphanFault({ id: 8, place: 'sample_key' })).toEqual({
    place: 'sample 8',
    message: 'It is gone, and sample_key still has rows of it.',
  });
});

it('the use of a token is written down once a minute', () => {
  const touch = touches();
  const asked = [
    ['a', 0],
    ['a', 59_999],
    ['b', 59_999],
    ['a', 60_000],
    ['a', 60_001],
  ] as const;
  expect(asked.map(([id, at]) => touch(id, at))).toEqual([true, false, true, true, false]);
});

it('a sample without a checksum is as it was written where it was written before there were any', () => {
  const row = {
    crc: null,
    account: 1,
    via: 0,
    created: 1,
    updated: 1,
    author: 1,
    submission: 1,
    submitted: null,
    admin_status: null,
    version: 1,
    name: 'n',
    release: 0,
    layout: null,
    line: null,
    doc: '{}',
  };
  const intact = (id: number) =>
    isIntact({ ...row, id } as unknown as Parameters<typeof isIntact>[0], { uncheckedBelow: 10 });
  expect([intact(9), intact(10), intact(11)]).toEqual([true, false, false]);
});

it('a commit means the samples that its dry run meant, whatever was uploaded since', () => {
  const before = ['first', 'second', 'third'].map(
    (id) =>
      ({
        ...draft('ada'),
        id,
        state: 'COMPLETED',
        counts: { rows: 5, created: 5, updated: 0, unchanged: 0, rejected: 0 },
        cursor: 6,
      }) as unknown as Submission,
  );
  const decided = (earlierUpload?: string) => {
    const commitOf = { submissionId: 'dry', ...(earlierUpload === undefined ? {} : { earlierUpload }) };
    return decideReplay({ options: { ...draft('ada').options, commitOf } }, before, false);
  };
  expect(decided('second')).toEqual({ kind: 'accepted', earlier: before[1] });
  // What was to be new is there by now.
  expect(decided()).toEqual({ kind: 'accepted', earlier: before[0] });
});

describe('rows with keys that are registered', () => {
  const decided = (more: object, known: [string, number][], id = 0) => {
    const batch = { ...batchOf(2, [{ name: 'a', ...(id === 0 ? {} : { id }) }]), ...more };
    const submission = { options: { ...draft('ada').options, key: 'Barcode' } } as Submission;
    const keys = new Map(known.map(([key, sample]) => [sample, key]));
    return keyedRows({
      batch,
      submission,
      asked: { keys: ['B-1'], samples: [] },
      known: { samples: new Map(known), keys },
      prefix: 'SAMR',
    });
  };
  const reserved = Float64Array.of(70);

  it('mean the sample that has their key at that moment', () => {
    expect([...decided({}, [['B-1', 5]]).batch.ids.subarray(0, 1)]).toEqual([5]);
    expect(decided({ reserved }, [['B-1', 5]], 5).rejected).toEqual([]);
    expect(decided({ reserved }, []).rejected).toEqual([]);
    expect(decided({ reserved, meant: Float64Array.of(5) }, [['B-1', 5]]).rejected).toEqual([]);
  });

  it('are refused where the key was given or taken away since other rows heard which sample it means', () => {
    const refused = [
      decided({ reserved }, [['B-1', 5]]),
      decided({ reserved, meant: Float64Array.of(6) }, [['B-1', 5]]),
    ];
    expect(refused.map(({ rejected }) => rejected.map(({ line, issues }) => [line, issues[0]?.code]))[0]).toEqual([
      [2, 'row.changed-since'],
    ]);
    expect(refused[0]?.rejected[0]?.issues).toMatchObject([
      { line: 2, message: 'The key of this row was given or taken away while the file was read. Send the row again.' },
    ]);
    expect(refused[1]?.rejected).toHaveLength(1);
    expect(() => decided({ reserved, mayBeReadAgain: true }, [['B-1', 5]])).toThrow(OutdatedBatch);
    expect(decided({ reserved, mayBeReadAgain: true }, []).rejected).toEqual([]);
  });
});

it('relationships that waited are filled in the order in which their row had them', () => {
  const waiting = [2, 0, 1].map((place) => ({ sample: 7, type: 'derived from', name: `n${place}`, place }));
  const targets = [0, 1, 2].map((place) => ({ type: 'derived from', name: `n${place}`, target: 10 + place }));
  const batch = { ...batchOf(2, [{ name: 'a', id: 7 }]), completes: new Map([[0, { own: false, targets }]]) };
  expect(
    completing(batch, waiting, 'SAMR')
      .added.get(7)
      ?.map(({ target }) => target),
  ).toEqual(['SAMR10', 'SAMR11', 'SAMR12']);
});

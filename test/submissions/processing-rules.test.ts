/** Whether rows may still be applied, and what becomes of them where not: asked of the code, without a store. */
import { describe, expect, it } from 'vitest';
import { RegistryError } from '../../src/registry/errors.js';
import { encodeContent } from '../../src/registry/samples/content-json.js';
import { ERASED, emptyContent } from '../../src/registry/samples/sample.js';
import { batchName, HOLD, type LaidOutBatch, type RejectedRow } from '../../src/registry/samples/sample-batch.js';
import { changedLines } from '../../src/submissions/preview.js';
import { endedBefore, forgetRest } from '../../src/submissions/processing/end-early.js';
import { holdBack, isHeldBack, meanEarlierSamples } from '../../src/submissions/processing/finish-batch.js';
import { registeredMeanwhile } from '../../src/submissions/processing/registered-meanwhile.js';
import { changedSinceShown, overtakenPlan, staleness } from '../../src/submissions/processing/staleness.js';
import { readUndo } from '../../src/submissions/processing/undo.js';
import { LineIndex } from '../../src/submissions/reading/line-index.js';
import type { Submission } from '../../src/submissions/submission.js';
import type { LedgerChunk } from '../../src/submissions/submission-store.js';
import { batchOf } from '../many-machines/store-samples.js';

const chunk = (of: Partial<LedgerChunk>): LedgerChunk => ({
  fromLine: 2,
  toLine: 9,
  created: [],
  updated: [],
  unchanged: [],
  rejected: [],
  ...of,
});
async function* each<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}
interface Stored {
  id: number;
  version?: number;
  account?: string;
  name?: string;
  adminStatus?: string;
}
const samplesOf = (...samples: Stored[]) => ({
  readSamplesWithin: async (ids: readonly number[]) => ({
    records: samples.filter(({ id }) => ids.includes(id)).map((sample) => ({ sample })),
    read: ids.length,
  }),
});
const submission = (of: object, options: object = {}): Submission =>
  ({ id: 'x', account: 'ada', cursor: 0, ...of, options: { mode: 'partial', dryRun: false, ...options } }) as never;

describe('a submission that follows another', () => {
  const asked: string[] = [];
  const storeOf = (of: object) =>
    new Proxy(of, {
      get: (known: Record<string, unknown>, name: string) => {
        asked.push(name);
        return known[name];
      },
    });
  const stale = async (store: object, of: object, options: object) => {
    asked.length = 0;
    return await staleness({ store: storeOf(store) as never, prefix: 'SAMR' }, submission(of, options));
  };
  const conflict = (message: unknown) => ({ code: 'conflict', message, retryable: false });

  it('is never asked about what it does not follow', async () => {
    expect(await stale({}, {}, {})).toBeUndefined();
    expect(await stale({}, { earlierUpload: 'first', cursor: 5 }, { rereadOf: 'first' })).toBeUndefined();
    expect(await stale({}, {}, { rereadOf: 'first', dryRun: true })).toBeUndefined();
    expect(await stale({}, {}, { commitOf: { submissionId: 'dry' } })).toBeUndefined();
    expect(await stale({}, {}, { mode: 'atomic' })).toBeUndefined();
    expect(await stale({}, { cursor: 5 }, { mode: 'atomic', commitOf: { submissionId: 'dry' } })).toBeUndefined();
    expect(await stale({}, {}, { standing: 's', dryRun: true, undoOf: 'u' })).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('writes nothing where the undo of what it repeats stopped', async () => {
    const undo = { id: 'undo', options: { undoOf: 'first' } };
    const findStoppedUndo = async ({ id }: { id: string }) => (id === 'x' ? undo : undefined);
    expect(await stale({ findStoppedUndo }, { earlierUpload: 'first' }, {})).toEqual(
      conflict(expect.stringContaining('its undo undo stopped before its end')),
    );
    expect(await stale({ findStoppedUndo: async () => undefined }, { earlierUpload: 'first' }, {})).toBeUndefined();
  });

  it('writes nothing where the samples that its lines mean were changed', async () => {
    const store = (changed: number[]) => ({
      ledger: (id: string) => each(...(id === 'first' ? [chunk({ created: [[2, 7, 2]] })] : [])),
      findRewritten: async () => changed,
    });
    expect(await stale(store([8]), {}, { rereadOf: 'first' })).toEqual(
      conflict(
        'The samples of submission first, which this file means line by line, were changed meanwhile: SAMR8 (line 3). Nothing was written. Edit and upload its result file, or upload this one with duplicate=allow.',
      ),
    );
    expect(await stale(store([]), {}, { rereadOf: 'first' })).toBeUndefined();
  });

  it('of a standing sheet writes nothing where its plan is gone, or a later one was carried out', async () => {
    const automatic = { standing: 's', commitOf: { submissionId: 'plan', automatic: true } };
    const gone = conflict(
      'The plan plan of this standing sheet did not reach its end, or was stopped: nothing was written. Send the export again.',
    );
    const planned = (decision?: string, newer?: string) => ({
      find: async (id: string) =>
        id === 'plan' && decision !== undefined ? { standing: decision === '' ? undefined : { decision } } : undefined,
      findNewerCommit: async ({ id }: { id: string }) => (id === 'plan' ? newer : undefined),
    });
    for (const decision of [undefined, '', 'WAITING', 'STOPPED'])
      expect(await stale(planned(decision), {}, automatic)).toEqual(gone);
    expect(await stale(planned('COMMITTED'), {}, automatic)).toBeUndefined();
    expect(await stale(planned('COMMITTED', 'later'), {}, automatic)).toEqual(conflict(overtakenPlan('later')));
    expect(await stale(planned('WAITING', 'later'), {}, { standing: 's', commitOf: { submissionId: 'plan' } })).toEqual(
      conflict(overtakenPlan('later')),
    );
    const own = { findNewerCommit: async ({ id }: { id: string }) => (id === 'x' ? 'later' : undefined) };
    expect(await stale(own, {}, { standing: 's', dryRun: true })).toEqual(conflict(overtakenPlan('later')));
    expect(overtakenPlan('later')).toBe(
      'A later export of this standing sheet was carried out by submission later, and what this one says would set its samples back: nothing more was written. If this export is right all the same, send it again; it is planned anew then.',
    );
  });

  it('with keys writes nothing more where a later one has written into its key space', async () => {
    const store = { findNewerRows: async ({ id }: { id: string }) => (id === 'x' ? 'later' : undefined) };
    expect(await stale(store, { cursor: 7 }, { key: 'Barcode' })).toEqual(
      conflict(expect.stringMatching(/^Nothing more was written: submission later came later into its key space/)),
    );
    expect(await stale({ findNewerRows: async () => undefined }, {}, { key: 'Barcode' })).toBeUndefined();
  });

  it('as all or nothing writes nothing where one sample was changed since it was shown', async () => {
    const atomic = { mode: 'atomic', commitOf: { submissionId: 'dry' } };
    const store = (...samples: Stored[]) => ({
      ledger: (id: string) =>
        each(
          ...(id === 'dry'
            ? [
                chunk({ created: [[2, 0, 1]], updated: [[3, 7, 2]], unchanged: [[5, 20, 1]], seen: [[3, 4, 3]] }),
                chunk({ missing: [[10, 30, 1]], seen: [[10, 1, 1]] }),
                chunk({ created: [[12, 0, 1]] }),
              ]
            : []),
        ),
      ...samplesOf(...samples),
    });
    const same = [7, 8, 20].map((id) => ({ id, version: 4 }));
    expect(await stale(store(...same, { id: 30, version: 1 }), {}, atomic)).toBeUndefined();
    const some = store({ id: 7, version: 4 }, { id: 8, version: 5 }, { id: 30, version: 2 });
    expect(await changedLines(some as never, 'dry')).toEqual([4, 5, 10]);
    expect(await stale(some, {}, atomic)).toEqual(changedSinceShown([4, 5, 10], {}));
  });

  it.each([
    [[], undefined, 'Rows are refused, and it was sent as all or nothing: nothing was written. Make a new dry run.'],
    [[7], undefined, /^The sample of one row was changed since the dry run \(line 7\), and it was sent/],
    [
      [7, 9],
      's',
      /^The samples of 2 rows were changed since the dry run \(lines 7, 9\), and .* Send the export again\.$/,
    ],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], undefined, /^The samples of 10 rows .* \(lines 1, .* 9, 10\), and/],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], undefined, /^The samples of 11 rows .* \(lines 1, .* 9, 10 …\), and/],
  ])('with %j changed (standing: %s) says so', (lines, standing, message) => {
    const { code, message: said, retryable } = changedSinceShown(lines, standing === undefined ? {} : { standing });
    expect([code, retryable]).toEqual(['conflict', false]);
    expect(said).toMatch(message);
  });
});

describe('a commit', () => {
  interface Run {
    at: number;
    first: number;
    count: number;
    type?: string;
    owner?: string;
  }
  const stored = (runs: Run[], samples: Stored[], dryRun: object | undefined = { created: 1_000 }) => {
    let waiting = 2;
    const numbered = runs.map((run, at) => ({ type: 'created', owner: 'ada', ...run, number: 2 * at + 1 }));
    return {
      find: async (id: string) => (id === 'dry' ? dryRun : undefined),
      advanceChanges: async () => --waiting > 0,
      lastChange: async () => (waiting > 0 ? undefined : numbered.at(-1)),
      readChanges: async (from: number, most: number) => numbered.filter(({ number }) => number >= from).slice(0, most),
      readVisibility: async (ids: readonly number[]) =>
        new Map(
          numbered.filter(({ first }) => ids.includes(first)).map(({ first, owner }) => [first, { account: owner }]),
        ),
      ...samplesOf(...samples),
    };
  };
  const COMMIT = { commitOf: { submissionId: 'dry' }, duplicate: 'reuse' };
  const rows = batchOf(2, [{ name: 'a' }, { name: 'b', id: 5 }, { name: 'c' }, { name: 'd' }]);
  let readings = 0;
  const found = (
    store: object,
    {
      options = COMMIT,
      of = {},
      batches = [rows],
      namesHeld,
    }: { options?: object; of?: object; batches?: LaidOutBatch[]; namesHeld?: number } = {},
    signal = new AbortController().signal,
  ) => {
    readings = 0;
    const read = async () => {
      readings++;
      return each(...batches);
    };
    const deps = { store: store as never, prefix: 'SAMR', ...(namesHeld === undefined ? {} : { namesHeld }) };
    return registeredMeanwhile(deps, submission(of, options), read, signal);
  };
  const ada = (id: number, name: string, of: object = {}) => ({ id, name, account: 'ada', ...of });
  const SINCE = [{ at: 1_000, first: 9, count: 1 }];

  it('names the rows that were shown as new and whose names the account has registered since', async () => {
    expect(await found(stored(SINCE, [ada(9, 'c')]))).toEqual({
      code: 'conflict',
      line: 4,
      retryable: false,
      message:
        'Samples of these names were registered since the dry run showed their rows as new: "c" (line 4) is SAMR9. Nothing was written, so that none ' +
        'is registered twice. Check the file again (dryRun=true) to see what it would do now, and write these accessions into the rows that mean them.',
    });
    const many = Array.from({ length: 5 }, (_, at) => ({ name: `n${at}` }));
    const all = stored(
      [{ at: 2_000, first: 11, count: 5 }],
      many.map(({ name }, at) => ada(11 + at, name)),
    );
    expect((await found(all, { batches: [batchOf(2, many)] }))?.message).toContain(
      '"n0" (line 2) is SAMR11, "n1" (line 3) is SAMR12, "n2" (line 4) is SAMR13, and so on. Nothing',
    );
    const three = stored(
      [{ at: 2_000, first: 11, count: 3 }],
      many.slice(0, 3).map(({ name }, at) => ada(11 + at, name)),
    );
    const inTwo = [batchOf(2, many.slice(0, 2)), batchOf(4, many.slice(2))];
    expect((await found(three, { batches: inTwo }))?.message).toContain('"n2" (line 4) is SAMR13. Nothing');
  });

  it('is stopped by nothing that was there before, is of others, withdrawn, another change, or named by its row', async () => {
    const none = async (runs: Run[], samples: Stored[]) => {
      expect(await found(stored(runs, samples))).toBeUndefined();
      return readings;
    };
    expect(await none([{ at: 999, first: 9, count: 1 }], [ada(9, 'c')])).toBe(0);
    expect(await none([{ ...SINCE[0], owner: 'bo' } as Run], [ada(9, 'c')])).toBe(0);
    expect(await none(SINCE, [ada(9, 'c', { account: 'bo' })])).toBe(0);
    expect(await none(SINCE, [ada(9, 'c', { adminStatus: 'KILLED' })])).toBe(0);
    expect(await none([{ ...SINCE[0], type: 'updated' } as Run], [ada(9, 'c')])).toBe(0);
    expect(await none(SINCE, [])).toBe(0);
    expect(await none([], [])).toBe(0);
    expect(await none(SINCE, [ada(9, 'b')])).toBe(1);
  });

  it('begins to look at the first change since its dry run, and reads the log to its end', async () => {
    const before = Array.from({ length: 40 }, (_, at) => ({ at, first: 100 + at, count: 1, owner: 'bo' }));
    for (const at of [0, 13, 39]) {
      const runs = before
        .with(at, { at: 1_500, first: 9, count: 1, owner: 'ada' })
        .map((run, n) => (n > at ? { ...run, at: 1_600 } : run));
      expect(await found(stored(runs, [ada(9, 'a')]))).toMatchObject({ line: 2 });
    }
    const after = Array.from({ length: 1_001 }, (_, at) => ({ at: 2_000, first: 100 + at, count: 1, owner: 'bo' }));
    const last = stored(after.with(1_000, { at: 2_000, first: 9, count: 1, owner: 'ada' }), [ada(9, 'a')]);
    expect(await found(last)).toMatchObject({ line: 2 });
  });

  it('reads the log in turns of 500 runs, each once, and no further', async () => {
    const asked: number[] = [];
    const runs = Array.from({ length: 1_001 }, (_, at) => ({ at: 2_000, first: 100 + at, count: 1, owner: 'bo' }));
    const store = stored(runs, []);
    const readVisibility = async () => new Map();
    const readChanges = async (from: number, most: number) => {
      if (most > 1) asked.push(from);
      return await store.readChanges(from, most);
    };
    expect(await found({ ...store, readChanges, readVisibility })).toBeUndefined();
    expect(asked).toEqual([1, 1_000, 2_000]);
  });

  it('reads its file no further than its message needs', async () => {
    const names = ['x', 'y', 'z', 'v', 'w'];
    const store = stored(
      [{ at: 1_000, first: 20, count: 5 }],
      names.map((name, at) => ada(20 + at, name)),
    );
    const [three, more] = [
      batchOf(
        2,
        names.slice(0, 3).map((name) => ({ name })),
      ),
      batchOf(5, [{ name: 'v' }]),
    ];
    expect((await found(store, { batches: [three, more] }))?.message).toContain('is SAMR22, and so on. Nothing');
    const read = async () =>
      (async function* () {
        yield* [three, more];
        throw new Error('read too far');
      })();
    const { signal } = new AbortController();
    const deps = { store: store as never, prefix: 'SAMR' };
    expect(await registeredMeanwhile(deps, submission({}, COMMIT), read, signal)).toMatchObject({ line: 2 });
  });

  it('reads its file once for so many names as are held', async () => {
    const names = ['x', 'y', 'z', 'w', 'd'];
    const store = () =>
      stored(
        names.map((_, at) => ({ at: 1_000, first: 20 + at, count: 1 })),
        names.map((name, at) => ada(20 + at, name)),
      );
    expect([await found(store(), { namesHeld: 2 }), readings]).toMatchObject([{ line: 5 }, 3]);
    expect([await found(store(), { namesHeld: 5 }), readings]).toMatchObject([{ line: 5 }, 1]);
    expect([await found(store(), { namesHeld: 5, batches: [] }), readings]).toEqual([undefined, 1]);
  });

  it.each([
    ['of no dry run', {}, {}],
    ['that its plan began', { commitOf: { submissionId: 'dry', automatic: true } }, {}],
    ['that may register twice', { duplicate: 'allow' }, {}],
    ['with keys', { key: 'Barcode' }, {}],
    ['of a batch edit', { edit: {} }, {}],
    ['whose dry run is gone', { commitOf: { submissionId: 'other' } }, {}],
    ['that goes on', {}, { cursor: 3 }],
  ])('%s is not looked at', async (what, options, of) => {
    const base = what === 'of no dry run' ? { duplicate: 'reuse' } : COMMIT;
    expect(await found(stored(SINCE, [ada(9, 'c')]), { options: { ...base, ...options }, of })).toBeUndefined();
    expect(readings).toBe(0);
  });

  it('is left alone once its worker stops', async () => {
    const stopping = new AbortController();
    const store = stored(SINCE, [ada(9, 'c')]);
    const readChanges = async (from: number, most: number) => {
      const runs = await store.readChanges(from, most);
      stopping.abort();
      return runs;
    };
    expect(await found({ ...store, readChanges }, {}, stopping.signal)).toBeUndefined();
    const later = new AbortController();
    const read = async () => {
      later.abort();
      return each(rows);
    };
    const deps = { store: stored(SINCE, [ada(9, 'c')]) as never, prefix: 'SAMR' };
    expect(await registeredMeanwhile(deps, submission({}, COMMIT), read, later.signal)).toBeUndefined();
  });
});

describe('an upload that ends before its last row', () => {
  const content = (...targets: string[]) => ({
    ...emptyContent(),
    relationships: targets.map((target) => ({ type: 'derived from', target })),
  });
  const run = async (
    targets: Record<number, string[]>,
    chunks: LedgerChunk[],
    there: number[] = [],
    reservedFrom: number | undefined = 50,
  ) => {
    const steps: LaidOutBatch[] = [];
    const read: number[][] = [];
    const store = {
      find: async () => ({ reservedFrom, cursor: 9 }),
      ledger: () => each(...chunks),
      readSamples: async (ids: readonly number[]) => {
        if (ids.includes(56)) throw new RegistryError('storage.damaged', 'Damaged.');
        read.push([...ids]);
        return ids.map((id) => ({ sample: { id, content: content(...(targets[id] ?? [])) } }));
      },
      findOwners: async (ids: readonly number[]) => {
        expect(new Set(ids).size).toBe(ids.length);
        return new Map(ids.filter((id) => there.includes(id)).map((id) => [id, 'ada']));
      },
    };
    const stopping = new AbortController();
    const step = async (batch: LaidOutBatch) => void steps.push(batch);
    const deps = { store: store as never, prefix: 'SAMR', batchRows: 2 };
    return { ended: await forgetRest(deps, 'x', step, stopping.signal), steps, read, deps, stopping, step };
  };
  const chunks = [
    chunk({ created: [[2, 50, 3]], updated: [[5, 7, 1]], unchanged: [[6, 8, 1]] }),
    chunk({ created: [[8, 54, 1]] }),
    // The second of these is damaged.
    chunk({ created: [[9, 55, 2]] }),
    chunk({ created: [[11, 57, 1]] }),
  ];

  it('takes from what it has written the rows that it will not come to, at lines behind its last', async () => {
    const targets = {
      50: ['SAMR60', 'SAMR51', 'SAMR49', 'SAMEA1'],
      51: ['SAMR50'],
      52: ['SAMR54'],
      7: ['SAMR60', 'SAMR61'],
      54: ['SAMR62'],
      55: ['SAMR63'],
    };
    const { ended, steps, read } = await run(targets, chunks, [51, 52, 54]);
    expect([ended, read]).toEqual(['done', [[50, 51], [52, 7], [54], [55], [57]]]);
    expect(steps.map(({ fromLine, toLine, ids, endsEarly }) => [fromLine, toLine, [...ids], endsEarly])).toEqual([
      [10, 11, [50, 51], true],
      [12, 12, [7], true],
      [13, 13, [54], true],
      [14, 14, [55], true],
    ]);
    expect(steps.flatMap(({ completes }) => [...(completes ?? [])])).toEqual([
      [0, { own: true, targets: [], gone: ['SAMR60'] }],
      [1, { own: true, targets: [], gone: ['SAMR50'] }],
      [0, { own: true, targets: [], gone: ['SAMR60', 'SAMR61'] }],
      [0, { own: true, targets: [], gone: ['SAMR62'] }],
      [0, { own: true, targets: [], gone: ['SAMR63'] }],
    ]);
  });

  it('changes nothing where no numbers were reserved, and stops with its worker', async () => {
    const { ended, read } = await run({ 50: ['SAMR60'] }, chunks, [], Number.NaN);
    expect([ended, read.length]).toEqual(['done', 5]);
    const store = { find: async () => ({ cursor: 9 }) };
    const stopping = new AbortController();
    const deps = { store: store as never, prefix: 'SAMR', batchRows: 2 };
    expect(await forgetRest(deps, 'x', async () => {}, stopping.signal)).toBe('done');
    const running = await run({}, []);
    running.stopping.abort();
    const busy = {
      ...running.deps,
      store: { find: async () => ({ reservedFrom: 50, cursor: 9 }), ledger: () => each(...chunks) } as never,
    };
    expect(await forgetRest(busy, 'x', running.step, running.stopping.signal)).toBe('aborted');
  });

  it('had begun to end where it was cancelled, or as many rows are refused, and their numbers were reserved', () => {
    const counts = { rows: 10, created: 7, updated: 0, unchanged: 0, rejected: 3 };
    const of = (more: object, options: object = { maxRejected: '2' }) =>
      endedBefore(submission({ counts, ...more }, options));
    expect(of({ cancelRequested: true, reservedFrom: 5 })).toEqual({});
    expect(of({ reservedFrom: 5 })).toMatchObject({ problem: { code: 'file.too-many-rejected' } });
    expect(of({})).toBeUndefined();
    expect(of({ reservedFrom: 5 }, { maxRejected: '3' })).toBeUndefined();
  });
});

describe('good rows', () => {
  it('are refused with the bad ones of their file, those that are bad themselves for what they are', () => {
    const batch = {
      ...batchOf(2, [{ name: 'a' }, { name: 'b' }, { name: 'c' }]),
      rejected: [{ line: 9, name: 'z', issues: [] }] as RejectedRow[],
    };
    const own: RejectedRow = {
      line: 3,
      name: 'b',
      issues: [{ line: 3, code: 'name.repeated', message: 'M', severity: 'error' }],
    };
    holdBack(batch, 'allOrNothing', [own]);
    expect([
      batch.count,
      batch.rejected.map(({ line, name, issues }) => [line, name, issues[0]?.code, issues[0]?.line]),
    ]).toEqual([
      0,
      [
        [2, 'a', 'row.held-back', 2],
        [3, 'b', 'name.repeated', 3],
        [4, 'c', 'row.held-back', 4],
        [9, 'z', undefined, undefined],
      ],
    ]);
    expect(batch.rejected[0]?.issues[0]?.message).toBe(
      'Nothing wrong with this row, but other rows of the file need fixing and it was sent as all or nothing.',
    );
    const items = { ...batchOf(1, [{ name: 'a' }]), places: { form: 'item' as const }, keys: Uint32Array.of(0, 1) };
    holdBack(items, 'tooMany');
    expect(items.rejected).toMatchObject([
      {
        key: 'a',
        issues: [
          { message: 'Nothing wrong with this item, but so many others are refused that the upload ended before it.' },
        ],
      },
    ]);
  });

  it('are held back where all or nothing was asked for, one is bad, and none is registered', async () => {
    const held = (mode: string, registers: boolean, bad: boolean) => {
      let asked = 0;
      return isHeldBack({ options: { mode } as never, registers }, () => {
        asked++;
        return bad;
      }).then((answer) => [answer, asked]);
    };
    expect(await held('atomic', false, true)).toEqual([true, 1]);
    expect(await held('atomic', false, false)).toEqual([false, 1]);
    expect(await held('atomic', true, true)).toEqual([false, 0]);
    expect(await held('partial', false, true)).toEqual([false, 0]);
  });

  it('without an accession mean the samples of their lines, which a key says otherwise', () => {
    const earlier = new LineIndex(Float64Array.of(2, 70, 2));
    const rows = [{ name: 'a' }, { name: 'b', id: 5 }, { name: 'c' }];
    const plain = batchOf(2, rows);
    meanEarlierSamples(plain, earlier);
    expect([[...plain.ids], plain.meant]).toEqual([[70, 5, 0], undefined]);
    const keyed: LaidOutBatch = { ...batchOf(2, rows), keys: new Uint32Array(6) };
    meanEarlierSamples(keyed, earlier);
    expect([[...keyed.ids], [...(keyed.meant ?? [])]]).toEqual([
      [0, 5, 0],
      [70, 0, 0],
    ]);
    const said: LaidOutBatch = { ...batchOf(2, rows), keys: new Uint32Array(6), meant: Float64Array.of(1, 2, 3) };
    meanEarlierSamples(said, earlier);
    expect([...(said.meant ?? [])]).toEqual([1, 2, 3]);
  });
});

describe('an undo', () => {
  const version = (id: number, of: object = {}) => ({
    id,
    name: `n${id}`,
    version: 1,
    release: 5,
    submissionId: 'done',
    line: 0,
    content: { ...emptyContent(), domain: `d${id}` },
    ...of,
  });
  type Version = ReturnType<typeof version> & { adminStatus?: string };
  const undo = async (
    chunks: LedgerChunk[],
    versions: Version[],
    { cursor = 0, keyed = false, lines = 10 }: { cursor?: number; keyed?: boolean; lines?: number } = {},
  ) => {
    const from: number[] = [];
    const latest = new Map<number, Version>();
    for (const one of versions) if (one.version >= (latest.get(one.id)?.version ?? 0)) latest.set(one.id, one);
    const store = {
      ledger: (id: string, line: number) => {
        from.push(line);
        return each(...(id === 'done' ? chunks : []));
      },
      // A lot may be one sample.
      readSamplesWithin: async ([id]: readonly number[]) => ({
        records: [...latest.values()].filter((sample) => sample.id === id).map((sample) => ({ sample })),
        read: 1,
      }),
      readVersions: async (asked: readonly { id: number; version: number }[]) =>
        asked.map((one) => versions.find(({ id, version }) => id === one.id && version === one.version)),
    };
    const deps = { store: store as never, prefix: 'SAMR', batchRows: 2 };
    const batches: LaidOutBatch[] = [];
    for await (const batch of readUndo(deps, 'done', cursor, { bytes: 100, lines, keyed })) batches.push(batch);
    expect(from).toEqual([cursor + 1]);
    return batches;
  };
  const rowsOf = (batch: LaidOutBatch) =>
    Array.from({ length: batch.count }, (_, row) => [
      batch.lines[row],
      batch.ids[row],
      batchName(batch, row),
      batch.expected?.[row],
      batch.holds?.[row],
      batch.releases[row],
      batch.documents.get(row),
    ]);
  const document = (domain: string) => encodeContent({ ...emptyContent(), domain });

  it('withdraws what was created and gives back what was before, batch for batch, in order of lines', async () => {
    const batches = await undo(
      [
        chunk({
          toLine: 5,
          created: [
            [2, 11, 1],
            [4, 12, 1],
          ],
          updated: [[3, 21, 1]],
        }),
        chunk({ fromLine: 6, toLine: 7, rejected: [] }),
        chunk({ fromLine: 8, toLine: 10, created: [[9, 13, 1]] }),
      ],
      [
        version(11, { line: 2 }),
        version(12, { line: 4 }),
        version(21, { submissionId: 'first', name: 'was', release: 7, content: { ...emptyContent(), domain: 'old' } }),
        version(21, { version: 2, line: 3 }),
        version(13, { line: 9 }),
      ],
    );
    expect(
      batches.map(({ fromLine, toLine, bytesRead, undoes, keysOf }) => [fromLine, toLine, bytesRead, undoes, keysOf]),
    ).toEqual([
      [1, 3, 30, 'done', undefined],
      [4, 5, 50, 'done', undefined],
      [6, 10, 100, 'done', undefined],
    ]);
    expect(batches.map(rowsOf)).toEqual([
      [
        [2, 11, 'n11', 1, HOLD.kill, 0, '{}'],
        [3, 21, 'was', 2, HOLD.none, 7, document('old')],
      ],
      [[4, 12, 'n12', 1, HOLD.kill, 0, '{}']],
      [[9, 13, 'n13', 1, HOLD.kill, 0, '{}']],
    ]);
  });

  it('goes on behind its cursor, and says in proportion how far it has come', async () => {
    const chunks = [chunk({ toLine: 6, created: [[2, 11, 4]] })];
    const all = [11, 12, 13, 14].map((id, at) => version(id, { line: at + 2 }));
    const [batch, ...none] = await undo(chunks, all, { cursor: 3, lines: 4 });
    expect([batch?.fromLine, batch?.toLine, batch?.bytesRead, [...(batch?.ids ?? [])], none]).toEqual([
      4,
      6,
      100,
      [13, 14],
      [],
    ]);
    expect((await undo(chunks, all, { lines: 0 })).map(({ bytesRead }) => bytesRead)).toEqual([0, 0]);
  });

  it('takes the keys of its rows, and once those of rows that changed nothing', async () => {
    const keyed = { keyed: true };
    const same = chunk({ unchanged: [[6, 31, 2]] });
    const keysOf = (batches: LaidOutBatch[]) => batches.map((batch) => batch.keysOf);
    expect(keysOf(await undo([same], [], keyed))).toEqual([{ submissionId: 'done', unchanged: [31, 32] }]);
    expect(await undo([same], [])).toEqual([]);
    expect(await undo([chunk({})], [], keyed)).toEqual([]);
    const three = chunk({ created: [[2, 11, 3]], unchanged: [[6, 31, 1]] });
    expect(
      keysOf(
        await undo(
          [three],
          [11, 12, 13].map((id) => version(id)),
          keyed,
        ),
      ),
    ).toEqual([
      { submissionId: 'done', unchanged: [] },
      { submissionId: 'done', unchanged: [31] },
    ]);
  });

  it('takes back what a standing sheet did to the status, and what came to rows of others', async () => {
    const former = { submissionId: 'first' };
    const withdrawn = { adminStatus: 'MISSING' };
    const [first, second] = await undo(
      [chunk({ missing: [[20, 11, 1]], completed: [[21, 12, 1]], updated: [[3, 13, 2]] })],
      [
        version(11, former),
        version(11, { version: 2, line: 20, ...withdrawn }),
        version(12, former),
        version(12, { version: 2, line: 21 }),
        version(13, { ...former, ...withdrawn }),
        version(13, { version: 2, line: 3 }),
        version(14, { ...former, ...withdrawn }),
        version(14, { version: 2, line: 4, ...withdrawn }),
      ],
    );
    const holds = (batch?: LaidOutBatch) => batch && rowsOf(batch).map(([line, id, , , hold]) => [line, id, hold]);
    expect([holds(first), holds(second)]).toEqual([
      [
        [3, 13, HOLD.missingAgain],
        [4, 14, HOLD.none],
      ],
      [
        [20, 11, HOLD.back],
        [21, 12, HOLD.none],
      ],
    ]);
  });

  it('leaves alone what was changed since or erased, and says so, but not for what the upload did itself afterwards', async () => {
    const first = { submissionId: 'first' };
    const batches = await undo(
      [chunk({ created: [[2, 11, 1]], updated: [[3, 21, 3]] })],
      [
        version(11, { adminStatus: ERASED }),
        version(21, first),
        version(21, { version: 2, line: 3 }),
        version(21, { version: 3, submissionId: 'later' }),
        // The upload's own lines behind completed a relationship of it.
        version(22, { ...first, name: 'was' }),
        version(22, { version: 2, line: 4 }),
        version(22, { version: 3, line: 30 }),
        // It has no version before.
        version(23, { line: 5 }),
      ],
    );
    expect(batches.flatMap(rowsOf).map(([line, id, name, expected]) => [line, id, name, expected])).toEqual([
      [4, 22, 'was', 3],
    ]);
    expect(
      batches.flatMap(({ rejected }) => rejected.map(({ line, name, issues }) => [line, name, issues[0]?.code])),
    ).toEqual([
      [2, 'n11', 'sample.erased'],
      [3, 'n21', 'row.changed-since'],
      [5, 'n23', 'row.changed-since'],
    ]);
    await expect(undo([chunk({ created: [[2, 11, 1]] })], [])).rejects.toThrow('sample 11 of submission done is gone');
  });
});

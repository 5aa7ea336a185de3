/** A commit does what its dry run showed: rows that would become something else are refused, and the others stay whole. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchName, type RejectedRow } from '../../src/registry/samples/sample-batch.js';
import { Preview } from '../../src/submissions/preview.js';
import { RepeatedRows } from '../../src/submissions/reading/repeated-rows.js';
import { batchOf } from '../many-machines/store-samples.js';
import { Intake, sheetOf, textOf } from './intake.js';

describe('rows of a commit', () => {
  it('are tied to the version that was shown, and refused where they mean another kind of row', () => {
    const names = ['new', 'became known', 'updates', 'became new', 'refused, new', 'refused, names', 'last'];
    const ids = [0, 5, 6, 0, 0, 7, 8];
    const batch = {
      ...batchOf(
        2,
        names.map((name, at) => ({ name, cells: `cells ${at}\tx`, ...(ids[at] ? { id: ids[at] as number } : {}) })),
      ),
      reserved: Float64Array.from(names, (_, at) => 100 + at),
      documents: new Map([
        [0, '{"first":1}'],
        [3, '{"gone":1}'],
        [6, '{"last":1}'],
      ]),
      cleared: new Map([
        [1, { gone: true }],
        [2, { kept: true }],
      ]) as never,
      rejected: [
        { line: 20, name: 'late', issues: [] },
        { line: 1, name: 'early', issues: [] },
      ] as RejectedRow[],
    };
    batch.releases = Float64Array.from(names, (_, at) => at);
    const runs = Float64Array.from([2, 0, 2, 4, 3, 2, 6, -1, 2, 8, 9, 1]);
    new Preview(runs).holdTo(batch);
    expect(batch.rejected.map(({ line, name, issues }) => [line, name, issues[0]?.code])).toEqual([
      [1, 'early', undefined],
      [3, 'became known', 'row.not-as-shown'],
      [5, 'became new', 'row.not-as-shown'],
      [6, 'refused, new', 'row.not-as-shown'],
      [20, 'late', undefined],
    ]);
    expect(batch.rejected[1]?.issues[0]?.line).toBe(3);
    expect(batch.rejected[1]?.issues[0]?.message).toBe(
      'This row would not become what the dry run showed. Upload the file again to see what it would do now.',
    );
    const kept = <T>(list: ArrayLike<T> | undefined) => Array.from(list ?? []).slice(0, 4);
    expect(batch.count).toBe(4);
    expect([0, 1, 2, 3].map((row) => batchName(batch, row))).toEqual(['new', 'updates', 'refused, names', 'last']);
    expect(kept(batch.lines)).toEqual([2, 4, 7, 8]);
    expect(kept(batch.ids)).toEqual([0, 6, 7, 8]);
    expect(kept(batch.releases)).toEqual([0, 2, 5, 6]);
    expect(kept(batch.reserved)).toEqual([100, 102, 105, 106]);
    expect(kept((batch as { expected?: Float64Array }).expected)).toEqual([0, 3, -1, 9]);
    expect([...batch.documents]).toEqual([
      [0, '{"first":1}'],
      [3, '{"last":1}'],
    ]);
    expect([...(batch.cleared as Map<number, object>)]).toEqual([[1, { kept: true }]]);
  });

  it('all stay where all are as shown, and with keys the store says which sample they mean', () => {
    const batch = batchOf(2, [{ name: 'a' }, { name: 'b', id: 4 }]);
    new Preview(Float64Array.from([2, 0, 1, 3, 7, 1])).holdTo(batch);
    expect([batch.count, batch.rejected, [...(batch.expected ?? [])], batch.cleared]).toEqual([
      2,
      [],
      [0, 7],
      undefined,
    ]);
    const between = batchOf(3, [{ name: 'a' }, { name: 'b', id: 4 }, { name: 'c' }]);
    new Preview(Float64Array.from([2, 0, 1, 5, 0, 1])).holdTo(between);
    expect([between.count, between.rejected.map(({ line }) => line), between.cleared]).toEqual([2, [3], undefined]);
    const keyed = { ...batchOf(2, [{ name: 'a' }, { name: 'b' }]), keys: Uint32Array.of(0, 1, 1, 2) };
    new Preview(Float64Array.from([2, 5, 1])).holdTo(keyed as never);
    expect([keyed.count, [...((keyed as { expected?: Float64Array }).expected ?? [])]]).toEqual([2, [5, -1]]);
  });
});

it('a row that only repeats one above is that one’s sample', () => {
  const rows = new RepeatedRows();
  expect(rows.note('a', 2, { id: 5, existing: false })).toBeUndefined();
  expect(rows.note('b', 3, { id: 6, existing: true })).toBeUndefined();
  expect(rows.note('c', 4, undefined)).toBeUndefined();
  expect([
    rows.note('a', 5, undefined),
    rows.note('b', 6, undefined),
    rows.note('c', 7, undefined),
    rows.note('a', 8, undefined),
  ]).toEqual([{ id: 5, existing: false }, { id: 6, existing: true }, undefined, { id: 5, existing: false }]);
});

describe('an undo', () => {
  let intake: Intake;
  beforeAll(async () => {
    intake = await Intake.open();
  });
  afterAll(() => intake.close());
  const sheet = (rows: string[][]) =>
    sheetOf(['Sample Name', 'Barcode', 'organism', 'Release Date'], ...rows.map((row) => [...row, '2020-01-01']));

  it('goes on behind its last batch where its worker stopped, and takes keys of rows that changed nothing', async () => {
    const account = 'undone';
    const rows = Array.from({ length: 8 }, (_, at) => [`u${at}`, `K-${at}`, 'x']);
    const first = await intake.send(sheet(rows), {}, { account });
    const ids = [...(await textOf(intake.results.mapping(first))).matchAll(/SAMR\d+/g)].map(([id]) => id);
    const keyed = { key: 'Barcode', keySpace: 'lims' } as const;
    const named = sheetOf(
      ['Sample Identifier', 'Sample Name', 'Barcode', 'organism', 'Release Date'],
      ...rows.map((row, at) => [ids[at] as string, ...row.with(2, at < 4 ? 'x' : 'y'), '2020-01-01']),
    );
    const second = await intake.send(named, keyed, { account });
    expect(second.counts).toMatchObject({ unchanged: 4, updated: 4 });
    const keys = () =>
      Promise.all(rows.map(([, key]) => intake.store.findKey({ account, space: 'lims', key: key as string })));
    expect(await keys()).toEqual(ids.map((id) => Number(id.slice(4))));
    intake.batchRows = 2;
    const { undoSubmission } = await import('../../src/submissions/uploads/follow-up.js');
    const { submission } = await undoSubmission(intake.uploads, await intake.found(second.id), false);
    const seen: [number, number][] = [];
    await intake.batchForBatch(submission.id, ({ cursor, bytesRead }) => seen.push([cursor, bytesRead]));
    const undo = await intake.found(submission.id);
    expect(undo).toMatchObject({
      state: 'COMPLETED',
      counts: { updated: 4, rejected: 0 },
      cursor: second.cursor,
      bytesRead: undo.fileSize,
    });
    expect(seen.length).toBeGreaterThan(2);
    for (const [cursor, bytes] of seen) expect(bytes).toBe(Math.round((undo.fileSize * cursor) / second.cursor));
    expect(await keys()).toEqual(rows.map(() => undefined));
    const sample = (await intake.store.readSample(Number(ids[7]?.slice(4))))?.sample;
    expect(sample?.content.characteristics.organism).toEqual([{ text: 'x' }]);
  });
});

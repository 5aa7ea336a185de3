/** Uploads that end before all is written: what of their samples stays, and what keeps an upload from being begun. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Submission } from '../../src/submissions/submission.js';
import { rewriteSample } from '../many-machines/store-samples.js';
import { Intake, sheetOf, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

const idsOf = async (submission: Submission): Promise<number[]> =>
  JSON.parse(await textOf(intake.results.mapping(submission))).sampleNameAccessionPairs.map(
    ({ sampleAccession }: { sampleAccession: string }) => Number(sampleAccession.slice('SAMR'.length)),
  );
const relationshipsOf = async (id: number) => (await intake.store.readSample(id))?.sample.content.relationships;

it('a sample of a cancelled upload loses what it names of the rows behind, and keeps all else that it names', async () => {
  const row = (name: string, ...relationships: object[]) => ({ name, release: '2020-01-01', relationships });
  const ndjson = (...items: object[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('');
  const cancelled = async (file: string): Promise<Submission> => {
    const { submission } = await intake.accept(file, {}, { fileName: 'samples.ndjson', account: 'cut' });
    await intake.oneBatch();
    await intake.store.cancel(submission.id);
    return intake.ended(submission.id);
  };
  const rest = [1, 2, 3, 4].map((at) => row(`rest ${at}`));
  const first = await cancelled(ndjson(row('a', { type: 'child of', target: 'rest 4' }), row('b'), row('c'), ...rest));
  const [a = 0, b = 0] = await idsOf(first);
  expect(await relationshipsOf(a)).toEqual([]);
  const kept = [
    { type: 'same as', target: 'SAMEA77' },
    { type: 'derived from', target: `SAMR${b}` },
    { source: 'SAMEA5', type: 'derived from', target: `SAMR${a}` },
  ];
  const later = [1, 2, 3, 4, 5].map((at) => row(`later ${at}`));
  const second = await cancelled(
    ndjson(
      row(
        'd',
        ...kept,
        { type: 'child of', target: 'later 1' },
        { source: 'SAMEA5', type: 'on', target: 'later 2' },
        { type: 'child of', target: 'f' },
      ),
      row('e', ...kept),
      row('f', { type: 'child of', target: 'later 3' }),
      ...later,
    ),
  );
  expect(second).toMatchObject({ state: 'CANCELLED', counts: { created: 3, updated: 0 } });
  const [d = 0, e = 0, f = 0] = await idsOf(second);
  expect(await relationshipsOf(d)).toEqual([...kept, { type: 'child of', target: `SAMR${f}` }]);
  expect(await relationshipsOf(e)).toEqual(kept);
  expect(await relationshipsOf(f)).toEqual([]);
  const versions = await Promise.all([d, e, f].map(async (id) => (await intake.store.readSample(id))?.sample.version));
  expect(versions).toEqual([2, 1, 2]);
});

describe('a file whose columns are read otherwise, line by line,', () => {
  const file = (tag: string) =>
    sheetOf(
      ['Sample Name', 'tissue', 'Release Date'],
      ...[1, 2, 3, 4, 5, 6, 7].map((at) => [`${tag} ${at}`, 'liver', '2020-01-01']),
    );
  const begun = async (tag: string) => {
    const first = await intake.send(file(tag), { unknownColumns: 'ignore' }, { account: tag });
    const { submission } = await intake.accept(file(tag), {}, { account: tag });
    expect(submission.options.rereadOf).toBe(first.id);
    return { first, submission, ids: await idsOf(first) };
  };

  it('writes nothing where a sample was changed before it was begun, and says which and what to do', async () => {
    const { first, submission, ids } = await begun('before');
    await rewriteSample(intake.store, ids[4] as number, Date.UTC(2020, 0, 1));
    expect(await intake.ended(submission.id)).toMatchObject({
      state: 'FAILED',
      counts: { rows: 0, created: 0, updated: 0 },
      problem: {
        code: 'conflict',
        message: `The samples of submission ${first.id}, which this file means line by line, were changed meanwhile: SAMR${ids[4]} (line 6). Nothing was written. Edit and upload its result file, or upload this one with duplicate=allow.`,
        retryable: false,
      },
    });
  });

  it('goes on behind the rows that it has written, without the one that was changed since', async () => {
    const { submission, ids } = await begun('behind');
    await intake.oneBatch();
    await rewriteSample(intake.store, ids[4] as number, Date.UTC(2020, 0, 1));
    expect(await intake.ended(submission.id)).toMatchObject({ counts: { rows: 7, updated: 6, rejected: 1 } });
    expect((await textOf(intake.results.errors(await intake.found(submission.id)))).split('\n')[1]).toContain(
      'behind 5',
    );
  });
});

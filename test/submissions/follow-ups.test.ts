/** What follows an upload: the commit of a dry run as it was shown, an undo, and the same bytes read otherwise. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
import type { VersionOf } from '../../src/registry/samples/sample-store.js';
import { readUndo } from '../../src/submissions/processing/undo.js';
import type { CellChange } from '../../src/submissions/results/changes.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import { undoSubmission } from '../../src/submissions/uploads/follow-up.js';
import { Intake, sheetOf, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

const HEADER = ['Sample Identifier', 'Sample Name', 'Characteristics[organism]', 'Release Date'];
let labs = 0;

/** Samples of an account of their own: name → accession. */
async function lab(names: readonly string[], options: Partial<UploadOptions> = {}) {
  const account = `lab-${++labs}`;
  const rows = names.map((name) => ['', name, 'Homo sapiens', '2020-01-01']);
  const first = await intake.send(sheetOf(HEADER, ...rows), { duplicate: 'allow', ...options }, { account });
  const { sampleNameAccessionPairs } = JSON.parse(await textOf(intake.results.mapping(first))) as {
    sampleNameAccessionPairs: { sampleName: string; sampleAccession: string }[];
  };
  const ids = new Map(sampleNameAccessionPairs.map((pair) => [pair.sampleName, pair.sampleAccession]));
  const id = (name: string): string => ids.get(name) ?? '';
  const send = (rowsOf: string[][], given: Partial<UploadOptions> = {}) =>
    intake.send(sheetOf(HEADER, ...rowsOf), given, { account });
  return { account, first, id, send };
}

const sampleOf = async (accession: string) => {
  const sample = (await intake.store.readSample(Number(accession.slice(4))))?.sample;
  return (
    sample && [sample.name, sample.content.characteristics.organism?.[0]?.text, sample.version, sample.adminStatus]
  );
};
/** Names of the account's samples that no undo has withdrawn. */
const standingOf = async (account: string): Promise<string[]> => {
  const all = await intake.store.readSamples(Array.from({ length: 2000 }, (_, n) => n + 1));
  return all.flatMap(({ sample }) => (sample.account === account && !sample.adminStatus ? [sample.name] : []));
};
const issuesOf = async (submission: Submission): Promise<string[]> =>
  (
    JSON.parse(await textOf(intake.results.errorsJson(submission))) as {
      rejected: { line: number; issues: { code: string }[] }[];
    }
  ).rejected.flatMap(({ line, issues }) => issues.map(({ code }) => `${line} ${code}`));
const changesOf = async (submission: Submission, most?: number): Promise<CellChange[]> =>
  (JSON.parse(await textOf(intake.results.changes(submission, submission, most))) as { changes: CellChange[] }).changes;

describe('a dry run', () => {
  it('writes nothing, and shows each cell that would change', async () => {
    const { id, send } = await lab(['a', 'b', 'c', 'd']);
    const dry = await send(
      [
        [id('a'), 'a', 'Mus musculus', '2020-01-01'],
        [id('b'), 'b', 'Homo sapiens', '2020-01-01'],
        ['', 'new', 'Homo sapiens', '2020-01-01'],
        [id('c'), 'c renamed', '', '2021-05-06'],
        [id('d'), 'd', 'Homo sapiens', 'never'],
      ],
      { dryRun: true },
    );
    expect(dry.counts).toEqual({ rows: 5, created: 1, updated: 2, unchanged: 1, rejected: 1 });
    const shown = [
      {
        line: 2,
        accession: id('a'),
        column: 'Characteristics[organism]',
        before: 'Homo sapiens',
        after: 'Mus musculus',
      },
      { line: 5, accession: id('c'), column: 'Sample Name', before: 'c', after: 'c renamed' },
      {
        line: 5,
        accession: id('c'),
        column: 'Release Date',
        before: '2020-01-01T00:00:00.000Z',
        after: '2021-05-06T00:00:00.000Z',
      },
      { line: 5, accession: id('c'), column: 'Characteristics[organism]', before: 'Homo sapiens' },
    ];
    expect(await changesOf(dry)).toEqual(shown);
    expect(await changesOf(dry, 2)).toEqual(shown.slice(0, 2));
    expect(await textOf(intake.results.result(dry))).toContain(
      [
        `Dry run\tnothing was written; POST /submissions/${dry.id}/commit carries it out as shown here`,
        'Columns read as\tSample Identifier\tSample Name\tCharacteristics[organism]\tRelease Date',
      ].join('\n'),
    );
    const receipt = (await textOf(intake.results.result(dry))).split('\n');
    expect(receipt.filter((line) => line.includes('\tchange\t'))).toEqual([
      'line 2\tCharacteristics[organism]\tchange\tHomo sapiens\twould become Mus musculus\t',
      'line 5\tSample Name\tchange\tc\twould become c renamed\t',
      'line 5\tRelease Date\tchange\t2020-01-01T00:00:00.000Z\twould become 2021-05-06T00:00:00.000Z\t',
      'line 5\tCharacteristics[organism]\tchange\tHomo sapiens\twould become empty\t',
    ]);
    expect(await sampleOf(id('a'))).toEqual(['a', 'Homo sapiens', 1, undefined]);
    const commit = await intake.commit(dry);
    expect(commit.counts).toEqual(dry.counts);
    expect(commit.options).toMatchObject({ dryRun: false, commitOf: { submissionId: dry.id } });
    expect(await changesOf(commit)).toEqual(shown);
    expect(await textOf(intake.results.result(commit))).toContain(`\nDry run carried out\t${dry.id}\n`);
    expect(await intake.commit(dry)).toEqual(commit);
  });

  it('is carried out as it was shown: rows whose sample was changed since are refused', async () => {
    const { id, send } = await lab(['a', 'b', 'c']);
    const dry = await send(
      ['a', 'b', 'c'].map((name) => [id(name), name, 'Mus musculus', '2020-01-01']),
      { dryRun: true },
    );
    await send([[id('b'), 'b', 'Danio rerio', '2020-01-01']]);
    const commit = await intake.commit(dry);
    expect(commit.counts).toMatchObject({ updated: 2, rejected: 1 });
    expect(await issuesOf(commit)).toEqual(['3 row.changed-since']);
    expect(await sampleOf(id('b'))).toEqual(['b', 'Danio rerio', 2, undefined]);
  });

  it('is stopped whole where it is all or nothing and one sample was changed since', async () => {
    const { id, send } = await lab(['a', 'b', 'c']);
    const dry = await send(
      ['a', 'b', 'c'].map((name) => [id(name), name, 'Mus musculus', '2020-01-01']),
      { dryRun: true, mode: 'atomic' },
    );
    await send([
      [id('b'), 'b', 'Danio rerio', '2020-01-01'],
      [id('c'), 'c', 'Danio rerio', '2020-01-01'],
    ]);
    const commit = await intake.commit(dry);
    expect(commit).toMatchObject({
      state: 'FAILED',
      problem: {
        code: 'conflict',
        message:
          'The samples of 2 rows were changed since the dry run (lines 3, 4), and it was sent as all or nothing: nothing was written. Make a new dry run.',
        retryable: false,
      },
    });
    expect(await sampleOf(id('a'))).toEqual(['a', 'Homo sapiens', 1, undefined]);
  });

  it('can be carried out when it has ended, and no other submission can', async () => {
    const { first, account } = await lab(['a']);
    await expect(intake.commit(first)).rejects.toMatchObject({
      code: 'conflict',
      message: `Submission ${first.id} is no dry run; it has been carried out already.`,
    });
    const { submission } = await intake.accept(
      sheetOf(HEADER, ['', 'x', '', '2020-01-01']),
      { dryRun: true },
      { account },
    );
    await expect(intake.commit(submission)).rejects.toThrow(
      'is still being read; wait for its end and look at what it shows.',
    );
    await intake.store.cancel(submission.id);
    await intake.ended(submission.id);
    await expect(intake.commit(submission)).rejects.toThrow('did not reach its end; upload the file again.');
  });

  it('of new samples is answered with the submission that registered the same file meanwhile', async () => {
    const { account } = await lab(['a']);
    const file = sheetOf(HEADER.slice(1), ['z', 'x', '2020-01-01']);
    const dry = await intake.send(file, { dryRun: true }, { account });
    const real = await intake.send(file, {}, { account });
    expect((await intake.commit(dry)).id).toBe(real.id);
  });

  it('whose commit was cancelled can be carried out, or says by what its rows are registered', async () => {
    const { account } = await lab(['a']);
    const file = sheetOf(HEADER, ...Array.from({ length: 7 }, (_, n) => ['', `n${n}`, '', '2020-01-01']));
    const dry = await intake.send(file, { dryRun: true }, { account });
    const cancelled = await intake.acceptCommit(dry);
    await intake.store.cancel(cancelled.submission.id);
    const { submission } = await intake.acceptCommit(dry);
    expect(submission).toMatchObject({ state: 'ACTIVE', options: { commitOf: { submissionId: dry.id } } });
    await intake.oneBatch();
    await intake.store.cancel(submission.id);
    await intake.ended(submission.id);
    await expect(intake.acceptCommit(dry)).rejects.toMatchObject({
      code: 'conflict',
      detail: { extra: { submissionId: submission.id } },
    });
    expect((await intake.commit(await intake.send(file, { dryRun: true }, { account }))).counts).toMatchObject({
      created: 4,
      unchanged: 3,
    });
  });

  it('of an administrator is carried out by its owner as the owner may', async () => {
    const other = await lab(['theirs']);
    const account = `lab-${++labs}`;
    const file = sheetOf(HEADER, [other.id('theirs'), 'theirs', 'Mus musculus', '2020-01-01']);
    const dry = await intake.send(file, { dryRun: true }, { account, admin: true });
    expect(dry.counts.updated).toBe(1);
    const commit = await intake.commit(dry, false);
    expect([commit.admin, commit.counts.rejected]).toEqual([false, 1]);
    const again = await intake.send(file, { dryRun: true, duplicate: 'allow' }, { account, admin: true });
    const asAdmin = await intake.commit(again, true);
    expect([asAdmin.admin, asAdmin.counts.updated]).toEqual([true, 1]);
  });
});

describe('an undo', () => {
  it('takes back what an upload created and updated, and leaves what was changed since', async () => {
    const { id, send } = await lab(['a', 'b', 'c']);
    const upload = await send([
      [id('a'), 'a two', 'Mus musculus', '2020-01-01'],
      ['', 'new 1', 'Mus musculus', '2020-01-01'],
      [id('b'), 'b', 'Mus musculus', '2020-01-01'],
      ['', 'new 2', 'Mus musculus', '2020-01-01'],
      [id('c'), 'c', 'Homo sapiens', '2020-01-01'],
      ['', 'new 3', 'Mus musculus', '2020-01-01'],
      ['', 'new 4', 'Mus musculus', '2020-01-01'],
    ]);
    expect(upload.counts).toEqual({ rows: 7, created: 4, updated: 2, unchanged: 1, rejected: 0 });
    const news = (
      JSON.parse(await textOf(intake.results.mapping(upload))) as {
        sampleNameAccessionPairs: { sampleName: string; sampleAccession: string }[];
      }
    ).sampleNameAccessionPairs
      .filter(({ sampleName }) => sampleName.startsWith('new'))
      .map(({ sampleAccession }) => sampleAccession);
    await send([
      [id('b'), 'b', 'Danio rerio', '2020-01-01'],
      [news[3] as string, 'new 4', 'Danio rerio', '2020-01-01'],
    ]);
    const undo = await intake.undo(upload);
    expect(undo.counts).toEqual({ rows: 6, created: 0, updated: 4, unchanged: 0, rejected: 2 });
    expect(undo).toMatchObject({ state: 'COMPLETED_WITH_ERRORS', bytesRead: undo.fileSize, cursor: upload.cursor });
    expect(await issuesOf(undo)).toEqual(['4 row.changed-since', '8 row.changed-since']);
    expect(await sampleOf(id('a'))).toEqual(['a', 'Homo sapiens', 3, undefined]);
    expect(await sampleOf(id('b'))).toEqual(['b', 'Danio rerio', 3, undefined]);
    expect(await sampleOf(id('c'))).toEqual(['c', 'Homo sapiens', 1, undefined]);
    for (const accession of news.slice(0, 3)) expect((await sampleOf(accession))?.[3]).toBe('KILLED');
    expect((await sampleOf(news[3] as string))?.[3]).toBeUndefined();
    expect(await textOf(intake.results.result(undo))).toContain(`\nSubmission undone\t${upload.id}\n`);
    expect(await intake.undo(upload)).toEqual(undo);
    await expect(intake.undo(undo)).rejects.toThrow('is an undo itself; upload the file again with duplicate=allow.');
  });

  it('reads the samples that it takes back in lots, however few fit into one', async () => {
    const { id, send } = await lab(['a', 'b']);
    const news = Array.from({ length: 118 }, (_, n) => ['', `lot ${n}`, 'Mus musculus', '2020-01-01']);
    const olds = ['a', 'b'].map((name) => [id(name), name, 'Mus musculus', '2020-01-01']);
    const { batchRows } = intake;
    intake.batchRows = 1000;
    const upload = await send([...news.slice(0, 60), ...olds, ...news.slice(60)]);
    intake.batchRows = batchRows;
    expect(upload.counts).toMatchObject({ created: 118, updated: 2 });
    const readInLots = async (most: number) => {
      let lots = 0;
      let formers = 0;
      const store = {
        ...intake.store,
        readSamplesWithin: (ids: readonly number[], bytes: number) => {
          lots++;
          return intake.store.readSamplesWithin(ids.slice(0, most), bytes);
        },
        readVersions: (wanted: readonly VersionOf[]) => {
          formers++;
          return intake.store.readVersions(wanted);
        },
      };
      const extent = { bytes: 0, lines: 0, keyed: false };
      const batches: LaidOutBatch[] = [];
      for await (const batch of readUndo({ store, prefix: 'SAMR', batchRows: 1000 }, upload.id, 0, extent))
        batches.push(batch);
      return { lots, formers, batches };
    };
    const whole = await readInLots(50);
    expect(whole.batches.map(({ count, rejected }) => [count, rejected])).toEqual([[120, []]]);
    expect(whole).toMatchObject({ lots: 3, formers: 1 });
    expect(await readInLots(7)).toEqual({ lots: 18, formers: 1, batches: whole.batches });
  });

  it.each([0, 1, 2])(
    'that is cancelled after %i batches goes on when it is asked for again, to the same end',
    async (batches) => {
      const { account } = await lab(['a']);
      const file = sheetOf(HEADER, ...Array.from({ length: 12 }, (_, n) => ['', `n${n}`, '', '2020-01-01']));
      const upload = await intake.send(file, {}, { account });
      const { submission } = await undoSubmission(intake.uploads, upload, false);
      for (let n = 0; n < batches; n++) await intake.oneBatch();
      await intake.store.cancel(submission.id);
      const cancelled = await intake.ended(submission.id);
      expect(cancelled.state).toBe('CANCELLED');
      expect(cancelled.counts.rows > 0).toBe(batches > 0);
      // None of its rows is registered a second time while samples of the first stand.
      const again = intake.accept(file, {}, { account });
      if (batches === 0) expect((await again).submission.id).toBe(upload.id);
      else {
        await expect(again).rejects.toMatchObject({
          code: 'conflict',
          message: expect.stringContaining(`Undo submission ${upload.id} again, which goes on with it`),
          detail: { extra: { submissionId: submission.id } },
        });
      }
      const undo = await intake.undo(upload);
      expect(undo).toMatchObject({ id: submission.id, state: 'COMPLETED', counts: { rows: 12, updated: 12 } });
      expect((await intake.send(file, {}, { account })).counts).toMatchObject({ rows: 12, created: 12 });
      expect((await intake.undo(upload)).id).toBe(undo.id);
    },
  );

  it.each<[string, number, Partial<UploadOptions>, Partial<UploadOptions>]>([
    ['read the same way', 1, {}, {}],
    ['read the same way', 0, {}, {}],
    ['that merges', 1, {}, { update: 'merge' }],
    ['that is all or nothing', 1, {}, { mode: 'atomic' }],
    ['whose columns are read anew', 1, { unknownColumns: 'ignore' }, {}],
    ['with keys', 1, {}, { key: 'Sample Name' }],
    ['with the same keys', 1, { key: 'Sample Name' }, { key: 'Sample Name' }],
    ['with the same keys', 0, { key: 'Sample Name' }, { key: 'Sample Name' }],
  ])(
    'leaves no row with two samples when it is cancelled and the file %s came while it ran, after %i batches',
    async (_, batches, first, then) => {
      const account = `lab-${++labs}`;
      const file = sheetOf(HEADER, ...Array.from({ length: 12 }, (_, n) => ['', `n${n}`, '', '2020-01-01']));
      const upload = await intake.send(file, first, { account });
      const { submission: undo } = await undoSubmission(intake.uploads, upload, false);
      for (let n = 0; n < batches; n++) await intake.oneBatch();
      const { submission } = await intake.accept(file, then, { account });
      // Nor does the undo go past it: which samples its rows mean is not known.
      await intake.oneBatch();
      expect((await intake.found(submission.id)).counts.rows).toBe(0);
      await intake.store.cancel(undo.id);
      const after = await intake.ended(submission.id);
      const standing = await standingOf(account);
      if (after.state === 'FAILED') {
        expect(after.problem).toMatchObject({
          code: 'conflict',
          message: expect.stringContaining(`Undo submission ${upload.id} again, which goes on with it`),
          retryable: false,
        });
        await intake.undo(upload);
        expect((await intake.send(file, then, { account })).counts).toMatchObject({ created: 12 });
        expect(await standingOf(account)).toHaveLength(12);
      } else expect(new Set(standing).size).toBe(12);
      expect(new Set(standing).size).toBe(standing.length);
    },
  );

  it('waits for an upload of the same file that came before it, and leaves what that changed', async () => {
    const account = `lab-${++labs}`;
    const rows = Array.from({ length: 7 }, (_, n) => [`n${n}`, 'liver', '2020-01-01']);
    const file = sheetOf(['Sample Name', 'tissue', 'Release Date'], ...rows);
    const upload = await intake.send(file, { unknownColumns: 'ignore' }, { account });
    const again = await intake.accept(file, {}, { account });
    const { submission: undo } = await undoSubmission(intake.uploads, upload, false);
    await intake.oneBatch();
    expect((await intake.found(undo.id)).counts.rows).toBe(0);
    expect((await intake.ended(undo.id)).counts).toMatchObject({ rows: 7, rejected: 7 });
    expect(await intake.found(again.submission.id)).toMatchObject({ state: 'COMPLETED', counts: { updated: 7 } });
    expect(await standingOf(account)).toHaveLength(7);
  });

  it('is for what has ended and changed something', async () => {
    const { account } = await lab(['a']);
    const file = sheetOf(HEADER, ['', 'x', '', '2020-01-01']);
    const dry = await intake.send(file, { dryRun: true }, { account });
    await expect(intake.undo(dry)).rejects.toThrow(`Submission ${dry.id} is a dry run; it changed nothing.`);
    const { submission } = await intake.accept(file, {}, { account });
    await expect(intake.undo(submission)).rejects.toThrow('still runs; cancel it, or wait for its end.');
    await intake.ended(submission.id);
    expect((await intake.undo(submission)).counts).toMatchObject({ updated: 1 });
  });

  it('takes back a commit, its keys and its merged values', async () => {
    const { account, send } = await lab(['unkeyed']);
    const keyed = { key: 'Sample Name', keySpace: 'lims' } as const;
    const first = await send(
      [
        ['', 'k1', 'Homo sapiens', '2020-01-01'],
        ['', 'k2', 'Homo sapiens', '2020-01-01'],
      ],
      keyed,
    );
    const id = async (key: string) => await intake.store.findKey({ account, space: 'lims', key });
    expect(await id('k1')).toBeDefined();
    const dry = await send(
      [
        ['', 'k1', 'Mus musculus', '2020-01-01'],
        ['', 'k3', 'Mus musculus', '2020-01-01'],
      ],
      { ...keyed, dryRun: true, update: 'merge' },
    );
    const commit = await intake.commit(dry);
    expect(commit.counts).toMatchObject({ created: 1, updated: 1 });
    expect(await id('k3')).toBeDefined();
    const undo = await intake.undo(commit);
    expect(undo.options).toMatchObject({ undoOf: commit.id, mode: 'partial', update: 'replace' });
    expect(undo.options).not.toHaveProperty('commitOf');
    expect(await id('k3')).toBeUndefined();
    expect(await sampleOf(`SAMR${await id('k1')}`)).toEqual(['k1', 'Homo sapiens', 3, undefined]);
    // What was changed since keeps its key, too.
    const kept = await id('k1');
    expect((await intake.undo(first)).counts).toMatchObject({ updated: 1, rejected: 1 });
    expect([await id('k1'), await id('k2')]).toEqual([kept, undefined]);
  });
});

describe('the same bytes once more', () => {
  const file = (tag: string) =>
    sheetOf(
      ['Sample Name', 'tissue', 'Release Date'],
      [`${tag} 1`, 'liver', '2020-01-01'],
      [`${tag} 2`, 'skin', '2020-01-01'],
    );

  it('are answered with the first submission, unless they shall be registered anew', async () => {
    const first = await intake.accept(file('same'), {}, { account: 'again' });
    const second = await intake.accept(file('same'), {}, { account: 'again' });
    expect([second.replayed, second.submission.id]).toEqual([true, first.submission.id]);
    const anew = await intake.accept(file('same'), { duplicate: 'allow' }, { account: 'again' });
    expect([anew.replayed, anew.submission.id === first.submission.id]).toEqual([false, false]);
    const others = await intake.accept(file('same'), {}, { account: 'somebody else' });
    expect(others.replayed).toBe(false);
  });

  it('read otherwise mean the samples of the first upload, line by line', async () => {
    const first = await intake.send(file('reread'), { unknownColumns: 'ignore' }, { account: 'reread' });
    const again = await intake.send(file('reread'), {}, { account: 'reread' });
    expect(again.options.rereadOf).toBe(first.id);
    expect(again.counts).toEqual({ rows: 2, created: 0, updated: 2, unchanged: 0, rejected: 0 });
    expect(await textOf(intake.results.result(again))).toContain(
      `\nColumns read anew\tthe samples of submission ${first.id}, line by line\n`,
    );
    const stored = (
      await intake.store.readSample(Number(/SAMR(\d+)/.exec(await textOf(intake.results.result(again)))?.[1]))
    )?.sample;
    expect(stored?.content.characteristics.tissue).toEqual([{ text: 'liver' }]);
  });

  it('read otherwise are refused where a sample was changed since, with what can be done', async () => {
    const account = 'reread-changed';
    const first = await intake.send(file('other'), { unknownColumns: 'ignore' }, { account });
    const accession = /\bSAMR\d+/.exec(await textOf(intake.results.result(first)))?.[0] as string;
    await intake.send(sheetOf(HEADER, [accession, 'other 1', 'Homo sapiens', '2020-01-01']), {}, { account });
    await expect(intake.accept(file('other'), {}, { account })).rejects.toMatchObject({
      code: 'submission.same-file-other-options',
      message: `This file was uploaded before as submission ${first.id}, and its columns are now to be read otherwise (unknownColumns), but its samples were changed since: ${accession} (line 2). To change its samples, edit and upload its result file; to register a second set, add duplicate=allow.`,
      detail: {
        extra: {
          submissionId: first.id,
          differingOptions: ['unknownColumns'],
          changedSamples: [{ line: 2, accession }],
          offers: [{ action: 'register-anew', options: { duplicate: 'allow' } }],
        },
      },
    });
  });

  it('with another release are refused, and offered to move it', async () => {
    const account = 'moved';
    const undated = sheetOf(['Sample Name', 'tissue'], ['m', 'liver']);
    const day = Date.UTC(2022, 1, 3);
    const first = await intake.send(undated, { releaseDate: day }, { account });
    await expect(intake.accept(undated, { releaseDate: day + 86_400_000 }, { account })).rejects.toMatchObject({
      message: `This file was uploaded before as submission ${first.id}, with another releaseDate. To change its samples, edit and upload its result file, or to move their release add releaseExisting=true; to register a second set, add duplicate=allow.`,
      detail: {
        extra: {
          differingOptions: ['releaseDate'],
          changedSamples: [],
          offers: [
            { action: 'move-release', options: { releaseExisting: 'true' } },
            { action: 'register-anew', options: { duplicate: 'allow' } },
          ],
        },
      },
    });
    const moved = await intake.send(undated, { releaseDate: day + 86_400_000, releaseExisting: true }, { account });
    expect(moved.counts).toMatchObject({ created: 0, updated: 1 });
    const lines = (await textOf(intake.results.result(moved))).split('\n');
    expect(lines[1]).toMatch(/^m\tliver\t2022-02-04\tSAMR\d+$/);
  });

  it('that name samples are another upload each time', async () => {
    const { id, account } = await lab(['a']);
    const row = sheetOf(HEADER, [id('a'), 'a', 'Mus musculus', '2020-01-01']);
    const first = await intake.accept(row, {}, { account });
    const second = await intake.accept(row, {}, { account });
    expect([second.replayed, second.submission.id === first.submission.id]).toEqual([false, false]);
  });
});

/** Rows known by their key, by their name or by an earlier line, also where a file is read through before it is registered. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyContent, type StoredSample } from '../../src/registry/samples/sample.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import type { Claim } from '../../src/submissions/submission-store.js';
import { acceptUpload } from '../../src/submissions/uploads/accept-upload.js';
import type { KnownProfile } from '../../src/tsv/header/profile.js';
import { Intake, RULES, requestOf, sheetOf, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

const RELATION = 'Comment[bsd_relationship:derived from]';
const HEADER = ['Sample Identifier', 'Sample Name', 'Barcode', 'Characteristics[organism]', 'Release Date', RELATION];
type Row = [key: string, name?: string, value?: string, parent?: string, id?: string];
const sheet = (...rows: Row[]): string =>
  sheetOf(
    HEADER,
    ...rows.map(([key, name = `n ${key}`, value = 'x', parent = '', id = '']) => [
      id,
      name,
      key,
      value,
      '2020-01-01',
      parent,
    ]),
  );
const keyed = { key: 'Barcode', keySpace: 'lims' } as const;
const issuesOf = async (submission: Submission): Promise<string[]> =>
  (
    JSON.parse(await textOf(intake.results.errorsJson(submission))) as {
      rejected: { line: number; issues: { code: string }[] }[];
    }
  ).rejected.flatMap(({ line, issues }) => issues.map(({ code }) => `${line} ${code}`));
const idOf = async (account: string, key: string, space = 'lims') =>
  await intake.store.findKey({ account, space, key });
const sampleOf = async (id: number | undefined) =>
  id === undefined ? undefined : (await intake.store.readSample(id))?.sample;

describe('a new key that a known one may have been', () => {
  const ACCENTED = 'B-\u00c41';
  it.each([
    ['in other capitals', 'B-1', 'b-1', 'capital letters'],
    ['with letters of another form', ACCENTED, ACCENTED.normalize('NFD'), 'the form of its accented letters'],
    [
      'with letters of another form, the other way',
      ACCENTED.normalize('NFD'),
      ACCENTED,
      'the form of its accented letters',
    ],
    ['with marks that nobody sees', 'B-1', 'B\u200b-1', 'marks that nobody sees'],
    ['without its zeros', '000171', '171', 'zeros before a number'],
    ['with zeros', '171', '00171', 'zeros before a number'],
    ['as a number with decimals', '171', '171.0', 'the decimals behind a number'],
    ['as one without', '171.0', '171', 'the decimals behind a number'],
  ])('%s is named beside it, in a dry run too, and registers a sample of its own', async (how, before, now, why) => {
    const account = `like ${how}`;
    await intake.send(sheet([before], ['other']), keyed, { account });
    const known = `SAMR${await idOf(account, before)}`;
    for (const dryRun of [true, false]) {
      const { counts, issues } = await intake.send(sheet([now], ['third']), { ...keyed, dryRun }, { account });
      expect(counts).toMatchObject({ created: 2, rejected: 0 });
      const said = issues.filter(({ code }) => code === 'key.like-another');
      expect(said).toMatchObject([{ lines: [2], column: 'Barcode' }]);
      for (const part of [now, before, known, why]) expect(said[0]?.message).toContain(part);
    }
  });

  it('is one of its own where the file has both, where it is known, and in another space', async () => {
    const account = 'like both';
    const codesOf = async (text: string, options: Partial<UploadOptions> = keyed) =>
      (await intake.send(text, options, { account })).issues.map(({ code }) => code);
    expect(await codesOf(sheet(['a1'], ['A1']))).toEqual([]);
    expect(await codesOf(sheet(['A1', 'n', 'y']))).toEqual([]);
    expect(await codesOf(sheet(['b1'], ['a1']))).toEqual([]);
    expect(await codesOf(sheet(['B1'], ['b1']))).toEqual([]);
    expect(await codesOf(sheet(['C1'], ['a1 ']), { ...keyed, keySpace: 'others' })).toEqual([]);
  });
});

describe('rows with keys that refer to each other', () => {
  it('update the samples of their keys and register the others, whose numbers are known before', async () => {
    const account = 'related';
    const first = await intake.send(sheet(['B-1'], ['B-2', 'n B-2', 'x', 'n B-1']), keyed, { account });
    expect(first.counts).toMatchObject({ created: 2, rejected: 0 });
    const [one, two] = [await idOf(account, 'B-1'), await idOf(account, 'B-2')];
    expect((await sampleOf(two))?.content.relationships).toEqual([{ type: 'derived from', target: `SAMR${one}` }]);
    const second = await intake.send(
      sheet(['B-3', 'n B-3', 'x', 'renamed'], ['B-1', 'renamed', 'y'], ['B-2', 'n B-2', 'x', 'n B-3']),
      keyed,
      { account },
    );
    expect(second.counts).toEqual({ rows: 3, created: 1, updated: 2, unchanged: 0, rejected: 0 });
    const three = await idOf(account, 'B-3');
    expect([await idOf(account, 'B-1'), (await sampleOf(one))?.name]).toEqual([one, 'renamed']);
    expect((await sampleOf(three))?.content.relationships).toEqual([{ type: 'derived from', target: `SAMR${one}` }]);
    expect((await sampleOf(two))?.content.relationships).toEqual([{ type: 'derived from', target: `SAMR${three}` }]);
  });

  it('are refused where two have one key, where key and accession mean two samples, and as only updates or creations', async () => {
    const account = 'refused';
    await intake.send(sheet(['B-1'], ['B-2']), keyed, { account });
    const [one, two] = [await idOf(account, 'B-1'), await idOf(account, 'B-2')];
    const clash = await intake.send(
      sheet(['B-1', 'a', 'y', 'b', `SAMR${two}`], ['B-3', 'b'], ['B-3', 'c'], ['', 'd']),
      keyed,
      { account },
    );
    expect(clash.counts).toMatchObject({ created: 1, rejected: 3 });
    expect((await issuesOf(clash)).map((issue) => issue.split('.')[0])).toEqual(['2 key', '4 key', '5 key']);
    const updates = await intake.send(
      sheet(['B-1', 'n B-1', 'z', 'n B-9'], ['B-9']),
      { ...keyed, onlyUpdate: true },
      { account },
    );
    expect(updates.counts).toMatchObject({ created: 0, rejected: 2 });
    const creates = await intake.send(
      sheet(['B-1', 'n B-1', 'z'], ['B-8', 'n B-8', 'x', 'n B-8']),
      { ...keyed, onlyCreate: true },
      { account },
    );
    expect((await issuesOf(creates))[0]).toMatch(/^2 key\./);
    expect((await sampleOf(one))?.version).toBe(1);
  });

  it('go on behind the last batch where a worker stopped, with the keys that they have given by then', async () => {
    const account = 'resumed';
    const rows = Array.from({ length: 8 }, (_, at): Row => [`R-${at}`, `r ${at}`, 'x', at === 0 ? '' : `r ${at - 1}`]);
    const { submission } = await intake.accept(sheet(...rows), keyed, { account });
    await intake.oneBatch();
    expect((await intake.found(submission.id)).cursor).toBeGreaterThan(0);
    expect((await intake.ended(submission.id)).counts).toEqual({
      rows: 8,
      created: 8,
      updated: 0,
      unchanged: 0,
      rejected: 0,
    });
    const seventh = await sampleOf(await idOf(account, 'R-7'));
    expect(seventh?.content.relationships).toEqual([
      { type: 'derived from', target: `SAMR${await idOf(account, 'R-6')}` },
    ]);
  });

  it('mean the sample that gets their key while the file is worked on, and so do the rows that name them', async () => {
    const account = 'meanwhile';
    const rows = Array.from({ length: 8 }, (_, at): Row => [`M-${at}`, `m ${at}`, 'x', at === 0 ? '' : `m ${at - 1}`]);
    const { submission } = await intake.accept(sheet(...rows), keyed, { account });
    const given: string[] = [];
    const applyBatch: typeof intake.store.applyBatch = async (...batch) => {
      // One of the first batch, and one of the last, which is worked on from the beginning again.
      const key = ['M-1', undefined, 'M-6'][given.length];
      given.push(key ?? '');
      if (key !== undefined) {
        const draft = { name: `by request ${key}`, release: 0, content: emptyContent() };
        const sample = { draft, account, author: account, via: 'JSON_API', placeholder: false } as const;
        await intake.store.createWithKey(sample, { account, space: 'lims', key });
      }
      return intake.store.applyBatch(...batch);
    };
    await intake.work({ ...intake.processing, store: { ...intake.store, applyBatch } });
    expect((await intake.found(submission.id)).counts).toMatchObject({ rows: 8, created: 6, updated: 2, rejected: 0 });
    for (let at = 1; at < 8; at++) {
      const { content, version } = (await sampleOf(await idOf(account, `M-${at}`))) as StoredSample;
      expect([at, version]).toEqual([at, at === 1 || at === 6 ? 2 : 1]);
      const target = `SAMR${await idOf(account, `M-${at - 1}`)}`;
      expect(content.relationships, `M-${at}`).toEqual([{ type: 'derived from', target }]);
    }
  });

  it('do in a commit what the dry run showed, and nothing else', async () => {
    const account = 'shown';
    await intake.send(sheet(['B-1']), keyed, { account });
    const dry = await intake.send(
      sheet(['B-1', 'n B-1', 'y'], ['B-2', 'n B-2', 'x', 'n B-1'], ['B-3', 'n B-3', 'x', 'n B-1']),
      { ...keyed, dryRun: true },
      { account },
    );
    expect(dry.counts).toMatchObject({ created: 2, updated: 1 });
    await intake.send(sheet(['B-2', 'taken meanwhile']), keyed, { account });
    const commit = await intake.commit(dry);
    expect(commit.counts).toMatchObject({ created: 1, updated: 1, rejected: 1 });
    expect(await issuesOf(commit)).toEqual(['3 row.not-as-shown']);
  });

  it('are all or nothing where that is asked for', async () => {
    const bad = await intake.send(
      sheet(['A-1'], ['A-1', 'twice', 'x', 'n A-1']),
      { ...keyed, mode: 'atomic' },
      { account: 'atomic' },
    );
    expect([bad.state, bad.counts.rejected, await idOf('atomic', 'A-1')]).toEqual(['FAILED', 2, undefined]);
    const good = await intake.send(
      sheet(['A-1'], ['A-2', 'n A-2', 'x', 'n A-1']),
      { ...keyed, mode: 'atomic' },
      { account: 'atomic' },
    );
    expect(good.counts).toMatchObject({ created: 2, rejected: 0 });
  });
});

describe('rows whose bytes were uploaded before, then without keys', () => {
  it('mean the samples of their lines, and give these their keys', async () => {
    const account = 'keyed later';
    const file = sheetOf(
      ['Sample Name', 'Barcode', 'Release Date'],
      ['a', 'K-1', '2020-01-01'],
      ['b', 'K-2', '2020-01-01'],
      ['c', 'never', 'never'],
    );
    const first = await intake.send(file, {}, { account });
    const dry = await intake.send(file, { ...keyed, dryRun: true }, { account });
    expect(dry.counts).toEqual({ rows: 3, created: 0, updated: 0, unchanged: 2, rejected: 1 });
    const commit = await intake.commit(dry);
    expect(commit.counts).toEqual(dry.counts);
    const ids = [...(await textOf(intake.results.mapping(first))).matchAll(/SAMR(\d+)/g)].map(([, id]) => Number(id));
    expect([await idOf(account, 'K-1'), await idOf(account, 'K-2')]).toEqual(ids);
  });

  it('do so where they refer to each other, too', async () => {
    const account = 'related later';
    const file = sheet(['K-1'], ['K-2', 'n K-2', 'x', 'n K-1']);
    const first = await intake.send(file, {}, { account });
    const dry = await intake.send(file, { ...keyed, dryRun: true }, { account });
    expect(dry.counts).toMatchObject({ created: 0, unchanged: 2 });
    await intake.commit(dry);
    const ids = [...(await textOf(intake.results.mapping(first))).matchAll(/SAMR(\d+)/g)].map(([, id]) => Number(id));
    expect([await idOf(account, 'K-1'), await idOf(account, 'K-2')]).toEqual(ids);
  });
});

describe('a commit of rows without keys', () => {
  const plain = (...rows: [string, string, string][]) =>
    sheetOf(
      ['Sample Identifier', 'Sample Name', 'organism', 'Release Date'],
      ...rows.map(([id, name, day]) => [id, name, 'x', day]),
    );
  it('registers what was new, and refuses again what was refused', async () => {
    const account = 'plain';
    const first = await intake.send(plain(['', 'a', '2020-01-01'], ['', 'b', '2020-01-01']), {}, { account });
    const [a, b] = [...(await textOf(intake.results.mapping(first))).matchAll(/SAMR\d+/g)].map(([id]) => id) as [
      string,
      string,
    ];
    const dry = await intake.send(
      plain(
        ['', 'new', '2020-01-01'],
        [a, 'a two', '2020-01-01'],
        ['', 'bad', 'never'],
        ['SAMR999999', 'gone', '2020-01-01'],
        [b, 'b', '2020-01-01'],
        ['', 'last', '2020-01-01'],
      ),
      { dryRun: true },
      { account },
    );
    expect(dry.counts).toEqual({ rows: 6, created: 2, updated: 1, unchanged: 1, rejected: 2 });
    const commit = await intake.commit(dry);
    expect(commit.counts).toEqual(dry.counts);
    expect(await issuesOf(commit)).toEqual(await issuesOf(dry));
  });

  it('of the same bytes read anew refuses a line that became something else than was shown', async () => {
    const account = 'anew';
    const file = sheetOf(
      ['Sample Name', 'tissue', 'Release Date'],
      ['r1', 'liver', '2020-01-01'],
      ['r2', 'skin', '2020-01-01'],
      ['r3', 'bone', '2020-01-01'],
    );
    const dry = await intake.send(file, { dryRun: true, unknownColumns: 'ignore' }, { account });
    expect(dry.counts.created).toBe(3);
    const first = await intake.send(file, {}, { account });
    const commit = await intake.commit(dry).catch((error: unknown) => error);
    expect([first.counts.created, commit]).toEqual([3, expect.anything()]);
  });
});

describe('how a sheet is read', () => {
  const counts = async (file: string | Buffer, options: Partial<UploadOptions> = {}) =>
    (await intake.send(file, options, { account: `read ${JSON.stringify(options)}` })).counts;
  const latin = Buffer.from('Sample Name\tRelease Date\ttissue\nm\xfcller\t2020-01-01\tl\xe4ber\n', 'latin1');

  it('is by the encoding that is said', async () => {
    await expect(intake.accept(latin, {}, { account: 'latin' })).rejects.toMatchObject({ code: 'file.encoding' });
    const sent = await intake.send(latin, { encoding: 'windows-1252' }, { account: 'encoded' });
    expect(await textOf(intake.results.mapping(sent))).toContain('"müller"');
    expect(await textOf(intake.results.result(sent))).toContain('\nRead as\twindows-1252\n');
  });

  it('is through to its end where it has quotes, before anything of it is registered', async () => {
    const cut = 'Sample Name\tRelease Date\ttissue\na\t2020-01-01\tx\nb\t2020-01-01\t"never closed\n';
    const sent = await intake.send(cut, {}, { account: 'quotes' });
    expect(sent).toMatchObject({
      state: 'FAILED',
      counts: { rows: 0 },
      problem: { code: expect.stringMatching(/^file\./) },
    });
    expect(await counts('Sample Name\tRelease Date\ttissue\na\t2020-01-01\t"x\ty"\n')).toMatchObject({ created: 1 });
  });

  it('names the samples by the column that is said', async () => {
    const sent = await intake.send(
      sheetOf(['Tube', 'Release Date', 'tissue'], ['t1', '2020-01-01', 'x']),
      { nameColumn: 'Tube' },
      { account: 'named' },
    );
    expect(await textOf(intake.results.result(sent))).toContain('\nSamples named by the column\tTube\n');
  });

  it('is refused where no row has a date, and none names a sample that keeps its own', async () => {
    const header = ['Sample Identifier', 'Sample Name', 'tissue'];
    const first = await intake.send(sheetOf(header, ['', 'u', 'x']), { releaseDate: 0 }, { account: 'undated' });
    const id = /SAMR\d+/.exec(await textOf(intake.results.mapping(first)))?.[0] as string;
    expect((await intake.send(sheetOf(header, [id, 'u', 'y']), {}, { account: 'undated' })).counts.updated).toBe(1);
    await expect(
      intake.accept(sheetOf(header, [id, 'u', 'z'], ['', 'v', 'x']), {}, { account: 'undated' }),
    ).rejects.toMatchObject({ code: 'file.header', detail: { extra: { submissionId: expect.any(String) } } });
    await expect(
      intake.accept(sheetOf(['Sample Name', 'tissue'], ['v', 'x']), {}, { account: 'undated' }),
    ).rejects.toMatchObject({ code: 'file.header' });
    expect(
      (await intake.send(sheetOf(['Sample Name', 'Barcode'], ['v', 'B']), { key: 'Barcode' }, { account: 'undated' }))
        .counts,
    ).toMatchObject({ rejected: 1 });
  });

  it('is by a profile that the account keeps, with its key and its date', async () => {
    const known: KnownProfile = {
      name: 'freezer',
      rank: 'own',
      version: 2,
      document: {
        profile: 1,
        title: 'Freezer',
        columns: [
          { header: 'Tube', as: 'name' },
          { header: 'Code', as: 'characteristic' },
          { header: 'Public', as: 'release' },
        ],
        key: { column: 'Code', space: 'ice' },
      } as never,
    };
    const profiles = {
      kept: async (account: string) => (account === 'ice' ? [known] : []),
      version: async () => undefined,
    };
    const upload = async (text: string, options: Partial<UploadOptions> = {}, account = 'ice') => {
      const request = requestOf(text, options, { account, fileName: 'f.tsv' });
      const { submission } = await acceptUpload({ ...intake.uploads, profiles }, crypto.randomUUID(), request);
      return intake.ended(submission.id);
    };
    const tubes = (...rows: string[]) =>
      ['Tube\tCode\tPublic', ...rows.map((row) => `${row}\t2020-01-01`), ''].join('\n');
    const sent = await upload(tubes('one\tC-1', 'two\tC-2'), { profile: 'freezer' });
    expect(sent).toMatchObject({
      counts: { created: 2 },
      options: { key: 'Code', keySpace: 'ice', readBy: { name: 'freezer', version: 2 } },
      columns: { profile: { name: 'freezer', title: 'Freezer', version: 2 } },
    });
    expect(await textOf(intake.results.result(sent))).toContain(
      '\nRead as\tFreezer\timport profile freezer, version 2\n',
    );
    expect((await upload(tubes('renamed\tC-1'), { profile: 'freezer' })).counts).toMatchObject({ updated: 1 });
    const own = await upload(tubes('three\tC-3'), { profile: 'freezer', key: 'Sample Name', keySpace: 'names' });
    expect(own.options).toMatchObject({ key: 'Sample Name', keySpace: 'names' });
    expect([await idOf('ice', 'three', 'names'), await idOf('ice', 'C-3', 'ice')]).toEqual([
      expect.any(Number),
      undefined,
    ]);
    await expect(upload(tubes('x\tC-9'), { profile: 'freezer' }, 'nobody')).rejects.toMatchObject({
      code: 'file.header',
    });
    await expect(upload(`#profile\tfreezer\t1\n${tubes('x\tC-9')}`)).rejects.toMatchObject({
      code: expect.stringMatching(/^file\./),
    });
  });
});

describe('an export with keys that FAILED', () => {
  const account = 'went on';
  const KEYS = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
  const nights = (value: string) => sheet(...KEYS.map((key): Row => [key, `n ${key}`, value]));
  const values = async () =>
    Promise.all(
      KEYS.map(async (key) => (await sampleOf(await idOf(account, key)))?.content.characteristics.organism?.[0]?.text),
    );

  const failNext = async (): Promise<string> => {
    await intake.oneBatch();
    const claim = (await intake.store.claimNext({ lane: 'small', worker: 'w', leaseMs: 1000, ...RULES })) as Claim;
    await intake.store.finish(claim, { code: 'storage.full', message: 'm', retryable: true });
    return claim.submission.id;
  };

  it('sets nothing back that a later one wrote, and takes its place when it is sent again', async () => {
    await intake.send(nights('first'), keyed, { account });
    const { submission } = await intake.accept(nights('second'), keyed, { account });
    expect(await failNext()).toBe(submission.id);
    expect(await values()).toEqual([...Array(3).fill('second'), ...Array(4).fill('first')]);
    await intake.send(nights('third'), keyed, { account });
    await expect(intake.store.retry(submission.id)).rejects.toThrow('send it again');
    expect(await values()).toEqual(Array(7).fill('third'));
    expect(await intake.send(nights('second'), keyed, { account })).toMatchObject({ counts: { updated: 7 } });
  });

  it('as the commit of a dry run is stopped by its worker when it is asked for again', async () => {
    const shown = await intake.send(nights('fourth'), { ...keyed, dryRun: true }, { account });
    const { submission: commit } = await intake.acceptCommit(shown);
    expect(await failNext()).toBe(commit.id);
    await intake.send(nights('fifth'), keyed, { account });
    expect((await intake.acceptCommit(shown)).submission).toMatchObject({ id: commit.id, state: 'ACTIVE' });
    expect(await intake.ended(commit.id)).toMatchObject({
      state: 'FAILED',
      counts: { rows: 3 },
      problem: { code: 'conflict', retryable: false, message: expect.stringContaining('send it again') },
    });
    expect(await values()).toEqual(Array(7).fill('fifth'));
  });
});

/** The cells that a dry run would change, and an upload has changed: every part of a sample, before and after. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import { Intake, sheetOf, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

const changesOf = async (submission: Submission): Promise<string[]> =>
  (
    JSON.parse(await textOf(intake.results.changes(submission, submission))) as {
      changes: { line: number; accession: string; column: string; before?: string; after?: string }[];
    }
  ).changes.map(({ line, accession, column, before, after }) => `${line} ${accession} ${column}: ${before} → ${after}`);
const accessionsOf = async (submission: Submission): Promise<string[]> =>
  [...(await textOf(intake.results.mapping(submission))).matchAll(/SAMR\d+/g)].map(([accession]) => accession);
const items = (...of: object[]): string => of.map((item) => `${JSON.stringify(item)}\n`).join('');

describe('what differs', () => {
  it('is reported of every part of a sample, as its columns would be called', async () => {
    const account = 'parts';
    const whole = {
      name: 'a',
      release: '2020-01-01',
      domain: 'self.x',
      taxId: 9606,
      characteristics: {
        age: [{ text: '37', unit: 'years', unitOntologyTerms: ['UO:36'] }, { text: '38' }],
        organism: [{ text: 'man', ontologyTerms: ['T:1', 'T:2'] }],
      },
      relationships: [{ type: 'derived from', target: 'SAMEA1' }],
      externalReferences: [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }],
      contact: [{ Name: 'Ada', 'E-mail': 'a@b.c' }, { Name: 'Bo' }],
      organization: [{ Name: 'Lab' }],
      publications: [{ doi: '10.1/x' }],
    };
    const first = await intake.send(items(whole), {}, { account });
    const [accession] = (await accessionsOf(first)) as [string];
    const bare = { name: 'a', accession, release: '2020-01-01', characteristics: {} };
    const gone = await intake.send(items(bare), { dryRun: true }, { account });
    const cells = [
      ['Characteristics[age]', '37 years [UO:36] | 38'],
      ['Characteristics[organism]', 'man [T:1, T:2]'],
      ['Comment[bsd_relationship:derived from]', 'SAMEA1'],
      ['Comment[external DB REF]', 'https://a.example/1 | https://a.example/2'],
      ['Comment[submission_contact:Name]', 'Ada | Bo'],
      ['Comment[submission_contact:E-mail]', 'a@b.c'],
      ['Comment[submission_organization:Name]', 'Lab'],
      ['Comment[publication:doi]', '10.1/x'],
      ['taxId', '9606'],
      ['domain', 'self.x'],
    ];
    const away = cells.map(([column, before]) => `1 ${accession} ${column}: ${before} → undefined`);
    expect((await changesOf(gone)).toSorted()).toEqual(away.toSorted());
    const commit = await intake.commit(gone);
    expect((await changesOf(commit)).toSorted()).toEqual(away.toSorted());
    const back = await intake.send(items({ ...whole, accession }), { dryRun: true }, { account });
    const there = cells.map(([column, after]) => `1 ${accession} ${column}: undefined → ${after}`);
    expect((await changesOf(back)).toSorted()).toEqual(there.toSorted());
  });

  it('of a merge is what the file mentions, and what its marker clears', async () => {
    const account = 'merge';
    const header = [
      'Sample Identifier',
      'Sample Name',
      'Release Date',
      'Characteristics[organism]',
      'Characteristics[tissue]',
    ];
    const first = await intake.send(
      sheetOf(header, ...['a', 'b', 'c', 'd'].map((name) => ['', name, '2020-01-01', 'Homo sapiens', 'liver'])),
      {},
      { account },
    );
    const [a, b, c, d] = (await accessionsOf(first)) as [string, string, string, string];
    const merged = sheetOf(
      header,
      [a, 'a', '2020-01-01', '', 'skin'],
      [b, 'b', '2020-01-01', '[clear]', ''],
      [c, 'c', '', '', ''],
      [d, 'd', '2021-02-03', 'Mus musculus', '[CLEAR]'],
    );
    const dry = await intake.send(merged, { dryRun: true, update: 'merge' }, { account });
    const wanted = [
      `2 ${a} Characteristics[tissue]: liver → skin`,
      `3 ${b} Characteristics[organism]: Homo sapiens → undefined`,
      `5 ${d} Release Date: 2020-01-01T00:00:00.000Z → 2021-02-03T00:00:00.000Z`,
      `5 ${d} Characteristics[organism]: Homo sapiens → Mus musculus`,
      `5 ${d} Characteristics[tissue]: liver → undefined`,
    ];
    expect(dry.counts).toMatchObject({ updated: 3, unchanged: 1 });
    expect(await changesOf(dry)).toEqual(wanted);
    const commit = await intake.commit(dry);
    expect(await changesOf(commit)).toEqual(wanted);
    const none = await intake.send(
      sheetOf(header, [a, 'a', '2020-01-01', '[clear]', '']),
      { dryRun: true, update: 'merge', clearMarker: 'none' },
      { account },
    );
    expect(await changesOf(none)).toEqual([`2 ${a} Characteristics[organism]: Homo sapiens → [clear]`]);
    const own = await intake.send(
      sheetOf(header, [a, 'a', '2020-01-01', 'GONE', '']),
      { dryRun: true, update: 'merge', clearMarker: 'Gone' },
      { account },
    );
    expect(await changesOf(own)).toEqual([`2 ${a} Characteristics[organism]: Homo sapiens → undefined`]);
    const replaced = await intake.send(
      sheetOf(header, [a, 'a', '2020-01-01', 'Homo sapiens', '']),
      { dryRun: true },
      { account },
    );
    expect(await changesOf(replaced)).toEqual([`2 ${a} Characteristics[tissue]: skin → undefined`]);
  });

  it('of relationships is the accession, or a new sample of the file', async () => {
    const account = 'related';
    const header = ['Sample Identifier', 'Sample Name', 'Release Date', 'Comment[bsd_relationship:derived from]'];
    const first = await intake.send(
      sheetOf(header, ['', 'old', '2020-01-01', ''], ['', 'child', '2020-01-01', '']),
      {},
      { account },
    );
    const [old, child] = (await accessionsOf(first)) as [string, string];
    const dry = await intake.send(
      sheetOf(
        header,
        [old, 'old', '2020-01-01', 'new'],
        ['', 'new', '2020-01-01', ''],
        [child, 'child', '2020-01-01', 'old'],
      ),
      { dryRun: true },
      { account },
    );
    expect(await changesOf(dry)).toEqual([
      `2 ${old} Comment[bsd_relationship:derived from]: undefined → (a new sample of this file)`,
      `4 ${child} Comment[bsd_relationship:derived from]: undefined → ${old}`,
    ]);
  });

  it('of rows known by their key is that of the sample that the key means', async () => {
    const account = 'keyed';
    const keyed = { key: 'Barcode' } as const;
    const sheet = (...rows: string[][]) =>
      sheetOf(['Sample Name', 'Barcode', 'Characteristics[organism]', 'Release Date'], ...rows);
    const first = await intake.send(sheet(['a', 'B-1', 'x', '2020-01-01'], ['b', 'B-2', 'x', '2020-01-01']), keyed, {
      account,
    });
    const [, b] = (await accessionsOf(first)) as [string, string];
    const dry = await intake.send(
      sheet(['new', 'B-3', 'x', '2020-01-01'], ['b', 'B-2', 'y', '2020-01-01']),
      { ...keyed, dryRun: true },
      { account },
    );
    expect(await changesOf(dry)).toEqual([`3 ${b} Characteristics[organism]: x → y`]);
  });

  it('of the same bytes read anew is that of the samples of the first upload', async () => {
    const file = sheetOf(
      ['Sample Name', 'tissue', 'Release Date'],
      ['r1', 'liver', '2020-01-01'],
      ['r2', 'skin', '2020-01-01'],
    );
    const first = await intake.send(file, { unknownColumns: 'ignore' }, { account: 'anew' });
    const [one, two] = (await accessionsOf(first)) as [string, string];
    const dry = await intake.send(file, { dryRun: true }, { account: 'anew' });
    expect(await changesOf(dry)).toEqual([
      `2 ${one} Characteristics[tissue]: undefined → liver`,
      `3 ${two} Characteristics[tissue]: undefined → skin`,
    ]);
    expect((await intake.commit(dry)).counts).toMatchObject({ updated: 2 });
  });

  it('is none of a file that only registers, and stays the upload’s own when others change the sample later', async () => {
    const account = 'later';
    const sheet = (...rows: string[][]) =>
      sheetOf(['Sample Identifier', 'Sample Name', 'organism', 'Release Date'], ...rows);
    const first = await intake.send(
      sheet(['', 'a', 'x', '2020-01-01'], ['', 'b', 'x', '2020-01-01'], ['', 'c', 'x', '2020-01-01']),
      {},
      { account },
    );
    expect([
      await changesOf(first),
      await changesOf(await intake.send(sheet(['', 'z', 'x', '2020-01-01']), { dryRun: true }, { account })),
    ]).toEqual([[], []]);
    const [a, b, c] = (await accessionsOf(first)) as [string, string, string];
    const second = await intake.send(
      sheet([a, 'a', 'y', '2020-01-01'], [b, 'b', 'y', '2020-01-01'], [c, 'c', 'y', '2020-01-01']),
      {},
      { account },
    );
    await intake.send(sheet([b, 'b renamed', 'z', '2020-01-01']), {}, { account });
    await intake.send(sheet([b, 'b', 'again', '2020-01-01']), {}, { account });
    expect(await changesOf(second)).toEqual(
      [a, b, c].map((accession, at) => `${at + 2} ${accession} Characteristics[organism]: x → y`),
    );
  });

  it('of dates is that of the upload, for the samples whose release it moves', async () => {
    const account = 'moved';
    const day = Date.UTC(2022, 1, 3);
    const sheet = (id: string) => sheetOf(['Sample Identifier', 'Sample Name', 'organism'], [id, 'm', 'x']);
    const first = await intake.send(sheet(''), { releaseDate: day }, { account });
    const [id] = (await accessionsOf(first)) as [string];
    const kept = await intake.send(sheet(id), { releaseDate: day + 86_400_000, dryRun: true }, { account });
    expect([kept.counts.unchanged, await changesOf(kept)]).toEqual([1, []]);
    const moved = await intake.send(
      sheet(id),
      { releaseDate: day + 86_400_000, dryRun: true, releaseExisting: true } as Partial<UploadOptions>,
      { account },
    );
    expect(await changesOf(moved)).toEqual([
      `2 ${id} Release Date: 2022-02-03T00:00:00.000Z → 2022-02-04T00:00:00.000Z`,
    ]);
    const lines = async (of: Submission) => (await textOf(intake.results.result(of))).split('\n').slice(0, 2);
    expect((await lines(first))[1]).toBe(`${id}\tm\tx\t2022-02-03`);
    expect((await lines(await intake.commit(kept)))[1]).toBe(`${id}\tm\tx\t`);
    expect((await lines(await intake.commit(moved)))[1]).toBe(`${id}\tm\tx\t2022-02-04`);
  });

  it('of relationships that wait is what is known of them, whatever waits besides', async () => {
    const account = 'open';
    const header = ['Sample Identifier', 'Sample Name', 'Release Date', 'Comment[bsd_relationship:derived from]'];
    const first = await intake.send(sheetOf(header, ['', 'leaf', '2020-01-01', '']), {}, { account });
    const [leaf] = (await accessionsOf(first)) as [string];
    const dry = await intake.send(
      sheetOf(header, [leaf, 'leaf two', '2020-01-01', 'a tree that is to come']),
      { dryRun: true, relationships: 'later' },
      { account },
    );
    expect(await changesOf(dry)).toEqual([`2 ${leaf} Sample Name: leaf → leaf two`]);
  });
});

const HEAD = ['Sample Identifier', 'Sample Name', 'Release Date', 'Characteristics[organism]'];

describe("an administrator's upload", () => {
  it.each([true, false])('shows its own account nothing that samples of others had (dry run: %s)', async (dryRun) => {
    const theirs = { account: 'theirs' };
    const sent = await intake.send(
      sheetOf(HEAD, ['', `hidden-name-${dryRun}`, '2099-01-01', 'hidden-value']),
      {},
      theirs,
    );
    const [accession = ''] = await accessionsOf(sent);
    const by = { account: 'office', admin: true };
    const file = sheetOf(HEAD, [accession, `given-${dryRun}`, '2099-01-01', 'given']);
    const changed = await intake.send(file, { dryRun }, by);
    expect(changed.counts).toMatchObject({ updated: 1 });
    const { results } = intake;
    const lesser = { account: 'office', admin: false };
    const printed = [
      JSON.stringify(changed.issues),
      ...(await Promise.all(
        [
          results.changes(changed, lesser),
          results.result(changed),
          results.mapping(changed),
          results.errors(changed),
          results.errorsJson(changed),
        ].map(textOf),
      )),
    ];
    expect(printed.filter((text) => text.includes('hidden'))).toEqual([]);
    expect(printed[0]).toContain('name.changed');
    if (dryRun) expect(printed[2]).toContain(`GET /submissions/${changed.id}/changes shows them to administrators`);
    expect(await textOf(results.changes(changed, by))).toContain('hidden-value');
  });
});

describe('a receipt of a dry run', () => {
  const COLUMNS = Array.from({ length: 100 }, (_, at) => `c${at}`);
  const ROWS = Array.from({ length: 10 }, (_, at) => `many-${at}`);
  const sheet = (text: string, more: readonly string[] = []): string =>
    sheetOf(
      ['Sample Name', 'key', 'Release Date', ...COLUMNS],
      ...[...ROWS, ...more].map((name) => [name, name, '2020-01-01', ...COLUMNS.map(() => text)]),
    );
  const changeLines = async (of: Submission): Promise<string[]> =>
    (await textOf(intake.results.result(of))).split('\n').filter((line) => /^Changes|\tchange\t/.test(line));

  it('lists a thousand cells, says where there are more, and shows none of others', async () => {
    const options = { key: 'key', keySpace: 'many' };
    await intake.send(sheet('x', ['one more']), options, { account: 'many' });
    const all = await intake.send(sheet('new'), { ...options, dryRun: true }, { account: 'many' });
    expect(all.counts).toMatchObject({ updated: 10 });
    const listed = await changeLines(all);
    expect([listed.length, listed[0]]).toEqual([1000, 'line 2\tCharacteristics[c0]\tchange\tx\twould become new\t']);
    const notListed = (id: string) =>
      `Changes not listed\tthe first are here; GET /submissions/${id}/changes lists all of them`;
    const more = await intake.send(sheet('new', ['one more']), { ...options, dryRun: true }, { account: 'many' });
    expect(await changeLines(more)).toEqual([notListed(more.id), ...listed]);
    // Of more rows than are looked at.
    expect((await changeLines({ ...all, counts: { ...all.counts, updated: 1001 } }))[0]).toBe(notListed(all.id));
    expect(await changeLines({ ...all, account: 'root' })).toEqual([
      `Changes of others\tsamples of other accounts would change, too; GET /submissions/${all.id}/changes shows them to administrators`,
    ]);
  });
});

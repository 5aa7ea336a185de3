import { describe, expect, it } from 'vitest';
import { codes, issuesOf, readSheet, type SheetSettings, table } from '../read-sheet.js';

const D = '2024-05-01';
const HEADER = ['Sample Name', 'Release Date', 'Comment[bsd_relationship:derived from]'];
const numbered: SheetSettings = { read: { idOfRow: (ordinal) => 100 + ordinal } };

const targets = async (text: string, settings: SheetSettings = numbered) =>
  (await readSheet(text, settings)).samples.map(({ name, content }) => [
    name,
    ...content.relationships.map(({ target }) => target),
  ]);

describe('relationships', () => {
  it('a name of this file, before, after, itself or round in a circle, becomes its accession', async () => {
    const { samples } = await readSheet(
      table(HEADER, ['a', D, 'c'], ['b', D, 'a'], ['c', D, ' b '], ['d', D, 'd'], ['e', D]),
      numbered,
    );
    expect(samples.map(({ content }) => content.relationships)).toEqual([
      [{ type: 'derived from', target: 'SAMR102' }],
      [{ type: 'derived from', target: 'SAMR100' }],
      [{ type: 'derived from', target: 'SAMR101' }],
      [{ type: 'derived from', target: 'SAMR103' }],
      [],
    ]);
    expect(samples.map(({ reserved }) => reserved)).toEqual([100, 101, 102, 103, 104]);
  });

  it('accession numbers follow all data rows, bad ones too, and skipped rows not', async () => {
    const text = `${table(HEADER, ['a', D, 'c'], ['', D])}\n# note\n${table(['c', D, 'a'])}`;
    expect(await targets(text)).toEqual([
      ['a', 'SAMR102'],
      ['c', 'SAMR100'],
    ]);
  });

  it.each([
    ['samr1', 'SAMR1'],
    ['SAMR\u00a0 1', 'SAMR1'],
    ['samea 12345', 'SAMEA12345'],
    ['\u200bGSM-77', 'GSM77'],
  ])('an accession that is not written as one is refused with the one that is meant: %s', async (text, meant) => {
    const { rejected } = await readSheet(table(HEADER, ['a', D, text]), numbered);
    expect(issuesOf(rejected)).toMatchObject([{ code: 'relationship.unknown', value: text, suggestion: meant }]);
    expect(issuesOf(rejected)[0]?.message).toContain(`Write ${meant} if that is meant`);
  });

  it.each([
    ['p\u00e4r', 'pa\u0308r', 'the form of its accented letters'],
    ['pa\u0308r', 'p\u00e4r', 'the form of its accented letters'],
    ['par', 'p\u200bar', 'marks that nobody sees'],
    ['PAR', 'Par', 'capital letters'],
  ])('a name that a row has but for what is hardly seen is named with its line: %s', async (name, cell, how) => {
    const { rejected } = await readSheet(table(HEADER, ['x', D, cell], [name, D]), numbered);
    expect(issuesOf(rejected)).toMatchObject([{ code: 'relationship.unknown', suggestion: name }]);
    expect(issuesOf(rejected)[0]?.message).toContain(`the one on line 3 has it but for ${how}`);
  });

  it.each(['sam', 'samr', 'samr01', 'donor 1', `samr${' '.repeat(100)}1`])(
    'a name that is nobody is near no accession: %s',
    async (text) => {
      const { rejected } = await readSheet(table(HEADER, ['a', D, text]), numbered);
      expect(issuesOf(rejected)[0]).toMatchObject({ code: 'relationship.unknown' });
      expect(issuesOf(rejected)[0]).not.toHaveProperty('suggestion');
    },
  );

  it('that wait are those of their row, with their place among its relationships', async () => {
    const header = [...HEADER, 'Comment[bsd_relationship:child of]'];
    const { batches, rejected } = await readSheet(
      table(header, ['a', D, 'x', 'c'], ['b', D, 'c', 'y'], ['c', D], ['d', D, '', 'z']),
      { read: { ...numbered.read, later: true } },
    );
    expect(rejected).toEqual([]);
    const open = [...(batches[0]?.open ?? [])].map(([row, all]) => [
      row,
      ...all.map(({ type, name, place }) => [type, name, place]),
    ]);
    expect(open).toEqual([
      [0, ['derived from', 'x', 0]],
      [1, ['child of', 'y', 1]],
      [3, ['child of', 'z', 0]],
    ]);
  });

  it('a row that updates is meant by the accession it carries', async () => {
    const header = [...HEADER, 'Sample Identifier'];
    const { samples } = await readSheet(table(header, ['a', D, 'b'], ['b', D, 'a', 'SAMR7']), numbered);
    expect(samples.map(({ content, reserved }) => [content.relationships[0]?.target, reserved])).toEqual([
      ['SAMR7', 100],
      ['SAMR100', 0],
    ]);
  });

  it.each(['SAMEA2590937', 'SAMN00000002', 'SAMD00004141', 'ERS1000000', 'SRS123456', 'DRS000001', 'GSM123456'])(
    'the accession %s of another archive stays',
    async (accession) => {
      expect(await targets(table(HEADER, ['a', D, accession]))).toEqual([['a', accession]]);
    },
  );

  it('a sample name that looks like an accession is the sample of this file', async () => {
    expect(await targets(table(HEADER, ['SAMEA1', D], ['b', D, 'SAMEA1']))).toEqual([['SAMEA1'], ['b', 'SAMR100']]);
  });

  it('an accession of ours must exist', async () => {
    const survey = {
      ownersOf: async (ids: number[]) => new Map(ids.filter((id) => id === 5).map((id) => [id, 'anyone'])),
    };
    const { samples, rejected } = await readSheet(table(HEADER, ['a', D, 'SAMR5'], ['b', D, 'SAMR6']), {
      ...numbered,
      survey,
    });
    expect(samples.map(({ content }) => content.relationships[0]?.target)).toEqual(['SAMR5']);
    expect(codes(rejected)).toEqual(['3 relationship.unknown']);
  });

  it('an unknown name is a row error, and so is every row that refers to the row, however far', async () => {
    const text = table(HEADER, ['a', D, 'b'], ['b', D, 'c'], ['c', D, 'nowhere'], ['d', D, 'e'], ['e', D]);
    const { samples, rejected, survey } = await readSheet(text, numbered);
    expect(samples.map(({ name }) => name)).toEqual(['d', 'e']);
    expect(codes(rejected)).toEqual([
      '2 relationship.target-rejected',
      '3 relationship.target-rejected',
      '4 relationship.unknown',
    ]);
    expect(issuesOf(rejected)[0]?.message).toContain('line 3');
    expect(survey).toMatchObject({ rows: 5, rejected: 3 });
  });

  it('a row bad for another reason takes its dependents with it', async () => {
    const { rejected } = await readSheet(table(HEADER, ['a', 'soon', ''], ['b', D, 'a'], ['c', D, 'b']), numbered);
    expect(codes(rejected)).toEqual([
      '2 release.invalid',
      '3 relationship.target-rejected',
      '4 relationship.target-rejected',
    ]);
  });

  it('so does one that a checklist refuses', async () => {
    const read: SheetSettings['read'] = {
      ...numbered.read,
      check: (line, name) =>
        name === 'a' ? [{ line, code: 'checklist.missing', message: 'no organism', severity: 'error' }] : [],
    };
    const { rejected, survey } = await readSheet(table(HEADER, ['a', D], ['b', D, 'a'], ['c', D]), { read });
    expect(codes(rejected)).toEqual(['2 checklist.missing', '3 relationship.target-rejected']);
    expect(survey.rejected).toBe(2);
  });

  it('several in one cell are refused as that', async () => {
    const rows = ['a;b', 'a, SAMEA1', 'b|SAMR7|GSM1'].map((cell, at) => [`r${at}`, D, cell]);
    const { rejected } = await readSheet(table(HEADER, ['a', D], ['b', D], ...rows, ['r9', D, 'a;c']), numbered);
    const messages = rejected.map(({ issues }) => issues[0]?.message);
    expect(messages.slice(0, 3)).toEqual([
      expect.stringContaining(
        '"a;b" names 2 samples, and a cell is one value. Give each of them a relationship of its own',
      ),
      expect.stringContaining('names 2 samples'),
      expect.stringContaining('names 3 samples'),
    ]);
    expect(messages[3]).toMatch(/^No row of this file has the Sample Name a;c/);
  });

  it('a name that several rows carry is not guessed', async () => {
    const header = [...HEADER, 'Sample Identifier'];
    const { rejected } = await readSheet(
      table(header, ['a', D, '', 'SAMR1'], ['a', D, '', 'SAMR2'], ['b', D, 'a']),
      numbered,
    );
    expect(codes(rejected)).toEqual(['4 relationship.ambiguous']);
  });

  it('several columns, of one type and of others, each give their own', async () => {
    const header = [...HEADER, 'Comment [BSD_relationship: same as ]', 'comment[bsd_relationship:derived from]'];
    const { samples } = await readSheet(table(header, ['a', D, 'b', 'SAMEA1', 'c'], ['b', D], ['c', D]), numbered);
    expect(samples[0]?.content.relationships).toEqual([
      { type: 'derived from', target: 'SAMR101' },
      { type: 'same as', target: 'SAMEA1' },
      { type: 'derived from', target: 'SAMR102' },
    ]);
  });

  it('targets are the same in pieces, in small batches and after a restart', async () => {
    const rows = Array.from({ length: 500 }, (_, row) => [`s${row}`, D, `s${(row * 7 + 3) % 500}`]);
    const text = table(HEADER, ...rows);
    const whole = (await readSheet(text, numbered)).samples.map(({ line, packed, reserved }) => [
      line,
      packed,
      reserved,
    ]);
    const parts = await readSheet(text, { read: { ...numbered.read, batchRows: 7, fromLine: 250 }, pieces: [13] });
    expect(parts.samples.map(({ line, packed, reserved }) => [line, packed, reserved])).toEqual(whole.slice(249));
  });
});

/** Sheets, encodings and torture written by others: test/support/fixtures.ts says where they lie. */
import { describe, expect, it } from 'vitest';
import { RowReader } from '../../src/tsv/bytes/row-reader.js';
import type { Delimiter } from '../../src/tsv/dialect.js';
import { fixture, fixturesIn, withoutFixtures } from '../support/fixtures.js';
import { referenceRows } from './bytes/reference-reader.js';
import { codes, readSheet, refusal, rowsOf, table } from './read-sheet.js';

const released = { header: { releaseDate: 0 } };

interface GoldenSample {
  name: string;
  characteristics: { type: string; text: string; unit?: string; ontologyTerms?: string[] }[];
}

function rowsWith(delimiter: Delimiter, text: string): string[][] {
  const reader = new RowReader(delimiter);
  const rows: string[][] = [];
  reader.load(text.replace(/^\ufeff/, ''), true);
  while (reader.next()) rows.push(reader.row.toCells());
  return rows;
}

describe.skipIf(withoutFixtures('sheets of the field'))('sheets of the field', () => {
  it.each([
    ['D03', 'isa/D03__s_MTBLS398.txt'],
    ['D05', 'isa/D05__s_MTBLS5195.txt'],
    ['D10', 'isa/D10__s_small.txt'],
    ['D12', 'isa/D12__s_study_Gossner.txt'],
  ])('%s gives the golden samples', async (id, file) => {
    const golden = JSON.parse(fixture(`golden/${id}.json`).toString()) as GoldenSample[];
    const { samples } = await readSheet(fixture(file), released);
    const mine = samples.map(({ name, content }) => ({
      name,
      characteristics: Object.entries(content.characteristics).flatMap(([type, entries]) =>
        entries.map(({ unitOntologyTerms: _, ...entry }) => ({ type, ...entry })),
      ),
    }));
    expect(mine).toEqual(golden);
  });

  it.each([
    ['D01', 'dialect/D01__isa-example.tsv', 2, []],
    ['D04', 'isa/D04__s_MTBLS1693.txt', 33, []],
    ['D06', 'isa/D06__s_MTBLS2028.txt', 116, []],
    ['D07', 'isa/D07__s_MTBLS4861.txt', 261, []],
    ['D08', 'isa/D08__s_Alcohol HD.txt', 80, []],
    ['D09', 'isa/D09__s_MTBLS2060.txt', 673, []],
    ['D10', 'isa/D10__s_small.txt', 4, ['6 name.missing', '7 name.missing']],
    ['D11', 'isa/D11__s_minimal.txt', 1, []],
    ['D13', 'isa/D13__s_study_Edin_v2.txt', 120, []],
  ])('%s gives its samples and names its bad rows', async (_, file, count, bad) => {
    const { samples, rejected } = await readSheet(fixture(file), released);
    expect(samples).toHaveLength(count);
    expect(codes(rejected)).toEqual(bad);
    for (const { name, packed } of samples) expect(name + packed).not.toMatch(/["\r]/);
  });

  it('D01: both relationships find their sample, the first further down', async () => {
    const { samples } = await readSheet(fixture('dialect/D01__isa-example.tsv'), {
      read: { idOfRow: (ordinal) => 10 + ordinal },
    });
    expect(samples.map(({ content }) => content.relationships)).toEqual([
      [{ type: 'same_as', target: 'SAMR11' }],
      [{ type: 'same_as', target: 'SAMR10' }],
    ]);
    expect(samples[0]?.content.externalReferences).toEqual([
      { url: 'https://www.ebi.ac.uk/ena/browser/view/SAMEA100000' },
    ]);
    expect(samples[0]?.content.contact.map((contact) => ({ ...contact }))).toEqual([{ email: 'dgupta@ebi.ac.uk' }]);
  });

  it('D02: the receipt is skipped, the two unknown accessions are row errors', async () => {
    const { samples, rejected, survey } = await readSheet(fixture('dialect/D02__isa-result-example.tsv'));
    expect(samples).toEqual([]);
    expect(survey.rows).toBe(2);
    expect(rejected.map(({ line, issues }) => [line, issues[0]?.code])).toEqual([
      [2, 'identifier.unknown'],
      [3, 'identifier.unknown'],
    ]);
  });

  it('D13: an empty header shifts no value', async () => {
    const { samples } = await readSheet(fixture('isa/D13__s_study_Edin_v2.txt'), released);
    expect(samples[0]?.content.characteristics.sex).toEqual([{ text: 'female', ontologyTerms: ['PATO:0000383'] }]);
  });

  it('D14: # rows are never samples, repeated names are row errors', async () => {
    const { samples, rejected } = await readSheet(fixture('isa/D14__s_kearney.txt'), released);
    expect(samples.length).toBeGreaterThan(0);
    expect(samples.some(({ name }) => name.startsWith('#'))).toBe(false);
    expect(new Set(codes(rejected).map((code) => code.split(' ')[1]))).toEqual(new Set(['name.repeated']));
  });

  it('no real ISA-Tab table has a Release Date: without the option each is refused', async () => {
    for (const file of fixturesIn('isa')) {
      const { code, column } = await refusal(fixture(`isa/${file}`));
      expect({ file, code, column }).toEqual({ file, code: 'file.header', column: 'Release Date' });
    }
  });

  it.each([
    ['D15', 'wrong-format/D15__ENA_template_samples_vir.tsv', 'ena'],
    ['D16', 'wrong-format/D16__example_metadata.tsv', 'nextstrain'],
  ])('%s is read as it is: every row a sample, every column accounted for', async (_, file, format) => {
    const bytes = fixture(file);
    const sheet = await readSheet(bytes, { header: { ...released.header, unknownColumns: 'characteristics' } });
    expect(sheet.plan.profile?.name).toBe(format);
    expect(sheet.rejected).toEqual([]);
    const lines = bytes
      .toString()
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '');
    expect(sheet.samples.length).toBe(lines.length - 1);
    expect(sheet.plan.notStored).toEqual([]);
    expect(sheet.plan.keptColumns.length).toBe(sheet.plan.header.length - 1);
  });

  it.each([['D23', 'wrong-format/D23__bacteria_test_metadata.xlsx', 'file.wrong-kind', 'workbook']])(
    '%s is refused by name',
    async (_, file, code, word) => {
      const error = await refusal(fixture(file), released);
      expect(error.code).toBe(code);
      expect(error.message).toContain(word);
    },
  );
});

describe.skipIf(withoutFixtures('torture'))('torture', () => {
  it('D17: the one byte that is no UTF-8 is named with line and offset', async () => {
    const bytes = fixture('torture/D17__uspop-latin1.csv');
    const at = bytes.findIndex((byte) => byte > 127);
    const before = bytes.subarray(0, at).toString('latin1');
    expect(await refusal(bytes)).toMatchObject({
      code: 'file.encoding',
      line: before.split(/\r\n|\r|\n/).length,
      offset: at,
    });
  });

  it('D17: declared, it is decoded', async () => {
    const bytes = fixture('torture/D17__uspop-latin1.csv');
    const body = Buffer.concat([Buffer.from('Sample Name,b,c,d\r'), bytes]);
    const declared = await readSheet(body, { header: { releaseDate: 0, encoding: 'macintosh' } });
    const text = JSON.stringify(await rowsOf(body, declared.plan));
    expect(text).not.toContain('\ufffd');
    expect(text).toContain('’');
  });

  it('D18: each naughty string round-trips as a value, but for the trim', async () => {
    const strings = JSON.parse(fixture('torture/D18__blns.json').toString()) as string[];
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const sheet = table(
      ['Sample Name', 'Release Date', 'Characteristics[x]'],
      ...strings.map((text, at) => [`s${at}`, '2024-05-01', cell(text)]),
    );
    const { samples, rejected } = await readSheet(sheet);
    expect(rejected).toEqual([]);
    expect(samples.map(({ content }) => content.characteristics.x?.[0]?.text ?? '')).toEqual(
      strings.map((text) => text.trim()),
    );
  });

  it.each(fixturesIn('torture/D19__csvs'))('D19 %s reads as the reference reads it', (file) => {
    const text = fixture(`torture/D19__csvs/${file}`).toString();
    expect(rowsWith(',', text)).toEqual(referenceRows(text, ',').map(({ cells }) => cells));
  });

  it('D19: quoted commas, doubled quotes and line breaks', () => {
    const read = (name: string) => rowsWith(',', fixture(`torture/D19__csvs/${name}.csv`).toString());
    expect(read('comma_in_quotes')[1]).toEqual(['John', 'Doe', '120 any st.', 'Anytown, WW', '08123']);
    expect(read('escaped_quotes')[1]).toEqual(['1', 'ha "ha" ha']);
    expect(read('quotes_and_newlines')[1]).toEqual(['1', 'ha \n"ha" \nha']);
    expect(read('json')[1]?.[1]).toBe('{"type": "Point", "coordinates": [102.0, 0.5]}');
    expect(read('empty_crlf')[1]).toEqual(['1', '', '']);
  });

  it.each(fixturesIn('torture/D20__valid'))(
    'D20 %s: read as the reference reads it, and as a sheet once its first column is named ours',
    async (file) => {
      const text = fixture(`torture/D20__valid/${file}`)
        .toString()
        .replace(/^\ufeff/, '');
      const rows = referenceRows(text, '\t').map(({ cells }) => cells);
      expect(rowsWith('\t', text)).toEqual(rows);
      const ours = text.replace(/^([ "]*)(id|sample_name|#SampleID|#OTUID)\b/m, '$1Sample Name');
      const { samples, rejected } = await readSheet(ours, released);
      expect(rejected).toEqual([]);
      const filled = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''));
      const data = filled
        .filter((cells) => !cells[0]?.trim().startsWith('#'))
        .slice(text.startsWith('#') && /^#(SampleID|OTUID)/.test(text) ? 0 : 1);
      expect(samples.map(({ name }) => name).filter((name) => !name.startsWith('#'))).toEqual(
        data.map(([name]) => name?.trim()),
      );
    },
  );
});

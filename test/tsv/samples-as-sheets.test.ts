/** Stored samples as a sheet to edit and send back: sent back as it is, it changes nothing. */
import { describe, expect, it } from 'vitest';
import { emptyContent, type SampleContent, type StoredSample } from '../../src/registry/samples/sample.js';
import { columnKind } from '../../src/tsv/header/header-name.js';
import { printRow } from '../../src/tsv/print/print-row.js';
import { isFormula, isPlainName, leftOutRemark, sampleSheet, TooManyCells } from '../../src/tsv/print/sample-sheet.js';
import { readSheet } from './read-sheet.js';

const content = (more: Partial<SampleContent>): SampleContent => ({ ...emptyContent(), ...more });
const stored = (id: number, of: Partial<SampleContent>, more: Partial<StoredSample> = {}): StoredSample => ({
  id,
  name: `s${id}`,
  release: Date.UTC(2024, 4, id),
  content: content(of),
  account: 'ada',
  version: 1,
  created: 0,
  updated: 0,
  author: 'ada',
  via: 'JSON_API',
  ...more,
});
const RICH: Partial<SampleContent> = {
  characteristics: {
    organism: [{ text: 'Homo sapiens', ontologyTerms: ['NCBITaxon:9606', 'x:1'] }],
    dose: [{ text: '5', unit: 'mg', unitOntologyTerms: ['UO:1'] }, { text: '6' }],
  },
  relationships: [
    { type: 'derived from', target: 'SAMR2' },
    { type: 'derived from', target: 'SAMR3' },
  ],
  externalReferences: [{ url: 'https://x.org/1' }, { url: 'https://x.org/2' }],
  contact: [{ name: 'Ada', email: 'a@x.org' }, { name: 'Bob' }],
  organization: [{ name: 'Lab' }],
  publications: [{ doi: '10.1/x' }],
};

describe('a sheet of stored samples', () => {
  it('has for each a row that is read as what is stored', async () => {
    const samples = [
      stored(1, {}),
      stored(2, RICH),
      stored(3, { characteristics: { tissue: [{ text: 'liver' }], dose: [{ text: '-5', ontologyTerms: ['a:1'] }] } }),
      stored(4, { contact: [{ name: 'Eve' }], relationships: [{ type: 'same as', target: 'SAMEA1' }] }),
    ];
    const { header, rows, leftOut } = await sampleSheet(samples, 'SAMR');
    expect(header.slice(0, 3)).toEqual(['Sample Identifier', 'Sample Name', 'Release Date']);
    expect(header.filter((text) => columnKind(text).kind === 'broken' || columnKind(text).kind === 'unknown')).toEqual(
      [],
    );
    expect([rows.length, leftOut]).toEqual([4, []]);
    expect(rows[0]).toEqual(['SAMR1', 's1', '2024-05-01T00:00:00.000Z', ...Array(header.length - 3).fill('')]);
    const again = await readSheet([header, ...rows].map(printRow).join(''));
    expect(again.rejected).toEqual([]);
    expect(
      again.samples.map(({ id, name, release, content: of }) => [id, name, release, JSON.parse(JSON.stringify(of))]),
    ).toEqual(
      samples.map(({ id, name, release, content: of }) => [
        id,
        name,
        new Date(release).toISOString(),
        JSON.parse(JSON.stringify(of)),
      ]),
    );
  });

  it('leaves out and names those that it cannot hold', async () => {
    const x = (text: string): Partial<SampleContent> => ({ characteristics: { x: [{ text }] } });
    const samples = [
      stored(1, x('fine')),
      stored(2, x('fine'), { name: '' }),
      stored(3, x('fine'), { name: ' padded' }),
      stored(4, x('fine'), { name: '[Clear]' }),
      stored(5, x('[CLEAR]')),
      stored(6, { ...x('fine'), taxId: 9606 }),
      stored(7, x('long long long long text long')),
      stored(8, x('=1+1')),
      stored(9, { characteristics: { x: [{ unit: 'kg' }] } }),
    ];
    const sheet = await sampleSheet(samples, 'SAMR', 28, (_, row) => row.some(isFormula));
    expect(sheet.rows.map(([accession]) => accession)).toEqual(['SAMR1']);
    expect(sheet.leftOut).toEqual([2, 3, 4, 5, 6, 7, 8, 9].map((id) => `SAMR${id}`));
    const free = await sampleSheet(samples, 'SAMR');
    expect(free.rows.map(([accession]) => accession)).toEqual(['SAMR1', 'SAMR7', 'SAMR8']);
    const own = await sampleSheet([samples[6] as StoredSample], 'SAMR', 29);
    expect(own.rows).toHaveLength(1);
  });

  it('says of them in a remark that is skipped when the sheet is sent back', async () => {
    const remark = leftOutRemark('SAMR7');
    expect(remark).toMatch(/^# SAMR7 is left out: .*Change it as JSON\.$/);
    const sheet = `Sample Name\tRelease Date\na\t2024-05-01\n${remark}\n`;
    expect((await readSheet(sheet)).samples.map(({ name }) => name)).toEqual(['a']);
  });

  it('is none that has more columns than are read, or more cells than one may have', { tags: 'slow' }, async () => {
    const wide = (count: number, tag: string): Partial<SampleContent> => ({
      characteristics: Object.fromEntries(Array.from({ length: count }, (_, at) => [`${tag}${at}`, [{ text: 'v' }]])),
    });
    await expect(sampleSheet([stored(1, wide(16_382, 'c'))], 'SAMR')).rejects.toThrow(TooManyCells);
    const many = Array.from({ length: 1_501 }, (_, at) => stored(at + 1, at === 0 ? wide(1_000, 'c') : {}));
    await expect(sampleSheet(many, 'SAMR')).rejects.toThrow(TooManyCells);
    expect((await sampleSheet([stored(1, wide(16_381, 'c'))], 'SAMR')).header).toHaveLength(16_384);
    expect((await sampleSheet(many.slice(0, 1_500), 'SAMR')).rows).toHaveLength(1_500);
  });

  it.each([
    ['a name like any other', 's 1', true],
    ['none', '', false],
    ['with a blank before it', ' a', false],
    ['with a blank behind it', 'a\u00a0', false],
    ['that a reader takes for a marker', '[clear]', false],
  ])('names samples in cells: %s', (_, name, plain) => {
    expect(isPlainName(name)).toBe(plain);
  });

  it.each(['=1', '+a', '-a', '@x', '＝1', '＋1', '－1', '＠x', '\t1', '\r1', '+-1', '=', '-5+3', '-cmd|x'])(
    'holds %j, which a spreadsheet would calculate',
    (cell) => {
      expect(isFormula(cell)).toBe(true);
    },
  );

  it.each(['', 'a=1', '-', '+', '+/-', '-5', '+5.5', '-1,5e-3', '-80 °C', '-20 µg/ml', '+5 %', "'=1", ' =1'])(
    'holds %j, which no spreadsheet calculates',
    (cell) => {
      expect(isFormula(cell)).toBe(false);
    },
  );
});

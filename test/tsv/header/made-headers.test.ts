/** Sheets that went through pandas or R before: headers that come again are numbered, brackets are dots, and none is a word. */
import { describe, expect, it } from 'vitest';
import { madeHeaders } from '../../../src/tsv/forms/made-headers.js';
import { processorMs } from '../../support/processor-time.js';
import { planOf, refusal, table } from '../read-sheet.js';

const D = '2024-05-01';
const SHEET = ['Sample Name', 'Release Date', 'Age'];
const withColumns = (...more: string[]): string =>
  table([...SHEET, ...more], ['a', D, '1', ...more.map(() => 'x')], ['b', D, '2', ...more.map(() => 'y')]);
const made = (...more: string[]) => {
  const plan = planOf(withColumns(...more), { isNew: true, unknownColumns: 'characteristics' });
  return madeHeaders(plan).map(({ column, repeats }) => [plan.header[column], repeats]);
};

describe('headers that a program has made', () => {
  it.each([
    ['Sample Name.1', 'Sample Name'],
    ['sample_name.2', 'Sample Name'],
    ['Release Date.1', 'Release Date'],
  ])('a second one of ours refuses a new sheet: %s', async (header, title) => {
    const { code, message } = await refusal(withColumns(header), { header: { isNew: true } });
    expect(code).toBe('file.header');
    expect(message).toContain(`column D: "${header}" is a second ${title}`);
  });

  it('an identifier that is numbered without another is asked about by its values alone', () => {
    expect(made('Sample Identifier.1')).toEqual([]);
  });

  it.each(['Characteristics.organism.', 'Comment.external.DB.REF.', 'Release.Date', 'Term.Accession.Number.1'])(
    'dots of R refuse it, too: %s',
    async (header) => {
      const { message } = await refusal(withColumns(header), { header: { isNew: true } });
      expect(message).toContain(`column D: "${header}" is one that R has changed`);
    },
  );

  it('what was accepted before is read as it was', () => {
    const plan = planOf(withColumns('Sample Name.1', 'Release.Date'), { unknownColumns: 'characteristics' });
    expect(plan.fromPlainHeaders).toEqual(['Age', 'Sample Name.1', 'Release.Date']);
  });

  it('numbers of others are characteristics, and named', () => {
    expect(made('Age.1', 'AGE.2', 'Unnamed: 5', '...7')).toEqual([
      ['Age.1', 'Age'],
      ['AGE.2', 'AGE'],
      ['Unnamed: 5', undefined],
      ['...7', undefined],
    ]);
  });

  it.each([
    ['pH 7.4'],
    ['v1.1'],
    ['Age.2'],
    ['Age.'],
    ['Vol. 1'],
    ['1.5'],
    ['Characteristics[Sample Name.1]'],
    ['Age.01'],
  ])('is none: %s', (header) => {
    expect(made(header)).toEqual([]);
  });

  it('a further value in a column of brackets is one of several, as ever', () => {
    const text = table(
      ['Sample Name', 'Release Date', 'Characteristics[x]', 'Characteristics[x].1'],
      ['a', D, '1', '2'],
    );
    const plan = planOf(text, { isNew: true });
    expect(plan.layout.characteristics.map(({ name }) => name)).toEqual(['x', 'x']);
    expect(madeHeaders(plan)).toEqual([]);
  });

  it.each(['Characteristics', 'Comment', 'Age', 'Sample Name', 'Unnamed: '])(
    'is looked for in time that grows with the header: %s and 60 000 dots, or digits',
    (begin) => {
      for (const sign of ['.', '1', '.1']) {
        const header = `${begin}${sign.repeat(60_000 / sign.length)} x`;
        expect(
          processorMs(() => made(header)),
          sign,
        ).toBeLessThan(1_000);
      }
    },
  );
});

import { describe, expect, it } from 'vitest';
import { planOf, readSheet, refusal, table } from '../read-sheet.js';

const HEADER = [
  'Source Name',
  'Sample Name',
  'Release Date',
  'Protocol REF',
  'Parameter Value[p]',
  'Performer',
  'Date',
  'Comment[note]',
  'tissue',
  'Freezer Position',
  'Material[x]',
];
const ROW = ['src', 'a', '2024-05-01', 'prot', 'p', 'AE', '2020-01-01', 'n', 'liver', 'A1', 'm'];

describe('columns that the dialect does not store', () => {
  it('are left out of the sample and listed once', async () => {
    const { plan, samples } = await readSheet(table(HEADER, ROW));
    expect(samples[0]?.packed).toBe('');
    expect(plan.notStored).toEqual(HEADER.filter((text) => text !== 'Sample Name' && text !== 'Release Date'));
    expect(plan.fromPlainHeaders).toEqual([]);
  });

  it('unknownColumns=characteristics keeps plain headers that are no word of ISA-Tab, and says which', async () => {
    const { plan, samples } = await readSheet(table([...HEADER, 'Unit'], [...ROW, 'kg']), {
      header: { unknownColumns: 'characteristics' },
    });
    expect({ ...samples[0]?.content.characteristics }).toEqual({
      tissue: [{ text: 'liver' }],
      'Freezer Position': [{ text: 'A1' }],
    });
    expect(plan.fromPlainHeaders).toEqual(['tissue', 'Freezer Position']);
    expect(plan.notStored).toEqual([
      'Source Name',
      'Protocol REF',
      'Parameter Value[p]',
      'Performer',
      'Date',
      'Comment[note]',
      'Material[x]',
      'Unit',
    ]);
  });

  it.each(['Depth [m]', 'conc. [ng/µL]', 'Age[years]'])('%s, a unit in brackets, is a plain header', (header) => {
    const sheet = table(['Sample Name', 'Release Date', header], ['a', '2024-05-01', '5']);
    const plan = planOf(sheet, { unknownColumns: 'characteristics' });
    expect([plan.fromPlainHeaders, plan.notStored]).toEqual([[header], []]);
    expect(planOf(sheet, {}).notStored).toEqual([header]);
  });

  it.each([
    'Depth water [m] (bottom)',
    'Depth [m] top',
    'Fe[nmol/l], dissolved',
    'antibiotics [CIPRO] MIC',
    'Sal []',
    'Ratio [C/N]',
    '[NO3] in the pore water',
    'pH [-]',
    'a [b] [c]',
    'weight [kg',
  ])('%s, which has not the form of a header of ISA-Tab, is a plain header, in its result, too', async (header) => {
    const sheet = table(['Sample Name', 'Release Date', header, 'Unit'], ['a', '2024-05-01', '5', 'x']);
    const { plan, samples } = await readSheet(sheet, { header: { unknownColumns: 'characteristics' } });
    expect([plan.fromPlainHeaders, plan.notStored]).toEqual([[header], []]);
    expect(samples[0]?.content.characteristics[header]).toEqual([{ text: '5', unit: 'x' }]);
    expect(planOf(sheet, {}).notStored).toEqual([header, 'Unit']);
    const again = table(['Sample Name', 'Release Date', `Characteristics[${header}]`], ['a', '2024-05-01', '5']);
    expect(Object.keys((await readSheet(again)).samples[0]?.content.characteristics ?? {})).toEqual([header]);
  });

  it.each([
    'Material[x]',
    'Material[x].1',
    'Raw Data File[x]',
    'Charateristics [age]',
    'Factor Value [EF1](Prognosis)',
    'Parameter Value[x] mean',
    'Comment [x]',
  ])('%s, which has it, is not stored', (header) => {
    const sheet = table(['Sample Name', 'Release Date', header], ['a', '2024-05-01', '5']);
    expect(planOf(sheet, { unknownColumns: 'characteristics' }).notStored).toEqual([header]);
  });

  it('a plain header with a line break is named in one line, and one in brackets as it is written', async () => {
    const sheet =
      'Sample Name\tRelease Date\t"collection\r\n date"\t"Characteristics[a\nb]"\nS1\t2024-05-01\t2023\tx\n';
    const { plan, samples } = await readSheet(sheet, { header: { unknownColumns: 'characteristics' } });
    expect(plan.fromPlainHeaders).toEqual(['collection date']);
    expect(Object.keys(samples[0]?.content.characteristics ?? {})).toEqual(['collection date', 'a\nb']);
  });

  it.each(['_', '__', '_ _', '-', '*', '?', '.', '#', '/', '()', '海', '\u200b'])(
    'a header of %j alone is the name of its column, and the unit on its right is of that column',
    async (mark) => {
      for (const header of [mark, `Characteristics[${mark}]`]) {
        const { plan, samples } = await readSheet(
          table(
            ['Sample Name', 'Release Date', header, 'Unit', '', 'tissue'],
            ['a', '2024-05-01', '5', 'kg', '', 'liver'],
          ),
          { header: { unknownColumns: 'characteristics' } },
        );
        expect({ ...samples[0]?.content.characteristics }).toEqual({
          [mark]: [{ text: '5', unit: 'kg' }],
          tissue: [{ text: 'liver' }],
        });
        expect(plan.notStored).toEqual(['E (no header)']);
      }
    },
  );

  it('unknownColumns=reject refuses the file, naming headers and columns', async () => {
    const { code, message } = await refusal(table(HEADER, ROW), { header: { unknownColumns: 'reject' } });
    expect(code).toBe('file.header');
    expect(message).toContain('tissue (column I), Freezer Position (column J), Material[x] (column K)');
    const known = HEADER.slice(0, 8);
    expect(planOf(table(known, ROW.slice(0, 8)), { unknownColumns: 'reject' }).nameColumn).toBe(1);
  });

  it.each(['ignore', 'characteristics', 'reject'] as const)(
    'our own error columns are nobody’s content (%s)',
    (unknownColumns) => {
      const header = [
        'Sample Name',
        'Release Date',
        'Error Line',
        'Error Column',
        'Error Code',
        'Error Value',
        'Error Message',
        'Error Suggestion',
      ];
      const plan = planOf(table(header, ['a', '2024-05-01']), { unknownColumns });
      expect(plan.keptColumns).toEqual([]);
      expect(plan.notStored).toEqual([]);
      expect(plan.errorColumns).toEqual([2, 3, 4, 5, 6, 7]);
    },
  );
});

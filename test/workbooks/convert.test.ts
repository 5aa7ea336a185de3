import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { builtInMeaning, formatMeaning, numberText } from '../../src/workbooks/number-format.js';
import { HEADER, rawWorkbook, removeScratch, textRow, worksheet } from './raw-workbook.js';
import { readWorkbook as read } from './read-workbook.js';

afterEach(removeScratch);

const cell = (at: string, inner: string, attributes = ''): string => `<c r="${at}" ${attributes}>${inner}</c>`;
const text = (at: string, value: string): string =>
  cell(at, `<is><t xml:space="preserve">${value}</t></is>`, 't="inlineStr"');

describe('a sheet of a workbook as text', () => {
  it('saved by LibreOffice: the visible sheet with a header we know, rows at their lines, dates in ISO, ids whole, formulas by value', async () => {
    const { tsv, sheetName, sheetNames, notes } = await read(
      join(import.meta.dirname, 'made-by-libreoffice', 'study.xlsx'),
    );
    expect([sheetName, sheetNames]).toEqual(['Samples', ['Read me', 'Old', 'Samples']]);
    expect(tsv.split('\n')).toEqual([
      '# samples of the study',
      '',
      'Sample Name\tRelease Date\tCharacteristics[organism]\tCharacteristics[barcode]\tCharacteristics[plate]\tCharacteristics[weight]\tCharacteristics[double]\tCharacteristics[taken]\tCharacteristics[at]\tCharacteristics[alive]',
      'S1\t2024-11-21\tHomo sapiens\t23100000000007\t00042\t0.1\t0.3\t2024-11-21T09:30:00\t09:30:00\t1',
      '',
      'S2\t1900-03-01\t"Escherichia ""coli""',
      'K-12\tx"\t\t123456\t-2.5\tab',
      '',
    ]);
    expect(notes).toEqual({ merged: 0, formulas: 2, hiddenRows: 0 });
  });

  it('of the name or number that is asked for, hidden or not; an unknown one is an error that lists them', async () => {
    const path = join(import.meta.dirname, 'made-by-libreoffice', 'study.xlsx');
    expect((await read(path, { sheet: 'old' })).tsv).toBe('Sample Name\nold\n');
    expect((await read(path, { sheet: '1' })).tsv).toBe('About this study\n');
    await expect(read(path, { sheet: 'Nope' })).rejects.toMatchObject({
      message: expect.stringContaining('Read me, Old, Samples'),
    });
  });

  it('a sheet behind one that names samples cannot keep that from being read', async () => {
    const named = { name: 'Samples', data: HEADER + textRow(2, 'S1', 'x') };
    const broken = { name: 'Broken', part: '<worksheet><sheetData><row r="1"><c' };
    const path = await rawWorkbook([named, broken, { ...named, name: 'More' }]);
    expect(await read(path)).toMatchObject({
      sheetName: 'Samples',
      tsv: 'Sample Name\tCharacteristics[a]\nS1\tx\n',
      tables: ['Samples', 'More'],
    });
  });

  it('without any header we know: the first visible one with cells', async () => {
    const path = await rawWorkbook([
      { data: '' },
      { data: textRow(1, 'x'), state: 'veryHidden' },
      { data: textRow(2, 'alias', 'title') },
    ]);
    expect((await read(path)).tsv).toBe('\nalias\ttitle\n');
    await expect(read(await rawWorkbook([{ data: '' }]))).rejects.toMatchObject({ code: 'file.not-understood' });
  });

  it('shared, rich, inline, formula, boolean, error and escaped texts', async () => {
    const data =
      `<row r="1">${cell('A1', '<v>0</v>', 't="s"')}${cell('B1', '<v>1</v>', 't="s"')}${text('C1', 'a_x000D_b')}</row>` +
      `<row r="2">${cell('A2', '<f>1/0</f><v>#DIV/0!</v>', 't="e"')}${cell('B2', '<v>1</v>', 't="b"')}${cell('C2', '<f>T()</f><v>t &amp; u</v>', 't="str"')}</row>` +
      `<row r="4">${cell('B4', '<v>2024-01-02T00:00:00</v>', 't="d"')}${text('D4', '"quoted"')}${text('E4', '5" pipe')}${text('F4', 'x\ty')}</row>`;
    const path = await rawWorkbook([{ data }], {
      'xl/sharedStrings.xml':
        '<sst><si><t>Sample Name</t></si><si><r><t>Ho</t></r><r><rPr><b/></rPr><t xml:space="preserve">mo </t></r><rPh><t>no</t></rPh><r><t>s.</t></r></si></sst>',
    });
    expect((await read(path)).tsv).toBe(
      'Sample Name\tHomo s.\t"a\rb"\n#DIV/0!\tTRUE\tt & u\n\n\t2024-01-02\t\t"""quoted"""\t5" pipe\t"x\ty"\n',
    );
  });

  it('cells and rows without references count on, prefixes and CDATA make no difference', async () => {
    const path = await rawWorkbook([
      {
        part: '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>Sample Name</x:t></x:is></x:c><x:c><x:v>7</x:v></x:c></x:row><x:row><x:c t="inlineStr"><x:is><x:t><![CDATA[a<b]]></x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>',
      },
    ]);
    expect((await read(path)).tsv).toBe('Sample Name\t7\na<b\n');
  });

  it('hidden rows are data, and noted', async () => {
    const data = `${HEADER}${textRow(2, 'S1', 'x')}${textRow(3, 'S2').replace('<row', '<row hidden="1"')}`;
    const { tsv, notes } = await read(await rawWorkbook([{ data }]));
    expect(tsv).toBe('Sample Name\tCharacteristics[a]\nS1\tx\nS2\n');
    expect(notes).toMatchObject({ hiddenRows: 1 });
  });

  it.each(
    ['', '<v/>', '<v></v>', '<v> </v>'].flatMap((value) =>
      ['', 't="n"', 't="b"', 't="e"', 't="d"'].map((type) => ({ value, type })),
    ),
  )('a formula whose result is "$value" ($type) is an error that names the cell, not an empty value', async (made) => {
    const formula = cell('B2', `<f>A1</f>${made.value}`, made.type);
    const path = await rawWorkbook([{ data: `${HEADER}<row r="2">${text('A2', 'S1')}${formula}</row>` }]);
    await expect(read(path)).rejects.toMatchObject({
      code: 'file.not-understood',
      message: expect.stringContaining('B2'),
    });
  });

  it('a formula whose result is an empty text gives an empty cell', async () => {
    const formula = cell('B2', '<f>IF(1,"")</f><v></v>', 't="str"');
    const path = await rawWorkbook([{ data: `${HEADER}<row r="2">${text('A2', 'S1')}${formula}</row>` }]);
    expect((await read(path)).tsv).toBe('Sample Name\tCharacteristics[a]\nS1\n');
  });

  it('counts days from 1904 where the workbook says so', async () => {
    const styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>';
    const data = `${HEADER}<row r="2">${text('A2', 'S')}${cell('B2', '<v>44155</v>', 's="1"')}</row>`;
    const plain = await rawWorkbook([{ data }], { 'xl/styles.xml': styles });
    const mac = await rawWorkbook([{ data }], { 'xl/styles.xml': styles }, '<workbookPr date1904="1"/>');
    expect((await read(plain)).tsv).toContain('S\t2020-11-20\n');
    expect((await read(mac)).tsv).toContain('S\t2024-11-21\n');
  });

  it('rows or cells out of order are an error, not a shifted table', async () => {
    await expect(read(await rawWorkbook([{ data: textRow(3, 'a') + textRow(2, 'b') }]))).rejects.toThrow(
      /out of order/,
    );
    await expect(
      read(await rawWorkbook([{ data: `<row r="1">${text('B1', 'x')}${text('A1', 'y')}</row>` }])),
    ).rejects.toThrow(/out of order/);
    await expect(
      read(await rawWorkbook([{ part: worksheet('<row r="1"><c r="A1" t="s"><v>5</v></c></row>') }])),
    ).rejects.toThrow(/does not have/);
  });
});

describe('ids of more digits than a number has room for', () => {
  const DIGITS = '9876543210123456789012345';

  it('keep all that the workbook holds, whatever their length, sign and format', () => {
    for (let length = 1; length <= DIGITS.length; length++) {
      const id = DIGITS.slice(0, length);
      for (const raw of [id, `-${id}`, `${id}.0`])
        for (const code of ['General', '0', '#,##0'])
          expect(numberText(raw, formatMeaning(code), false), raw).toBe(raw.replace('.0', ''));
      expect(numberText(id, formatMeaning('"X-"000'), false)).toBe(`X-${id.padStart(3, '0')}`);
    }
  });

  it('come out of an .xlsx as they went in', async () => {
    const ids = ['1234567890123456789', '1234567890123456788', '12345678901234567890123'];
    const rows = ids.map(
      (id, at) => `<row r="${at + 2}">${text(`A${at + 2}`, `S${at}`)}${cell(`B${at + 2}`, `<v>${id}</v>`)}</row>`,
    );
    const { tsv } = await read(await rawWorkbook([{ data: HEADER + rows.join('') }]));
    expect(tsv.split('\n').slice(1, 4)).toEqual(ids.map((id, at) => `S${at}\t${id}`));
  });
});

describe('numbers by their cell format', () => {
  it('tells dates, times and padded ids from numbers', () => {
    const meanings: [string, string][] = [
      ['General', 'number'],
      ['0.00', 'number'],
      ['#,##0', 'number'],
      ['0%', 'shown'],
      ['0.00E+00', 'number'],
      ['@', 'number'],
      ['yyyy-mm-dd', 'date'],
      ['dd/mm/yyyy', 'date'],
      ['[$-409]d-mmm-yy;@', 'date'],
      ['mmm yyyy', 'date'],
      ['yyyy\\-mm\\-dd\\ hh:mm', 'date'],
      ['h:mm', 'time'],
      ['[h]:mm:ss', 'time'],
      ['mm:ss.0', 'time'],
      ['00000', 'padded'],
      ['"PAT-"0000', 'padded'],
      ['[>99]000;00', 'padded'],
      ['0" kg"', 'shown'],
      ['0000.0', 'number'],
      ['00%', 'shown'],
      ['[$€-407]00', 'shown'],
      ['00:00', 'padded'],
      ['[Red]0.0', 'number'],
      ['"day "0', 'shown'],
      ['_-* #,##0.00_-', 'number'],
      ['h:mm AM/PM', 'time'],
      ['d/m/yy h:mm', 'date'],
    ];
    expect(meanings.map(([code]) => [code, formatMeaning(code).kind])).toEqual(meanings);
    expect([0, 2, 14, 17, 18, 22, 45, 49].map((id) => builtInMeaning(id).kind)).toEqual([
      'number',
      'number',
      'date',
      'date',
      'time',
      'date',
      'time',
      'number',
    ]);
  });

  it.each([
    ['00000', '42', '00042'],
    ['00000', '1234567', '1234567'],
    ['"PAT-"0000', '8', 'PAT-0008'],
    ['"PAT-"0000', '12345', 'PAT-12345'],
    ['"S"00"-2024"', '7', 'S07-2024'],
    ['000\\-00\\-0000', '12345678', '012-34-5678'],
    ['000-00-0000', '12345678', '012-34-5678'],
    ['\\(000\\)\\ 000', '12345', '(012) 345'],
    ['[Red]_-000_-;-000', '7', '007'],
    ['00" kg"', '7', '07 kg'],
    ['00:00', '130', '01:30'],
    ['###-####', '5551234', '555-1234'],
    ['###-####', '123', '123'],
    ['00" of 2024"', '7', '07 of 2024'],
    ['"PAT-"0000', '8.5', '8.5'],
    ['"PAT-"0000', '-8', '-8'],
  ])('an id is what the format %s shows of %s', (code, raw, wanted) => {
    expect(numberText(raw, formatMeaning(code), false)).toBe(wanted);
  });

  it('writes them as the dialect wants them', () => {
    const date = { kind: 'date' } as const;
    const cases: [string, Parameters<typeof numberText>[1], boolean, string][] = [
      ['45617', date, false, '2024-11-21'],
      ['45617.39583333333', date, false, '2024-11-21T09:30:00'],
      ['1', date, false, '1900-01-01'],
      ['59', date, false, '1900-02-28'],
      ['61', date, false, '1900-03-01'],
      ['0', date, true, '1904-01-01'],
      ['-3', date, false, '-3'],
      ['99999999', date, false, '99999999'],
      ['0.5', { kind: 'time' }, false, '12:00:00'],
      ['1.5', { kind: 'time' }, false, '36:00:00'],
      ['45617.5', { kind: 'time' }, false, '2024-11-21T12:00:00'],
      ['2.3100000000007E13', { kind: 'number' }, false, '23100000000007'],
      ['0.30000000000000004', { kind: 'number' }, false, '0.3'],
      ['1.1000000000000001', { kind: 'number' }, false, '1.1'],
      ['1E-3', { kind: 'number' }, false, '0.001'],
    ];
    for (const [raw, meaning, mac, wanted] of cases) expect(numberText(raw, meaning, mac), raw).toBe(wanted);
  });
});

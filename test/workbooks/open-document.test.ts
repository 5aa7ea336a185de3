import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Part, removeScratch, zip } from './raw-workbook.js';
import { readWorkbook as read } from './read-workbook.js';

afterEach(removeScratch);

const made = (name: string): string => join(import.meta.dirname, 'made-by-libreoffice', name);
const KIND = 'application/vnd.oasis.opendocument.spreadsheet';

const p = (text: string, attributes = ''): string =>
  `<table:table-cell office:value-type="string" ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const row = (cells: string, attributes = ''): string => `<table:table-row ${attributes}>${cells}</table:table-row>`;
const HEADER = row(p('Sample Name') + p('organism'));
const table = (name: string, rows: string, attributes = ''): string =>
  `<table:table table:name="${name}" ${attributes}>${rows}</table:table>`;
const book = (tables: string, parts: Record<string, Part> = {}) =>
  zip(
    {
      mimetype: KIND,
      'content.xml': `<?xml version="1.0"?><office:document-content><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
      ...parts,
    },
    'book.ods',
  );
const tsvOf = async (rows: string): Promise<string> => (await read(await book(table('S', rows)))).tsv;

describe('a sheet of an OpenDocument workbook as text', () => {
  it.each(['study', 'kept'])('saved by LibreOffice as both: %s is the same text as in .xlsx', async (name) => {
    const [ods, xlsx] = [await read(made(`${name}.ods`)), await read(made(`${name}.xlsx`))];
    // LibreOffice 7.4 loses the TAB of a text when it saves this form.
    expect(ods).toEqual({ ...xlsx, tsv: xlsx.tsv.replace('K-12\tx', 'K-12x') });
  });

  it('a formula that failed is what is shown of it, also where a program writes that it has no text', async () => {
    const failed = 'table:formula="of:=VLOOKUP(1;2)" office:value-type="string" office:string-value=""';
    const cell = (shown: string): string => `<table:table-cell ${failed}><text:p>${shown}</text:p></table:table-cell>`;
    expect(await tsvOf(HEADER + row(p('S1') + cell('#N/A')) + row(p('S2') + cell('')))).toContain('\nS1\t#N/A\nS2\n');
  });

  it('dates, times, ids with zeros, errors, remarks, links, merged and hidden rows, as they are in the workbook', async () => {
    const { tsv, notes } = await read(made('kept.ods'));
    expect(tsv.split('\n')).toEqual([
      'Sample Name\torganism\tpurity\ttook\talive\tlink\tnote',
      'T1\tMus musculus\t99.5%\t30:15:20\tTRUE\tsee the page\ttwo   blanksand a tab',
      'T2\tRattus\t\t#DIV/0!\t\t\tlast',
      'T3\tsame\tsame',
      ...Array.from({ length: 3 }, () => 'again\t7'),
      '',
      '',
      '\tbelow',
      '',
    ]);
    const link = { row: 2, text: 'https://example.org/a' };
    const remark = { row: 1, text: 'a remark that is no part of the header' };
    expect(notes).toEqual({
      merged: 1,
      formulas: 3,
      hiddenRows: 1,
      beside: {
        hidden: { rows: 1, first: 4, last: 4 },
        links: [{ column: 5, first: link, last: link }],
        comments: [{ column: 1, first: remark, last: remark }],
      },
    });
    expect((await read(made('study.ods'))).tsv).toContain('\t00042\t0.1\t0.3\t2024-11-21T09:30:00\t09:30:00\t');
  });

  it('of the name or number that is asked for, hidden or not; else the first visible one that names samples', async () => {
    const path = made('study.ods');
    expect(await read(path)).toMatchObject({ sheetName: 'Samples', sheetNames: ['Read me', 'Old', 'Samples'] });
    expect((await read(path, { sheet: 'old' })).tsv).toBe('Sample Name\nold\n');
    expect((await read(path, { sheet: '1' })).tsv).toBe('About this study\n');
    await expect(read(path, { sheet: 'Nope' })).rejects.toMatchObject({
      message: expect.stringContaining('Read me, Old, Samples'),
    });
    const two = await book(
      table('A', HEADER + row(p('S1') + p('x'))) +
        table('B', row(p('x'))) +
        table('C &amp; "D"'.replace(/"/g, '&quot;'), HEADER + row(p('S2') + p('y'))),
    );
    expect(await read(two)).toMatchObject({
      sheetName: 'A',
      sheetNames: ['A', 'B', 'C & "D"'],
      tables: ['A', 'C & "D"'],
    });
  });

  it('tells its tables from those of links and of what was changed, and finds their names wherever pieces are cut', async () => {
    const many = Array.from({ length: 60 }, (_, at) => table(`sheet ${at}`, row(p('x'.repeat(3_000 + at)))));
    const linked = `<table:dde-links><table:dde-link>${table('of others', HEADER)}</table:dde-link></table:dde-links>`;
    const aside = `<table:tracked-changes><table:deletion>${p('gone')}</table:deletion></table:tracked-changes>`;
    const path = await book(aside + many.join('') + table('last', HEADER + row(p('S1'))) + linked);
    expect(await read(path)).toMatchObject({
      sheetName: 'last',
      tsv: 'Sample Name\torganism\nS1\n',
      sheetNames: [...many.map((_, at) => `sheet ${at}`), 'last'],
    });
    const inComment = await book(`<!-- <table:table table:name="A"> -->${table('B', HEADER)}`);
    for (const [wanted, sheet] of [
      [{}, 'B'],
      [{ sheet: 'A' }, 'A'],
    ] as const)
      await expect(read(inComment, wanted)).rejects.toMatchObject({
        code: 'file.not-understood',
        message: expect.stringContaining(`The sheet ${sheet} is not where the workbook seems to have it.`),
      });
  });

  it('rows and cells that are written once come as often as they say, blank ones to no end', async () => {
    const often = 'table:number-rows-repeated';
    const wide = 'table:number-columns-repeated';
    const twoRows = [p('S'), p('a', `${wide}="2"`), `<table:table-cell ${wide}="16380"/>`].join('');
    expect(
      await tsvOf(
        HEADER +
          row(twoRows, `${often}="2"`) +
          row('<table:table-cell/>', `${often}="2"`) +
          row(`<table:covered-table-cell ${wide}="1"/>${p('b')}`) +
          row(`<table:table-cell ${wide}="16384"/>`, `${often}="1048500"`),
      ),
    ).toBe('Sample Name\torganism\nS\ta\ta\nS\ta\ta\n\n\n\tb\n');
  });

  it('texts: blanks, TABs, lines, parts and paragraphs, and nothing of what stands beside them', async () => {
    const aside = '<office:annotation><dc:creator>A</dc:creator><text:p>remark</text:p></office:annotation>';
    const shape = '<draw:frame><draw:text-box><text:p>drawn</text:p></draw:text-box></draw:frame>';
    const cells = [
      p(' a \n  b <text:s text:c="2"/>c'),
      p('x<text:tab/>y'),
      p('one<text:line-break/>two</text:p><text:p>three'),
      `<table:table-cell office:value-type="string">${aside}<text:p>kept<text:span>, <text:a>all</text:a></text:span>${aside}</text:p>${shape}</table:table-cell>`,
      p('<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby>'),
      p('<![CDATA[a<b]]>'),
      p('shown', 'office:string-value="said"'),
      p('"quoted"'),
    ];
    expect(await tsvOf(HEADER + row(cells.join('')))).toBe(
      'Sample Name\torganism\na b   c\t"x\ty"\t"one\ntwo\nthree"\tkept, all\t漢\ta<b\tsaid\t"""quoted"""\n',
    );
  });

  it('values by their type', async () => {
    const cell = (type: string, more: string, shown = ''): string =>
      `<table:table-cell office:value-type="${type}" ${more}><text:p>${shown}</text:p></table:table-cell>`;
    const cells: [string, string][] = [
      [cell('float', 'office:value="0.30000000000000004"', '0.3'), '0.3'],
      [cell('float', 'office:value="2.3100000000007E13"', '2.31E+13'), '23100000000007'],
      [cell('float', 'office:value="1234567890123456789"', '1,23E+18'), '1234567890123456789'],
      [cell('float', 'office:value="7"', '007'), '007'],
      [cell('float', 'office:value="7"', '08'), '7'],
      [cell('float', 'office:value="8"', 'PAT-0008'), 'PAT-0008'],
      [cell('float', 'office:value="7"', 'S07-2024'), 'S07-2024'],
      [cell('float', 'office:value="1007"', '1 007'), '1007'],
      [cell('float', 'office:value="12345678"', '012-34-5678'), '012-34-5678'],
      [cell('float', 'office:value="7"', '07 kg'), '07 kg'],
      [cell('float', 'office:value="0"', '0,00 €'), '0 €'],
      [cell('float', 'office:value="0"', '0.00'), '0'],
      [cell('percentage', 'office:value="0"', '00%'), '0%'],
      [cell('float', 'office:value="12"', '12 kg'), '12 kg'],
      [cell('float', 'table:formula="of:=TRUE()" office:value="1"', 'WAHR'), 'TRUE'],
      [cell('float', 'table:formula="of:=FALSE()" office:value="0"', 'FALSE'), 'FALSE'],
      [cell('float', 'table:formula="of:=1" office:value="1"', '1'), '1'],
      [cell('float', '', '7 or so'), '7 or so'],
      [cell('percentage', 'office:value="0.5"', '50%'), '50%'],
      [cell('percentage', 'office:value="0.004"', '0 %'), '0.4 %'],
      [cell('percentage', 'office:value="-0.125"', '-13%'), '-12.5%'],
      [cell('percentage', 'office:value="0.5"', ''), '0.5'],
      [cell('percentage', 'office:value="0.5"', '0.5'), '0.5'],
      [cell('float', 'office:value="5.25"', '5,3 mg'), '5.25 mg'],
      [cell('float', 'office:value="1234567.891"', '1.234.567,9 IU'), '1234567.891 IU'],
      [cell('float', 'office:value="25000"', "25'000 cells"), '25000 cells'],
      [cell('float', 'office:value="1.5"', '1 1/2'), '1.5'],
      [cell('float', 'office:value="5"', '5 of 10'), '5 of 10'],
      [cell('float', 'office:value="-3.5"', '(3.50)'), '-3.5'],
      [cell('float', 'office:value="-3.5"', '-3.50 °C'), '-3.5 °C'],
      [cell('float', 'office:value="0.5"', '&lt;1'), '<1'],
      [cell('float', 'office:value="0.5"', '&lt;0.5'), '<0.5'],
      [cell('float', 'office:value="0"', 'n.d.'), 'n.d.'],
      [cell('float', 'office:value="9"', ''), '9'],
      [cell('float', 'office:value="9"', '###'), '9'],
      [cell('currency', 'office:value="12.5"', '12,50 €'), '12.5 €'],
      [cell('date', 'office:date-value="2024-03-05T00:00:00"', '05.03.24'), '2024-03-05'],
      [cell('date', 'office:date-value="2024-03-05T10:20:30.123"', ''), '2024-03-05T10:20:30'],
      [cell('date', '', '5 March'), '5 March'],
      [cell('time', 'office:time-value="PT09H30M00,6S"', ''), '09:30:01'],
      [cell('time', 'office:time-value="PT00H01M02.5S"', '01:02.5'), '00:01:02.5'],
      [cell('date', 'office:date-value="2024-03-05T10:20:30.25"', '10:20:30.250'), '2024-03-05T10:20:30.25'],
      [cell('time', 'office:time-value="P1D"', 'a day'), 'a day'],
      [cell('boolean', 'office:boolean-value="false"', 'FALSCH'), 'FALSE'],
      [cell('string', 'calcext:value-type="error" office:string-value=""', '#N/A'), '#N/A'],
    ];
    const rows = cells.map(([made]) => row(made)).join('');
    expect((await tsvOf(rows)).trimEnd().split('\n')).toEqual(cells.map(([, text]) => text));
  });

  it('a formula without its result is an error that names the cell; one whose result is an empty text is none', async () => {
    const formula = (inner: string): string =>
      row(`${p('S1')}<table:table-cell table:formula="of:=1">${inner}</table:table-cell>`);
    expect(await tsvOf(HEADER + formula('<text:p/>'))).toBe('Sample Name\torganism\nS1\n');
    await expect(tsvOf(HEADER + formula(''))).rejects.toMatchObject({
      code: 'file.not-understood',
      message: expect.stringContaining('B2'),
      detail: { extra: { line: 2, column: 'B2' } },
    });
  });

  it('other OpenDocument files, those with macros and locked ones are refused', async () => {
    const tables = table('S', HEADER);
    const locked = '<manifest:manifest><manifest:encryption-data/></manifest:manifest>';
    for (const [path, code, message] of [
      [book(tables, { mimetype: 'application/vnd.oasis.opendocument.text' }), 'file.wrong-kind', 'of another kind'],
      [book(tables, { 'Basic/Standard/Module1.xml': 'x' }), 'file.wrong-kind', 'carries macros'],
      [book(tables, { 'META-INF/manifest.xml': locked }), 'file.wrong-kind', 'protected with a password'],
      [zip({ mimetype: KIND, 'encrypted-package': 'x' }), 'file.wrong-kind', 'protected with a password'],
      [book(''), 'file.not-understood', 'has no sheet of cells'],
    ] as const)
      await expect(read(await path)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    expect((await read(await book(tables, { mimetype: `${KIND}-template` }))).tsv).toBe('Sample Name\torganism\n');
  });
});

/** What a sheet has beside the values of its cells, in every form of workbook: links, comments, rows that are not shown. */
import { afterEach, describe, expect, it } from 'vitest';
import type { BesideCells } from '../../src/tsv/beside-cells.js';
import { AUTHOR } from '../../src/workbooks/author.js';
import { binaryWorkbook, label, record, u16 } from './raw-binary-workbook.js';
import { HEADER, rawWorkbook, removeScratch, textRow, zip } from './raw-workbook.js';
import { readWorkbook as read } from './read-workbook.js';

afterEach(removeScratch);

const besideOf = async (path: string): Promise<BesideCells | undefined> => (await read(path)).notes.beside;

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
interface Beside {
  rows: string;
  links?: [tag: string, id: string, target: string][];
  comments?: string;
}

function xlsx({ rows, links = [], comments }: Beside): Promise<string> {
  const targets = links.map(
    ([, id, target]) =>
      `<Relationship Id="${id}" Type="${RELATIONS}/hyperlink" Target="${target}" TargetMode="External"/>`,
  );
  if (comments) targets.push(`<Relationship Id="c" Type="${RELATIONS}/comments" Target="../comments1.xml"/>`);
  return rawWorkbook(
    [{ data: HEADER + rows, after: `<hyperlinks>${links.map(([tag]) => tag).join('')}</hyperlinks>` }],
    {
      'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships>${targets.join('')}</Relationships>`,
      'xl/comments1.xml': comments,
    },
  );
}

const ods = (...rows: string[]): Promise<string> => styledOds('', ...rows);
const styledOds = (styles: string, ...rows: string[]): Promise<string> =>
  zip(
    {
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': `<?xml version="1.0"?><office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="S">${[
        odsRow('', odsCell('Sample Name', NAMED), odsCell('a', NAMED)),
        ...rows,
      ].join('')}</table:table></office:spreadsheet></office:body></office:document-content>`,
    },
    'book.ods',
  );
const NAMED = ' table:style-name="own"';
const odsRow = (attributes: string, ...cells: string[]): string =>
  `<table:table-row${attributes}>${cells.join('')}</table:table-row>`;
const odsCell = (paragraph: string, attributes = '', annotation = ''): string =>
  `<table:table-cell office:value-type="string"${attributes}>${annotation}<text:p>${paragraph}</text:p></table:table-cell>`;
const odsLink = (href: string, text: string): string => `<text:a xlink:href="${href}">${text}</text:a>`;

const LINKS: [text: string, address: string, isSaid: boolean][] = [
  ['Smith 2020', 'https://doi.org/10.1/x', false],
  ['https://doi.org/10.1/x', 'https://doi.org/10.1/x', true],
  ['www.example.org', 'http://www.example.org/', true],
  ['HTTPS://Example.org/A', 'https://example.org/a', true],
  ['a@example.org', 'mailto:a@example.org', true],
  ['Dr. A', 'mailto:a@example.org', false],
  ['Müller', 'https://example.org/M%C3%BCller', false],
  ['example.org/Müller', 'https://example.org/M%C3%BCller', true],
  ['100%', 'https://example.org/100%', false],
];

describe('a cell that links to an address', () => {
  it.each(LINKS)('"%s" to %s: whether the cell says it is %s, in both forms', async (text, address, isSaid) => {
    const note = { row: 2, text: address };
    const wanted = isSaid ? undefined : { links: [{ column: 1, first: note, last: note }] };
    const link: [string, string, string] = ['<hyperlink ref="B2" r:id="r1"/>', 'r1', address];
    expect(await besideOf(await xlsx({ rows: textRow(2, 'A', text), links: [link] }))).toEqual(wanted);
    expect(await besideOf(await ods(odsRow('', odsCell('A'), odsCell(odsLink(address, text)))))).toEqual(wanted);
  });

  it('of each column the first and the last are noted, wherever their tags stand and whatever they have beside', async () => {
    const display = 'd'.repeat(9_000);
    const links: [string, string, string][] = Array.from({ length: 40 }, (_, n) => [
      `<x:hyperlink display="${display}" ref="$B$${n + 2}" tooltip="${display}" r:id="r${n}"></x:hyperlink>`,
      `r${n}`,
      `https://example.org/${n}`,
    ]);
    const rows = links.map((_, n) => textRow(n + 2, `A${n}`, 'see there')).join('');
    expect(await besideOf(await xlsx({ rows, links }))).toEqual({
      links: [
        {
          column: 1,
          first: { row: 2, text: 'https://example.org/0' },
          last: { row: 41, text: 'https://example.org/39' },
        },
      ],
    });
  });

  it('by a formula is noted, where the address stands in it', async () => {
    const formula = (row: number, text: string) =>
      `<row r="${row}"><c r="A${row}" t="inlineStr"><is><t>A${row}</t></is></c><c r="B${row}" t="str"><f>${text}</f><v>S12</v></c></row>`;
    const note = (row: number, address: string) => ({ row, text: address });
    const rows =
      formula(2, 'HYPERLINK("https://lims/12","S12")') +
      formula(3, 'HYPERLINK(C1,"S12")') +
      formula(4, 'HYPERLINK("#Sheet2!A1","S12")') +
      formula(5, 'hyperlink("https://lims/a""b", "S12")') +
      formula(6, 'UPPER("https://lims/6")');
    const wanted = [{ column: 1, first: note(2, 'https://lims/12'), last: note(5, 'https://lims/a"b') }];
    expect(await besideOf(await xlsx({ rows }))).toEqual({ links: wanted });
    const inOds = odsCell('S12', ' table:formula="of:=HYPERLINK(&quot;https://lims/12&quot;;&quot;S12&quot;)"');
    expect((await besideOf(await ods(odsRow('', odsCell('A'), inOds))))?.links?.[0]?.first).toEqual(
      note(2, 'https://lims/12'),
    );
  });

  it('to a place of the workbook, without a text, or without a relation has nothing to note', async () => {
    const links: [string, string, string][] = [
      ['<hyperlink ref="B2" location="Sheet2!A1"/>', 'r1', 'https://example.org/'],
      ['<hyperlink ref="C2" r:id="r1"/>', 'r2', 'https://example.org/'],
      ['<hyperlink ref="B2" r:id="gone"/>', 'r3', 'https://example.org/'],
      ['<hyperlink ref="nowhere" r:id="r3"/>', 'r4', 'https://example.org/'],
    ];
    expect(await besideOf(await xlsx({ rows: textRow(2, 'A', 'x'), links }))).toBeUndefined();
    expect(await besideOf(await ods(odsRow('', odsCell('A'), odsCell(odsLink('#S.A1', 'up')))))).toBeUndefined();
  });

  it('damaged relations do not keep a sheet from being read', async () => {
    const path = await rawWorkbook([{ data: HEADER + textRow(2, 'A', 'x') }], {
      'xl/worksheets/_rels/sheet1.xml.rels': '<Relationships><Relationship Id="',
    });
    expect((await read(path)).tsv).toBe('Sample Name\tCharacteristics[a]\nA\tx\n');
  });
});

describe('a comment on a cell', () => {
  const part = (author: string, ...comments: [ref: string, text: string][]): string =>
    `<comments><authors><author>other</author><author>${author}</author></authors><commentList>${comments
      .map(([ref, text]) => `<comment ref="${ref}" authorId="1"><text><r><t>${text}</t></r></text></comment>`)
      .join('')}</commentList></comments>`;
  const note = (row: number, text: string) => ({ row, text });

  it('is noted with what it says, in both forms', async () => {
    const wanted = { comments: [{ column: 1, first: note(2, 'haemolysed'), last: note(2, 'haemolysed') }] };
    const answered = `[Threaded comment]\n\nYour version of Excel allows you to read it.\n\nComment:\n    haemolysed`;
    const rows = textRow(2, 'A', 'x');
    expect(await besideOf(await xlsx({ rows, comments: part('Ann', ['B2', 'haemolysed']) }))).toEqual(wanted);
    expect(await besideOf(await xlsx({ rows, comments: part('tc={1}', ['B2', answered]) }))).toEqual(wanted);
    const annotation =
      '<office:annotation><dc:creator>Ann</dc:creator><dc:date>2024</dc:date><text:p>haemo<text:span>lysed</text:span></text:p></office:annotation>';
    const path = await ods(odsRow('', odsCell('A'), odsCell('x', '', annotation)));
    expect(await besideOf(path)).toEqual(wanted);
    expect((await read(path)).tsv).toBe('Sample Name\ta\nA\tx\n');
  });

  it('that the service has made itself, or that says nothing, is not', async () => {
    const rows = textRow(2, 'A', 'x');
    expect(await besideOf(await xlsx({ rows, comments: part(AUTHOR, ['B2', 'no such date']) }))).toBeUndefined();
    expect(await besideOf(await xlsx({ rows, comments: part('Ann', ['B2', ' ']) }))).toBeUndefined();
    const annotation = `<office:annotation><dc:creator>${AUTHOR}</dc:creator><text:p>no such date</text:p></office:annotation>`;
    expect(await besideOf(await ods(odsRow('', odsCell('A', '', annotation))))).toBeUndefined();
  });
});

describe('rows that are not shown', () => {
  const shown = (row: number, hidden: boolean) =>
    textRow(row, `A${row}`, 'x').replace('<row ', hidden ? '<row hidden="1" ' : '<row ');

  it('are counted where they have cells, in every form', async () => {
    const wanted = { hidden: { rows: 2, first: 3, last: 5 } };
    const rows = [2, 3, 4, 5].map((row) => shown(row, row % 2 === 1)).join('');
    expect(await besideOf(await xlsx({ rows: `${rows}<row r="6" hidden="1"/>` }))).toEqual(wanted);
    const filtered = ' table:visibility="filter"';
    const inOds = [2, 3, 4, 5].map((row) => odsRow(row % 2 === 1 ? filtered : '', odsCell(`A${row}`)));
    expect(await besideOf(await ods(...inOds, odsRow(filtered)))).toEqual(wanted);
    const ROW = 0x208;
    const rowOf = (row: number, filled: number, hidden: number) =>
      record(ROW, u16(row, 0, filled, 0x00ff, 0, 0, hidden ? 0x20 : 0, 0x0f));
    const records = [
      ...[0, 1, 2, 3, 4].map((row) => rowOf(row, 1, row > 0 && row % 2 === 0 ? 1 : 0)),
      rowOf(5, 0, 1),
      label(0, 0, 'Sample Name'),
      ...[1, 2, 3, 4].map((row) => label(row, 0, `A${row}`)),
    ];
    expect(await besideOf(binaryWorkbook([{ records }]))).toEqual(wanted);
  });
});

describe('rows that are struck through', () => {
  it('are counted where every cell is, in every form', async () => {
    const wanted = { struck: { rows: 2, first: 3, last: 5 } };
    const styles =
      '<styleSheet><fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts><cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="2"/></cellXfs><dxfs><dxf><font><strike/></font></dxf></dxfs></styleSheet>';
    const styled = (row: number, ...of: number[]) =>
      of.reduce(
        (xml, style, at) => xml.replace(`r="${'AB'[at]}${row}"`, `$& s="${style}"`),
        textRow(row, `A${row}`, 'x'),
      );
    const rows = [styled(2, 0, 1), styled(3, 1, 1), styled(4, 2, 2), styled(5, 1, 1)].join('');
    const path = await rawWorkbook([{ data: HEADER + rows }], { 'xl/styles.xml': styles });
    expect(await besideOf(path)).toEqual(wanted);

    const font = (options: number) => record(0x31, u16(220, options, 0, 0, 0), [0, 0, 0, 0, 1, 0, 65]);
    const globals = [font(0), font(8), ...[0, 1].map((at) => record(0xe0, u16(at, 0), Buffer.alloc(16)))];
    const cell = (row: number, column: number, format: number) => record(0x27e, u16(row, column, format), [6, 0, 0, 0]);
    const records = [
      label(0, 0, 'Sample Name'),
      ...[
        [0, 1],
        [1, 1],
        [0, 0],
        [1, 1],
      ].flatMap((of, at) => of.map((format, column) => cell(at + 1, column, format))),
    ];
    expect(await besideOf(binaryWorkbook([{ records }], globals))).toEqual(wanted);

    const style = (name: string, line: string) =>
      `<style:style style:name="${name}" style:family="table-cell"><style:text-properties style:text-line-through-style="${line}"/></style:style>`;
    const named = (name: string) => odsCell('x', ` table:style-name="${name}"`);
    const inOds = await styledOds(
      style('a', 'none') + style('b', 'solid'),
      odsRow('', named('a'), named('b')),
      odsRow(' table:number-rows-repeated="1"', named('b'), named('b')),
      odsRow('', named('a')),
      odsRow('', named('b'), '<table:table-cell table:style-name="a"/>'),
    );
    expect(await besideOf(inOds)).toEqual(wanted);
  });

  it('in an OpenDocument also by the style of their row or columns', async () => {
    const style =
      '<style:style style:name="b" style:family="table-cell"><style:text-properties style:text-line-through-type="single"/></style:style>';
    const columns =
      '<table:table-columns><table:table-column table:default-cell-style-name="b" table:number-columns-repeated="2"/></table:table-columns><table:table-column/>';
    const plain = odsCell('x', ' table:style-name="a"');
    const rows = [
      odsRow('', plain, odsCell('x')),
      odsRow('', odsCell('x'), odsCell('x')),
      odsRow('', odsCell('x'), odsCell('x'), odsCell('x')),
      odsRow(' table:default-cell-style-name="b"', odsCell('x'), odsCell('x'), odsCell('x')),
    ];
    const header = odsRow('', plain, plain);
    expect(await besideOf(await styledOds(style, columns, header, ...rows))).toEqual({
      struck: { rows: 2, first: 4, last: 6 },
    });
  });
});

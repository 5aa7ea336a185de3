/** Raised digits: behind others they are none of the same number. */
import { afterEach, describe, expect, it } from 'vitest';
import { withRaised } from '../../src/workbooks/raised.js';
import { binaryWorkbook, label, longText, record, u16, u32 } from './raw-binary-workbook.js';
import { HEADER, rawWorkbook, removeScratch, zip } from './raw-workbook.js';
import { readWorkbook as read } from './read-workbook.js';

afterEach(removeScratch);

/** Plain and raised parts in turns. */
type Parts = string[];

const runs = (parts: Parts): string =>
  parts
    .map((text, at) =>
      at % 2 === 0
        ? `<r><t xml:space="preserve">${text}</t></r>`
        : `<r><rPr><vertAlign val="superscript"/></rPr><t>${text}</t></r>`,
    )
    .join('');

const cellOf = ({ tsv }: { tsv: string }): string => tsv.split('\n')[1]?.split('\t')[1] ?? '';

async function inCell(parts: Parts): Promise<string> {
  const cell = `<c r="B2" t="inlineStr"><is>${runs(parts)}</is></c>`;
  const data = `${HEADER}<row r="2"><c r="A2" t="inlineStr"><is><t>A</t></is></c>${cell}</row>`;
  return cellOf(await read(await rawWorkbook([{ data }])));
}

async function shared(parts: Parts): Promise<string> {
  const data = `${HEADER}<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" t="s"><v>0</v></c></row>`;
  return cellOf(
    await read(
      await rawWorkbook([{ data }], {
        'xl/sharedStrings.xml': `<sst><si>${runs(parts)}</si><si><t>A</t></si></sst>`,
      }),
    ),
  );
}

async function inOds(parts: Parts, position = 'super 58%'): Promise<string> {
  const text = parts
    .map((part, at) => (at % 2 === 0 ? part : `<text:span text:style-name="T1">${part}</text:span>`))
    .join('');
  const cell = (said: string) =>
    `<table:table-cell office:value-type="string"><text:p>${said}</text:p></table:table-cell>`;
  const path = await zip(
    {
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': `<office:document-content><office:automatic-styles><style:style style:name="T1" style:family="text"><style:text-properties style:text-position="${position}"/></style:style></office:automatic-styles><office:body><office:spreadsheet><table:table table:name="S"><table:table-row>${cell('Sample Name')}${cell('a')}</table:table-row><table:table-row>${cell('A')}${cell(text)}</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`,
    },
    'book.ods',
  );
  return cellOf(await read(path));
}

/** `raised`: the place of the font among five, which have the numbers 0 to 3 and 5. */
async function inXls(parts: Parts, raised = 4): Promise<string> {
  const fonts = Array.from({ length: 5 }, (_, at) =>
    record(0x31, u16(0xc8, 0, 0x7fff, 400, at === raised ? 1 : 0, 0, 0)),
  );
  const numberOf = (at: number): number => (at % 2 === 0 ? 0 : raised < 4 ? raised : 5);
  const starts = parts.map((_, at) => parts.slice(0, at).join('').length);
  const text = parts.join('');
  const rich = Buffer.concat([
    u16(text.length),
    Buffer.from([0x08 | 1]),
    u16(parts.length - 1),
    Buffer.from(text, 'utf16le'),
    ...parts.slice(1).map((_, at) => u16(starts[at + 1] as number, numberOf(at + 1))),
  ]);
  const texts = record(0xfc, u32(2), u32(2), rich, longText('plain'));
  const shared = (column: number, text: number) => record(0xfd, u16(1, column, 0), u32(text));
  const records = [label(0, 0, 'Sample Name'), label(0, 1, 'a'), shared(0, 1), shared(1, 0)];
  return cellOf(await read(binaryWorkbook([{ records }], [...fonts, texts])));
}

describe('a raised part of a text', () => {
  it.each<[Parts, string]>([
    [['10', '6'], '10⁶'],
    [['1.5 x 10', '-3', ' M'], '1.5 x 10⁻³ M'],
    [['10', '−', '', '12'], '10⁻¹²'],
    [['2 × 10', '6', ' to 10', '7', ' cells'], '2 × 10⁶ to 10⁷ cells'],
    [['23', '1'], '23¹'],
    [['5', 'th'], '5th'],
    [['m', '2'], 'm2'],
    [['Ca', '2+'], 'Ca2+'],
    [['', '13', 'C'], '13C'],
    [['106'], '106'],
  ])('%j is read as %s, wherever a form of workbook has it', async (parts, wanted) => {
    const found = [await inCell(parts), await shared(parts), await inOds(parts), await inXls(parts)];
    expect(found).toEqual(Array(4).fill(wanted));
  });

  it('stands above the line of an OpenDocument by a word or by how far; below it, it is lowered', async () => {
    expect(await inOds(['10', '6'], '33% 58%')).toBe('10⁶');
    expect(await inOds(['log 10', '2'], '-8% 58%')).toBe('log 102');
    expect(await inOds(['10', '6'], '0% 100%')).toBe('106');
  });

  it('has the font of its own number in a binary workbook, and none where it has no runs', async () => {
    expect(await inXls(['10', '6'], 2)).toBe('10⁶');
    expect(await inXls(['10', '6'], 9)).toBe('106');
    expect(await inXls(['106'])).toBe('106');
  });

  it('has a sign for each of its own', () => {
    expect(withRaised('1', '0123456789')).toBe('1⁰¹²³⁴⁵⁶⁷⁸⁹');
    expect(withRaised('1', '+2')).toBe('1⁺²');
    expect(withRaised('1', '–2 ')).toBe('1⁻² ');
    expect(withRaised('', '2')).toBe('2');
  });
});

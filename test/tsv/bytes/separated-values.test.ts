/** Sheets separated by commas and semicolons. */
import { describe, expect, it } from 'vitest';
import { SeparatedValues } from '../../../src/tsv/bytes/separated-values.js';
import { ROW_LIMIT } from '../../../src/tsv/dialect.js';
import { readSheet, refusal } from '../read-sheet.js';

const HEADER = ['Sample Name', 'Release Date', 'Characteristics[x]', 'Characteristics[y]', 'Sample Identifier'];

describe('a sheet separated by commas or semicolons', () => {
  it('is refused where a quote opens that is never closed, by line and by column', async () => {
    const text = `${HEADER.join(',')}\na,2024-05-01,fine\n\n"b\nc",2024-05-01,x,"never, ever\nd,2024-05-01,lost\n`;
    const { code, line, column, message } = await refusal(text, { pieces: [7] });
    expect({ code, line, column }).toEqual({ code: 'file.quote-unclosed', line: 5, column: 'D' });
    expect(message).toContain('"never, ever');
  });

  it('names the line of bytes that are no text, behind a row that waits for its quote', async () => {
    const row = `"a\n${'b'.repeat(600_000)}\n`;
    const text = Buffer.concat([Buffer.from(`${HEADER.join(',')}\n${row}`), Buffer.from([0x41, 0xff, 0x0a])]);
    expect(await refusal(text, { pieces: [600_100] })).toMatchObject({ code: 'file.encoding', line: 4 });
  });

  it('need not close a quote that is none by its own delimiter', async () => {
    const { samples } = await readSheet(`${HEADER.join(';')}\na;2024-05-01;b,"c\n`);
    expect(samples.map(({ content }) => content.characteristics.x?.[0]?.text)).toEqual(['b,"c']);
  });
});

describe('a cell in quotes with blanks around it', () => {
  const cells = (text: string, delimiter: ',' | ';' | '|' = ','): string =>
    new SeparatedValues(delimiter).toTabs(text, true);

  it('is what stands in the quotes', () => {
    expect(cells('"a", "b c" ,  "d, ""e"""\r\n "f", "" ,g\n')).toBe('a\tb c\td, "e"\nf\t\tg\n');
    expect(cells('"a" ; "b;c"', ';')).toBe('a\tb;c\n');
  });

  it.each<[string, string, ',' | '|']>([
    ['not around all of it', 'a, "b" c, 5" d', ','],
    ['not closed on its line', 'a, "b ,c', ','],
    ['ditto marks', 'a, ", x, " , y', ','],
    ['between bars', ' "a" | b ', '|'],
  ])('is as it is written where quotes are %s', (_, text, delimiter) => {
    expect(cells(`${text}\n`, delimiter)).toBe(`${text.replaceAll(delimiter, '\t')}\n`);
  });

  it('keeps what runs over lines as it is', () => {
    expect(cells('"a", "b,c\nd, e" ,f\n')).toBe('a\t "b\tc\nd\t e" \tf\n');
    expect(cells('"a\nb",c\n')).toBe('"a\nb"\tc\n');
  });

  it('is the same wherever the text is cut, its header too', async () => {
    const text =
      '"Sample Name", "Release Date", "Characteristics[x]", "Characteristics[y]"\n"A", "2024-05-01", "Homo, sapiens", "say ""hi"""\n';
    for (let piece = 1; piece < text.length; piece += 7) {
      const { samples } = await readSheet(text, { pieces: [piece] });
      expect(samples.map(({ content }) => content.characteristics)).toEqual([
        { x: [{ text: 'Homo, sapiens' }], y: [{ text: 'say "hi"' }] },
      ]);
    }
  });
});

describe('rows given with TABs', () => {
  it('come with a cell that is never closed once a row may not be longer', () => {
    const cell = `"${'b'.repeat(ROW_LIMIT - 2)}\n`;
    const values = new SeparatedValues(',');
    expect(values.toTabs(`a,${cell}`, false)).toBe('');
    const given = values.toTabs('\n', false);
    expect(given.length).toBe(2 + cell.length + 1);
    expect(given.startsWith('a\t"b')).toBe(true);
  });

  it('have their line ends, also where they are blank', () => {
    const tabbed = (text: string): string => new SeparatedValues(',').toTabs(text, true);
    expect([tabbed('\r\n\n\r'), tabbed('a\r\n\rb\r'), tabbed('a\r""\nb')]).toEqual(['\n\n\n', 'a\n\nb\n', 'a\n\nb\n']);
  });

  it('come when they are complete; the rest waits with its line breaks', () => {
    const values = new SeparatedValues(',');
    expect(values.toTabs('a,b\n\nc,"d\n', false)).toBe('a\tb\n\n');
    expect(values.waiting).toBe('c\t"d\n');
    expect(values.toTabs('e\n', false)).toBe('');
    expect(values.toTabs('f",g\th\n', true)).toBe('c\t"d\ne\nf"\t"g\th"\n');
    expect(values.waiting).toBe('');
  });
});

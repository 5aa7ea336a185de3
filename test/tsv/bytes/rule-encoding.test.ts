import { describe, expect, it } from 'vitest';
import { decodingOf } from '../../../src/tsv/bytes/encoding.js';
import { inPieces, readSheet, refusal, rowsOf, table } from '../read-sheet.js';

const SHEET = table(
  ['Sample Name', 'Release Date', 'Characteristics[cell]'],
  ['café', '2024-05-01', 'naïve'],
  ['日本', '2024-05-01', '𝒳 €'],
);

const utf16 = (text: string, big: boolean): Buffer => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  return big ? bytes.swap16() : bytes;
};

const LATIN = table(
  ['Sample Name', 'Release Date', 'Characteristics[cell]'],
  ['caf\u00e9', '2024-05-01', 'na\u00efve'],
);

describe('bytes become text', () => {
  it.each([
    ['UTF-8', Buffer.from(SHEET), 'utf-8'],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${SHEET}`), 'utf-8'],
    ['UTF-16, little end first', utf16(SHEET, false), 'utf-16le'],
    ['UTF-16, big end first', utf16(SHEET, true), 'utf-16be'],
  ])('%s', async (_, bytes, encoding) => {
    const { plan, samples } = await readSheet(bytes, { pieces: [1, 7, 3] });
    expect(plan.encoding).toBe(encoding);
    expect(plan.header[0]).toBe('Sample Name');
    expect(samples.map(({ name }) => name)).toEqual(['café', '日本']);
    expect(samples[1]?.content.characteristics.cell).toEqual([{ text: '𝒳 €' }]);
  });

  it.each([
    ['iso-8859-15', 0xa4, '€'],
    ['latin1', 0x96, '–'],
    ['windows-1252', 0x80, '€'],
    ['macintosh', 0x8e, 'é'],
    ['windows-1251', 0xe6, 'ж'],
    ['ibm850', 0x81, 'ü'],
    ['CP850', 0xe1, 'ß'],
    ['850', 0xfe, '■'],
  ])('a declared %s', async (encoding, byte, character) => {
    const bytes = Buffer.concat([
      Buffer.from('Sample Name\tRelease Date\tCharacteristics[cell]\none\t2024-05-01\t'),
      Buffer.from([byte]),
      Buffer.from('\ntwo\t2024-05-01\tx\n'),
    ]);
    const { samples } = await readSheet(bytes, { header: { encoding } });
    expect(samples[0]?.content.characteristics.cell).toEqual([{ text: character }]);
  });

  it('of two bytes to a character, when declared', async () => {
    const bytes = Buffer.concat([
      Buffer.from('Sample Name\tRelease Date\n'),
      Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]),
      Buffer.from('\t2024-05-01\n'),
    ]);
    const { samples } = await readSheet(bytes, { header: { encoding: 'shift_jis' }, pieces: [26, 1] });
    expect(samples[0]?.name).toBe('テスト');
  });

  it('a byte order mark wins over what is declared', async () => {
    const { plan } = await readSheet(Buffer.from(`\ufeff${SHEET}`), { header: { encoding: 'windows-1252' } });
    expect(plan.encoding).toBe('utf-8');
  });

  it('a byte order mark further down is a character of its cell', async () => {
    const sheet = table(['Sample Name', 'Release Date', 'Characteristics[cell]'], ['a', '2024-05-01', 'x\ufeffy']);
    const { samples } = await readSheet(sheet);
    expect(samples[0]?.content.characteristics.cell).toEqual([{ text: 'x\ufeffy' }]);
  });
});

describe('a block of a file', () => {
  it.each([
    ['utf-8', 1],
    ['windows-1252', 1],
    ['macintosh', 1],
    ['ibm850', 1],
    ['shift_jis', 1],
    ['utf-16le', 2],
    ['utf-16be', 2],
  ])('of %s is cut between units of %s', (encoding, unit) => {
    expect(decodingOf(encoding).unit).toBe(unit);
  });

  it('keeps a byte order mark that it begins with: the file has begun before', () => {
    expect(decodingOf('utf-16le').decode(Buffer.from('\ufeffa', 'utf16le'))).toBe('\ufeffa');
    expect(decodingOf('utf-8').decode(Buffer.from('\ufeffa'))).toBe('\ufeffa');
  });
});

describe('bytes that are no text refuse the file', () => {
  it('with the line, the cell and the byte offset', async () => {
    const bytes = Buffer.from(LATIN, 'latin1');
    const { code, message, line, offset } = await refusal(bytes);
    expect(code).toBe('file.encoding');
    expect(line).toBe(2);
    expect(offset).toBe(bytes.indexOf(0xe9));
    expect(message).toContain('0xE9');
    expect(message).toContain('encoding=');
  });

  it.each(['\n', '\r\n', '\r'])('far down in a large file with line ends %j', async (end) => {
    const header = `Sample Name\tRelease Date${end}`;
    const rows = Array.from({ length: 60_000 }, (_, row) => `sample ${row} é\t2024-05-01${end}`);
    const text = Buffer.from(header + rows.join(''));
    const at = text.indexOf('sample 50000 ') + 13;
    text[at] = 0xff;
    const { code, line, offset } = await refusal(text);
    expect({ code, line, offset }).toEqual({ code: 'file.encoding', line: 50_002, offset: at });
  });

  it('a character cut off by the end of the file', async () => {
    const bytes = Buffer.concat([Buffer.from(table(['Sample Name', 'Release Date'])), Buffer.from([0x61, 0xe2, 0x82])]);
    expect(await refusal(bytes)).toMatchObject({ code: 'file.encoding', line: 2, offset: bytes.length - 2 });
  });

  it.each([
    ['of four bytes', undefined, Buffer.from('𝒳')],
    ['of three bytes', undefined, Buffer.from('日')],
    ['of two bytes in another encoding', 'shift_jis', Buffer.from([0x83, 0x65])],
  ])('behind characters %s, wherever they stand', async (_, encoding, character) => {
    const head = Buffer.from('Sample Name\tRelease Date\n');
    for (let count = 0; count < 40; count++) {
      const characters = Array.from({ length: count }, () => character);
      const bytes = Buffer.concat([head, ...characters, Buffer.from([0x80, 0xff, 0x0a])]);
      const offset = bytes.length - 3;
      expect(await refusal(bytes, encoding === undefined ? {} : { header: { encoding } })).toMatchObject({ offset });
    }
  });

  it('an encoding declared that it is not in', async () => {
    const bytes = Buffer.concat([Buffer.from('Sample Name\tRelease Date\na\t'), Buffer.from([0x80, 0x0a])]);
    expect(await refusal(bytes, { header: { encoding: 'shift_jis' } })).toMatchObject({
      code: 'file.encoding',
      line: 2,
    });
  });

  it('UTF-16 without a byte order mark is named', async () => {
    const { code, message } = await refusal(Buffer.from(SHEET, 'utf16le'));
    expect(code).toBe('file.encoding');
    expect(message).toContain('utf-16le');
  });

  it('an odd byte at the end of UTF-16', async () => {
    expect(await refusal(Buffer.concat([utf16(SHEET, false), Buffer.from([0x41])]))).toMatchObject({
      code: 'file.encoding',
    });
  });

  it('an unknown label is refused by name', async () => {
    const { code, message } = await refusal(SHEET, { header: { encoding: 'klingon' } });
    expect(code).toBe('request.invalid');
    expect(message).toContain('klingon');
  });
});

describe('no character is made up', () => {
  it('wherever the pieces of a large file are cut', async () => {
    const rows = Array.from({ length: 30_000 }, (_, row) => [`名前${row}`, '2024-05-01', '𝒳'.repeat(row % 7)]);
    const sheet = table(['Sample Name', 'Release Date', 'Characteristics[cell]'], ...rows);
    const read = await rowsOf(Buffer.from(sheet), undefined, [65_521]);
    expect(read.map(({ cells }) => cells)).toEqual(rows);
  });

  it('pieces come as they are asked for', async () => {
    const pieces: Buffer[] = [];
    for await (const piece of inPieces(Buffer.from('abcdef'), [1, 2])) pieces.push(piece);
    expect(pieces.map(String)).toEqual(['a', 'bc', 'd', 'ef']);
  });
});

import { describe, expect, it } from 'vitest';
import { codes, readSheet, rowsOf } from '../read-sheet.js';

const header = 'Sample Name\tRelease Date\tCharacteristics[x]';
const cells = (name: string) => `${name}\t2024-05-01\tvalue`;

describe('line ends', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('%s, and none after the last line', async (_, end) => {
    const { samples } = await readSheet([header, cells('a'), cells('b')].join(end));
    expect(samples.map(({ line, name }) => [line, name])).toEqual([
      [2, 'a'],
      [3, 'b'],
    ]);
    expect(samples.every(({ content }) => content.characteristics.x?.[0]?.text === 'value')).toBe(true);
  });

  it('mixed in one file: the header LF, rows CRLF, CR and LF', async () => {
    const text = `${header}\n${cells('a')}\r\n${cells('b')}\r${cells('c')}\n\r${cells('d')}\r\n`;
    const { samples, batches } = await readSheet(text);
    expect(samples.map(({ line, name }) => [line, name])).toEqual([
      [2, 'a'],
      [3, 'b'],
      [4, 'c'],
      [6, 'd'],
    ]);
    expect(batches.at(-1)?.toLine).toBe(6);
  });

  it('a CRLF that two pieces of the file share is one line end', async () => {
    const text = `${header}\r\n${cells('a')}\r\n${cells('b')}\r\n`;
    for (let cut = 1; cut < text.length; cut++) {
      const rows = await rowsOf(text, undefined, [cut, text.length]);
      expect(rows.map(({ line }) => line)).toEqual([2, 3]);
    }
  });

  it.each(['utf-8', 'utf-16le'] as const)('nor do two blocks of a large file part it (%s)', async (encoding) => {
    const text = `${header}\r\n${Array.from({ length: 40_000 }, (_, row) => `${cells(`s${row}`)}\r\n`).join('')}`;
    const bytes = encoding === 'utf-8' ? Buffer.from(text) : Buffer.from(`\ufeff${text}`, 'utf16le');
    const unit = encoding === 'utf-8' ? 1 : 2;
    const afterCr = bytes.indexOf('\r', 600_000, encoding) + unit;
    const rows = await rowsOf(bytes, undefined, [afterCr, bytes.length]);
    expect(rows.map(({ line }) => line)).toEqual(Array.from({ length: 40_000 }, (_, row) => row + 2));
  });

  it('line numbers are true after line breaks inside quoted cells', async () => {
    const text = `${header}\n"a\nb\r\nc\rd"\t2024-05-01\tx\n\nlast\tsoon\tx\n`;
    const { samples, rejected } = await readSheet(text);
    expect(samples.map(({ line, name }) => [line, name])).toEqual([[2, 'a\nb\r\nc\rd']]);
    expect(codes(rejected)).toEqual(['7 release.invalid']);
  });

  it('line breaks above and inside the header count', async () => {
    const text = `\n# made by hand\n"Sample\nName"\tRelease Date\nfirst\t2024-05-01\n`;
    const { plan, samples } = await readSheet(text);
    expect([plan.headerLine, plan.headerEnd]).toEqual([3, 4]);
    expect(samples.map(({ line }) => line)).toEqual([5]);
  });
});

/** The reader against a plain reference, against papaparse and csv-parse, and its two halves against each other, on generated sheets. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { RegistryError } from '../../../src/registry/errors.js';
import { decodeBlocks } from '../../../src/tsv/bytes/decode.js';
import { PlainReader } from '../../../src/tsv/bytes/plain-reader.js';
import { QuotedReader } from '../../../src/tsv/bytes/quoted-reader.js';
import { Row } from '../../../src/tsv/bytes/row.js';
import { RowReader } from '../../../src/tsv/bytes/row-reader.js';
import type { Delimiter } from '../../../src/tsv/dialect.js';
import { runs } from '../../support/seeds.js';
import { inPieces } from '../read-sheet.js';
import { anySpelling, anyTable, spell } from '../sheets.js';
import { type ReferenceRow, referenceRows, Unclosed } from './reference-reader.js';

/** All rows of a text that comes in blocks, as the row reader gives them; the line of an unclosed quote instead. */
function readerRows(blocks: readonly string[], delimiter: Delimiter): ReferenceRow[] | number {
  const reader = new RowReader(delimiter);
  const rows: ReferenceRow[] = [];
  try {
    blocks.forEach((block, at) => {
      reader.load(block, at === blocks.length - 1);
      while (reader.next()) rows.push({ line: reader.row.line, cells: reader.row.toCells() });
    });
  } catch (error) {
    if (error instanceof RegistryError) return error.detail.extra?.line as number;
    throw error;
  }
  return rows;
}

function reference(text: string, delimiter: string): ReferenceRow[] | number {
  try {
    return referenceRows(text, delimiter);
  } catch (error) {
    if (error instanceof Unclosed) return error.line;
    throw error;
  }
}

/** A text cut after some of its line ends, as the decoder cuts: never between CR and LF. */
function cutInBlocks(text: string, choices: readonly boolean[]): string[] {
  const blocks: string[] = [];
  let from = 0;
  let turn = 0;
  for (const end of text.matchAll(/\r\n|\n|\r(?=[\s\S])/g)) {
    if (!choices[turn++ % choices.length]) continue;
    blocks.push(text.slice(from, end.index + end[0].length));
    from = end.index + end[0].length;
  }
  return [...blocks, text.slice(from)];
}

const choices = fc.array(fc.boolean(), { minLength: 1, maxLength: 9 });

describe('the reader agrees', () => {
  it('with the reference on any soup of quotes, tabs and line ends, cut in any blocks', () => {
    const soup = fc.string({ unit: fc.constantFrom('"', '"', '\t', '\n', '\r', 'a', 'b', ' ', 'é'), maxLength: 40 });
    fc.assert(
      fc.property(soup, choices, (text, cuts) => {
        expect(readerRows(cutInBlocks(text, cuts), '\t')).toEqual(reference(text, '\t'));
      }),
      { numRuns: runs(6000) },
    );
  });

  it.each([',', ';'] as const)('with the reference on soup separated by %j', (delimiter) => {
    const soup = fc.string({ unit: fc.constantFrom('"', delimiter, '\n', '\r', '\t', 'a', ' ', 'é'), maxLength: 40 });
    fc.assert(
      fc.property(soup, choices, (text, cuts) => {
        expect(readerRows(cutInBlocks(text, cuts), delimiter)).toEqual(reference(text, delimiter));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('with the reference where an open quote turns out to be a character, and another stands behind it', () => {
    // Found by the soup above: the second quote was looked at from where the search for the first had come.
    const text = '";""\r "\t';
    expect(readerRows(['";""\r', ' "\t'], ';')).toEqual(reference(text, ';'));
  });

  it('with what was meant: tables × line ends × quoting × ragged rows × encodings × pieces', async () => {
    const encoders: [string, (text: string) => Buffer][] = [
      ['utf-8', (text) => Buffer.from(text)],
      ['utf-8', (text) => Buffer.from(`\ufeff${text}`)],
      ['utf-16le', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['utf-16be', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ];
    await fc.assert(
      fc.asyncProperty(
        anyTable,
        anySpelling(),
        fc.constantFrom(...encoders),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        async (table, spelling, [encoding, encode], pieces) => {
          // A byte order mark in front would be taken for the file's own.
          fc.pre(table[0]?.[0]?.startsWith('\ufeff') !== true);
          const reader = new RowReader('\t');
          const rows: string[][] = [];
          const bytes = encode(spell(table, spelling));
          for await (const { text, last } of decodeBlocks(inPieces(bytes, pieces), encoding, () => reader.nextLine)) {
            reader.load(text, last);
            while (reader.next()) rows.push(reader.row.toCells());
          }
          expect(rows).toEqual(table);
        },
      ),
      { numRuns: runs(3000) },
    );
  });

  it('with csv-parse on sheets in which every quoted cell is wholly quoted', () => {
    fc.assert(
      fc.property(anyTable, anySpelling(), choices, (table, spelling, cuts) => {
        const text = spell(table, spelling);
        const theirs = parse(text, {
          delimiter: '\t',
          record_delimiter: ['\r\n', '\n', '\r'],
          relax_quotes: true,
          relax_column_count: true,
        });
        const rows = readerRows(cutInBlocks(text, cuts), '\t') as ReferenceRow[];
        expect(rows.map(({ cells }) => cells)).toEqual(theirs);
      }),
      { numRuns: runs(2000) },
    );
  });

  it.each(['\n', '\r\n', '\r'] as const)('with papaparse on sheets with the line end %j', (newline) => {
    fc.assert(
      fc.property(anyTable, anySpelling([newline]), choices, (table, spelling, cuts) => {
        const text = spell(table, spelling);
        const { data } = Papa.parse<string[]>(text, { delimiter: '\t', newline });
        const theirs = spelling.finalEnd || text.endsWith(newline) ? data.slice(0, -1) : data;
        const rows = readerRows(cutInBlocks(text, cuts), '\t') as ReferenceRow[];
        expect(rows.map(({ cells }) => cells)).toEqual(theirs);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('the plain and the quoted reader agree', () => {
  it('on every text without a quote', () => {
    const soup = fc.string({
      unit: fc.constantFrom('\t', '\n', '\r', 'a', ' ', 'é', '\0'),
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(soup, (text) => {
        expect(plainRows(text)).toEqual(quotedRows(text));
      }),
      { numRuns: runs(3000) },
    );
  });

  it('on rows of more cells than they first made room for', () => {
    const text = `${'x\t'.repeat(500)}end\nshort\n`;
    expect(plainRows(text)).toEqual(quotedRows(text));
  });
});

function plainRows(text: string): string[][] {
  const plain = new PlainReader();
  const row = new Row();
  const rows: string[][] = [];
  plain.load(text);
  for (let at = 0; at < text.length; ) {
    at = plain.read(row, at);
    rows.push(row.toCells());
  }
  return rows;
}

function quotedRows(text: string): string[][] {
  const quoted = new QuotedReader(text, true);
  const row = new Row();
  const rows: string[][] = [];
  for (let at = 0; at < text.length; ) {
    at = quoted.read(row, at, 1);
    rows.push(row.toCells());
  }
  return rows;
}

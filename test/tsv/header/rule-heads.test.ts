/** The first megabyte of a file is read where requests are answered: whatever it is, it is split once by each delimiter. */
import { afterEach, describe, expect, it } from 'vitest';
import { RegistryError } from '../../../src/registry/errors.js';
import { Head } from '../../../src/tsv/bytes/head-rows.js';
import { RowReader } from '../../../src/tsv/bytes/row-reader.js';
import { fold } from '../../../src/tsv/dialect.js';
import { unitOf } from '../../../src/tsv/header/units.js';
import { planOf, refusal, table } from '../read-sheet.js';

const MIB = 1024 * 1024;
const filledWith = (text: string, length = 200_000): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);

/** Characters that readers are given from now on, by their delimiter. */
function countSplit(): Map<string, number> {
  const split = new Map<string, number>();
  RowReader.prototype.load = function (this: RowReader, block, last) {
    split.set(this.delimiter, (split.get(this.delimiter) ?? 0) + block.length);
    return load.call(this, block, last);
  };
  return split;
}

const { load } = RowReader.prototype;
afterEach(() => {
  RowReader.prototype.load = load;
});

describe('the head of a file', () => {
  it.each([
    ['a quote', '"'],
    ['quoted cells', '"a",'],
    ['cells that only begin with a quote', '"a"b;'],
    ['quotes on lines of their own', '"""\n'],
    ['groups of columns above columns', 'A,,B,\nx,y,z,w\n'],
    ['bars', 'a|'],
    ['brackets and blanks', 'a ('],
    ['titles', 'a title\n'],
  ])('is split once by each delimiter, also where it is full of %s', async (_, text) => {
    const split = countSplit();
    const head = filledWith(text);
    await refusal(head);
    expect(split.size).toBeGreaterThan(0);
    for (const [delimiter, characters] of split)
      expect(characters, JSON.stringify(delimiter)).toBeLessThanOrEqual(head.length);
  });

  it('is split for its header, the rows below and what they may mean, at once', () => {
    const rows = Array.from({ length: 300 }, (_, at) => [String(at), `s${at}`, '2024-05-01', '7']);
    const sheet = table(['Sample Name', 'Release Date', 'Age (years)'], ...rows);
    const split = countSplit();
    planOf(sheet, { isNew: true });
    // Whether there is a row of a sample is asked by whoever reads samples: a second time, of the first piece.
    expect(split.get('\t')).toBeLessThanOrEqual(2 * sheet.length);
    expect([...split.keys()]).toEqual(['\t']);
  });

  it.each(['\n', 'a\r', '#\n', 'x,y\r\n'])(
    'is split no further than for 20 000 rows, header and all that is looked for below it: %j',
    { tags: 'bounds' },
    (row) => {
      const rows = row.repeat(50_000);
      for (const delimiter of ['\t', ',']) {
        const split = countSplit();
        const sheet = `Sample Name${delimiter}Release Date${delimiter}x${rows}`.padEnd(2 * MIB, row);
        for (const text of [sheet, rows.padEnd(2 * MIB, row)])
          try {
            planOf(text);
          } catch (error) {
            expect(error).toBeInstanceOf(RegistryError);
          }
        const most = 20_000 * row.length + 4 * 16_384;
        for (const [by, characters] of split) expect(characters, JSON.stringify(by)).toBeLessThanOrEqual(most);
      }
    },
  );

  it.each(['\n', '"\n"\n', ' \t \n'])('has its header among its first rows, blank ones too: %j', async (blank) => {
    const sheet = table(['Sample Name', 'Release Date', 'Characteristics[x]'], ['a', '2024-05-01', 'x']);
    expect(planOf(blank.repeat(9_999) + sheet).header[0]).toBe('Sample Name');
    await expect(refusal(blank.repeat(10_000) + sheet)).resolves.toMatchObject({
      code: 'file.header',
      message: expect.stringContaining('among the first 10000 rows'),
    });
  });

  it('has its units among the first thousand rows below it, remarks too', () => {
    const unitsBelow = (remarks: number): boolean =>
      planOf(
        `Sample Name\tRelease Date\tCharacteristics[mass]\n${'# a remark\n'.repeat(remarks)}\t\tkg\na\t2024-05-01\t7\n`,
      ).headerEnd > 1;
    expect([unitsBelow(0), unitsBelow(999), unitsBelow(1_001)]).toEqual([true, true, false]);
  });

  it('may have a cell of any length, which is no unit for that', () => {
    expect([unitOf(' kg '), unitOf(`kg${' '.repeat(200)}`)]).toEqual(['kg', undefined]);
  });

  it.each([
    ['\t', 16_385, '16385'],
    [',', 16_385, '16385'],
    [';', 70_000, 'at least 65536'],
    ['|', 70_000, 'at least 65536'],
  ] as const)(
    'is refused by a row in front of the header that is wider than any: by %j',
    async (delimiter, cells, said) => {
      const wide = Array.from({ length: cells }, () => 'c').join(delimiter);
      for (const above of ['', 'Our samples\n', '# of the spring\n']) {
        const { code, message, line } = await refusal(
          `${above}${wide}\nSample Name${delimiter}Release Date\na${delimiter}2024-05-01\n`,
        );
        expect({ code, line }).toEqual({ code: 'file.header', line: above === '' ? 1 : 2 });
        expect(message).toContain(`the row has ${said} columns; at most 16384 are read`);
      }
    },
  );

  it('may be wide by a delimiter that is not its own', () => {
    const remarks = Array.from({ length: 20_000 }, () => 'c').join(',');
    expect(planOf(`Sample Name\tRelease Date\tx\na\t2024-05-01\t${remarks}\n`).delimiter).toBe('\t');
    expect(planOf(`${remarks}\nSample Name;Release Date;x\na;2024-05-01;v\n`).delimiter).toBe(';');
  });

  it('gives the same rows to everybody who asks, and the same failure', () => {
    const head = new Head('a,b\n\n"c', true);
    const cells = (): readonly (readonly string[])[] => {
      const seen: (readonly string[])[] = [];
      expect(() => {
        for (const row of head.rows(',')) seen.push(row.cells);
      }).toThrow(expect.objectContaining({ code: 'file.quote-unclosed' }));
      return seen;
    };
    expect(cells()).toEqual([['a', 'b'], []]);
    expect(cells()).toEqual([['a', 'b'], []]);
    expect([...head.rowsBelow({ delimiter: ',', headerEnd: 0 })].map(({ line }) => line)).toEqual([1]);
  });

  it('may hold names of any length, of which case alone makes no difference', () => {
    const long = 'x '.repeat(MIB / 8);
    const header = ['Sample Name', 'Release Date', long, long.toUpperCase(), ' '.repeat(MIB / 8)];
    const plan = planOf(table(header, ['a', '2024-05-01', 'v', 'w']), { unknownColumns: 'characteristics' });
    expect(plan.notStored).toEqual(['E (no header)']);
    expect(plan.fromPlainHeaders.map(({ length }) => length)).toEqual([long.length - 1, long.length - 1]);
    expect(fold(long)).toBe(fold(`${long.toUpperCase()} `));
    expect(fold(' '.repeat(MIB))).toBe('');
    expect(fold(long), 'blanks are not taken out of it').toHaveLength(long.length - 1);
  });
});

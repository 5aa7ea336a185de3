import { describe, expect, it } from 'vitest';
import { issuesOf, readSheet } from '../read-sheet.js';

const ROWS = ['Sample Name,Release Date,organism,age,sex', 'S1,2024-05-01,human,3,f', 'S2,2024-05-01,human,4,m'];

const warningsOf = async (text: string, pieces?: readonly number[]) => {
  const { batches, samples } = await readSheet(text, pieces ? { pieces } : {});
  return {
    names: samples.map(({ name }) => name),
    said: issuesOf(batches.flatMap(({ warnings = [] }) => warnings)).map(({ line, code }) => `${line} ${code}`),
    refused: issuesOf(batches.flatMap(({ rejected }) => rejected)),
  };
};

describe('a file that was cut off within its last row', () => {
  it.each(['\t', ',', ';', '|'])(
    'wherever the cut is, a row that lacks cells is named, cells parted by %j',
    async (delimiter) => {
      const whole = ROWS.map((row) => row.replaceAll(',', delimiter)).join('\n');
      const start = whole.lastIndexOf('\n') + 1;
      for (let end = start + 1; end <= whole.length; end++) {
        const text = whole.slice(0, end);
        const lacks = text.slice(start).split(delimiter).length < 5;
        const { said, refused } = await warningsOf(text, [7]);
        // Without its date the row is refused, for that, and says so all the same.
        const dated = text.slice(start).split(delimiter)[1] === '2024-05-01';
        expect(said, text.slice(start)).toEqual(dated && lacks ? ['3 row.cut-off'] : []);
        const [error, cut] = refused;
        expect([error === undefined, cut?.code]).toEqual([dated, dated || !lacks ? undefined : 'row.cut-off']);
        if (cut) expect(cut.message).not.toContain('taken');
      }
    },
  );

  it('says what it has, what it lacks and what to do', async () => {
    const { batches } = await readSheet(`${ROWS.join('\n').replaceAll(',', '\t')}\nS3\t2024-05-01\thum`);
    expect(batches[0]?.warnings).toMatchObject([
      {
        line: 4,
        name: 'S3',
        issues: [
          {
            code: 'row.cut-off',
            column: 'organism',
            columnLetter: 'C',
            value: 'hum',
            severity: 'warning',
            message:
              'The file ends within this row: it has 3 of 5 cells and no line end, and every row above has all of them. The row was taken as it stands. If the file was cut off, send it whole; otherwise end its last line with a line break.',
          },
        ],
      },
    ]);
  });

  it.each([
    ['a line end behind it', `${ROWS.join('\n')}\nS3,2024-05-01,human\n`],
    ['CRLF behind it', `${ROWS.join('\r\n')}\r\nS3,2024-05-01,human\r\n`],
    ['a blank line behind it', `${ROWS.join('\n')}\nS3,2024-05-01,human\n\n`],
    ['another short row above', `${ROWS.join('\n')}\nS3,2024-05-01,human\nS4,2024-05-01,human`],
    ['no row above', `${ROWS[0]}\nS1,2024-05-01,human`],
    ['all cells, though empty', `${ROWS.join('\n')}\nS3,2024-05-01,,,`],
    ['a remark behind it', `${ROWS.join('\n')}\n# end`],
  ])('a row with %s is only short', async (_, csv) => {
    for (const delimiter of [',', '\t']) {
      expect((await warningsOf(csv.replaceAll(',', delimiter))).said).toEqual([]);
    }
  });
});

/** Cells that are merged over rows, in every form of workbook: each row has the value that it is shown with. */
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../src/workbooks/limits.js';
import { MergedCells, MergedSink, mergedInXml } from '../../src/workbooks/merged-cells.js';
import type { CellContent } from '../../src/workbooks/sheet.js';
import { binaryWorkbook, label, record, u16 } from './raw-binary-workbook.js';
import { HEADER, rawWorkbook, removeScratch, textRow } from './raw-workbook.js';
import { readWorkbook as read } from './read-workbook.js';

afterEach(removeScratch);
afterEach(() => void vi.restoreAllMocks());

describe('cells merged over several rows', () => {
  it.each(['ods', 'xlsx', 'xls'])(
    'saved by LibreOffice as .%s: in header and rows, where a row has a cell of its own',
    async (form) => {
      const { tsv, notes } = await read(join(import.meta.dirname, 'made-by-libreoffice', `merged.${form}`));
      expect(tsv.split('\n')).toEqual([
        'Mice of 2024',
        'Sample Name\tMouse\t\tDay 0\t\tRelease Date',
        'Sample Name\tCage\tSex\tweight\tnote\tRelease Date',
        'm1\tA\tmale\t20.5\tran\t2024-01-01',
        'm2\tA\tmale\t21\tran\t2024-01-01',
        'm3\tA\tfemale\t19\t\t2024-01-01',
        'm4\t7\tmale\t22\trests\t2024-01-01',
        '\t\t\tbelow',
        '',
        '',
        '# end',
        '',
      ]);
      expect(notes).toEqual({ merged: 11, formulas: 0, hiddenRows: 0 });
    },
  );

  const tsvOf = async (rows: string, ranges: string): Promise<string> =>
    (await read(await rawWorkbook([{ data: HEADER + rows, after: `<mergeCells>${ranges}</mergeCells>` }]))).tsv.replace(
      'Sample Name\tCharacteristics[a]\n',
      '',
    );
  const range = (ref: string): string => `<mergeCell ref="${ref}"/>`;
  const SHORT = textRow(2, 'S1', 'x', 'y', 'z') + textRow(3, 'S2') + textRow(4, 'S3', '', '', 'own');

  it.each<[string, string, string]>([
    ['behind the last cell of their rows', range('D2:D3'), 'S1\tx\ty\tz\nS2\t\t\tz\nS3\t\t\town\n'],
    ['several, in any order', range('C2:C4') + range('B2:B3'), 'S1\tx\ty\tz\nS2\tx\ty\nS3\t\ty\town\n'],
    ['and over columns: in the first of them', range('B2:C3'), 'S1\tx\ty\tz\nS2\tx\nS3\t\t\town\n'],
    ['but for cells that hold something all the same', range('D2:D4'), 'S1\tx\ty\tz\nS2\t\t\tz\nS3\t\t\town\n'],
    ['with nothing in the first of them', range('E2:E4'), 'S1\tx\ty\tz\nS2\nS3\t\t\town\n'],
    ['of one row', range('B2:D2'), 'S1\tx\ty\tz\nS2\nS3\t\t\town\n'],
    [
      'upside down, or out of the sheet',
      range('B3:B2') + range('ZZZ2:ZZZ9') + range('B9:B12'),
      'S1\tx\ty\tz\nS2\nS3\t\t\town\n',
    ],
    ['beyond the last row', range('B2:B900'), 'S1\tx\ty\tz\nS2\tx\nS3\tx\t\town\n'],
    ['one over another', range('B2:B4') + range('B2:B3'), 'S1\tx\ty\tz\nS2\tx\nS3\t\t\town\n'],
    [
      'however their tags are written',
      `<x:mergeCell xmlns:x="m"\n r='1' ref = '$B$2:$B$3' ></x:mergeCell>`,
      'S1\tx\ty\tz\nS2\tx\nS3\t\t\town\n',
    ],
  ])('%s', async (_, ranges, tsv) => {
    expect(await tsvOf(SHORT.replace('<c r="B4" t="inlineStr"><is><t></t></is></c>', ''), ranges)).toBe(tsv);
  });

  it('wherever the pieces of the sheet are cut', async () => {
    const sheet = Buffer.from(`<sheetData/><mergeCells>${range('B2:B3')}${range('AB10:AC1048576')}</mergeCells><x/>`);
    for (let cut = 1; cut < sheet.length; cut++) {
      const pieces = [sheet.subarray(0, cut), sheet.subarray(cut)];
      const cells = await mergedInXml(
        (async function* () {
          yield* pieces;
        })(),
        'S',
      );
      expect([cells.take(2), cells.take(10)]).toEqual([new Map([[2, 3]]), new Map([[28, 1_048_576]])]);
      expect(cells.take(2)).toBeUndefined();
    }
  });

  it('of a binary workbook that says more of them than it has is refused', async () => {
    const cells = [label(0, 0, 'Sample Name'), label(1, 0, 'S1'), label(2, 1, 'x')];
    const honest = binaryWorkbook([{ records: [...cells, record(0xe5, u16(1, 1, 2, 0, 0))] }]);
    expect((await read(honest)).tsv).toBe('Sample Name\nS1\nS1\tx\n');
    const cut = binaryWorkbook([{ records: [...cells, record(0xe5, u16(2, 1, 2, 0, 0))] }]);
    await expect(read(cut)).rejects.toMatchObject({ code: 'file.not-understood' });
  });

  it('are bounded in number, and in cells that they fill', { tags: 'slow' }, () => {
    const cells = new MergedCells('S');
    for (let row = 1; row <= LIMITS.merged; row++) cells.add({ row, column: 1, lastRow: row + 1 });
    cells.add({ row: 1, column: 2, lastRow: 1 });
    expect(() => cells.add({ row: 1, column: 2, lastRow: 2 })).toThrow(/more than 100000 cells that are merged/);
    const wide = new MergedCells('S');
    let given = 0;
    const sink = new MergedSink({ row() {}, cell: () => void given++ }, wide, 'S');
    for (let column = 2; column <= LIMITS.columns; column++) wide.add({ row: 1, column, lastRow: LIMITS.rows });
    const text: CellContent = { text: 'x' };
    for (let column = 1; column <= LIMITS.columns; column++) sink.cell(1, column, text);
    expect(() => {
      for (let row = 2; row <= LIMITS.rows; row++) sink.cell(row, 1, text);
    }).toThrow(/more merged cells than are read/);
    expect(given).toBeLessThan(LIMITS.cells + 2 * LIMITS.columns);
  });
});

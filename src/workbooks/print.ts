/** Tables of the service as .xlsx. */

import { AUTHOR } from './author.js';
import { LIMITS } from './limits.js';
import type { CellStyle } from './ooxml.js';
import { type WrittenCell, writeWorkbook } from './write.js';

const WIDTH = 22;
const COLUMNS = 60;

const STYLES: Record<'header' | 'error' | 'warning', CellStyle> = {
  header: 'header',
  error: 'bad',
  warning: 'doubtful',
};

/** Longest text of a cell that Excel opens. */
const CELL_TEXT = 32_767;
const SHEET_LIMITS = { rows: LIMITS.rows, columns: LIMITS.columns, cells: LIMITS.cells, cellText: CELL_TEXT };

/** Rows whose cells may be marked and commented, the first a header that stays in view. */
export const MARKED_WORKBOOK = {
  limits: SHEET_LIMITS,
  print(
    rows: AsyncIterable<readonly { text: string; mark?: 'header' | 'error' | 'warning'; comment?: string }[]>,
    { name, commented }: { name: string; commented: boolean },
  ): AsyncIterable<Buffer> {
    async function* styled(): AsyncGenerator<WrittenCell[]> {
      for await (const row of rows) {
        yield row.map(({ text, mark, comment }) => ({
          text,
          ...(mark === undefined ? {} : { style: STYLES[mark] }),
          ...(comment === undefined ? {} : { comment }),
        }));
      }
    }
    const widths = Array<number>(COLUMNS).fill(WIDTH);
    return writeWorkbook([{ name, rows: styled(), widths, frozenRows: 1, commented }], AUTHOR);
  },
};

/** Samples to edit: the first row is a header. */
export const SAMPLE_WORKBOOK = {
  limits: SHEET_LIMITS,
  print(rows: AsyncIterable<string[]>, columns: number): AsyncIterable<Buffer> {
    async function* cells(): AsyncGenerator<WrittenCell[]> {
      let header = true;
      for await (const row of rows) {
        yield row.map((text) => (header ? { text, style: 'header' } : { text }));
        header = false;
      }
    }
    const widths = Array<number>(columns).fill(WIDTH);
    return writeWorkbook([{ name: 'Samples', rows: cells(), widths, frozenRows: 1 }], AUTHOR);
  },
};

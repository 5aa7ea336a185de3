/** Rows of whole results that are copied as bytes are those that are printed cell by cell. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CellBytes } from '../../src/exports/cell-bytes.js';
import { SheetLines } from '../../src/exports/sheet-lines.js';
import { emptyLayout } from '../../src/registry/samples/packed-sample.js';
import { printCommaRow, printRow } from '../../src/tsv/print/print-row.js';
import { SheetColumns } from '../../src/tsv/print/sheet-columns.js';
import { runs } from '../support/seeds.js';

const PRINT = { tsv: printRow, csv: printCommaRow };
const layout = {
  ...emptyLayout(),
  cells: 4,
  characteristics: [
    { name: 'organism', text: 0 },
    { name: 'age', text: 1, unit: 2 },
    { name: 'note', text: 3 },
  ],
};
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      'liver',
      'frozen, at -80',
      ',',
      ',,',
      '-5',
      'é',
      '海水',
      '\u00a0x',
      'x\u00a0',
      '😀',
      'SAMR1',
    ),
  },
  fc.constantFrom(
    '=1+1',
    '@SUM',
    '+a',
    '-a',
    '＝1',
    '"',
    'a"b',
    'a\nb',
    '\ra',
    '[clear]',
    '[Clear',
    'x[clear]',
    '\u0000',
  ),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);
const stored = text.map((any) => any.replaceAll('\t', ' ').trim());
const row = fc.record({
  id: fc.constantFrom(1, 17, 2 ** 40),
  account: fc.constantFrom('ada', 'bob'),
  name: fc.oneof({ weight: 3, arbitrary: fc.constantFrom('s 1', 's, 2', '') }, text, fc.constant('a\tb')),
  release: fc.constantFrom(0, Date.UTC(9999, 11, 31)),
  cells: fc.array(stored, { minLength: 1, maxLength: 4 }),
});

it.each(['tsv', 'csv'] as const)('as %s', (format) => {
  const columns = new SheetColumns();
  columns.addLayout(layout);
  const sheet = columns.finish('SAMR');
  const common = { via: 'FILE_UPLOADER', created: 5, updated: 6, submitted: 7, adminStatus: undefined } as const;
  let put = 0;
  let among = 0;
  fc.assert(
    fc.property(row, ({ cells, ...own }) => {
      const settings = { prefix: 'SAMR', keepsFormulas: false, account: 'ada', maxCell: Number.POSITIVE_INFINITY };
      const lines = new SheetLines(sheet, settings);
      const doc = cells.join('\t');
      const bytes = Buffer.from(`x${own.name}${doc}y`);
      const at = 1 + Buffer.byteLength(own.name);
      const sample = { ...common, ...own, layout, doc, bytes: { bytes, name: 1, doc: at, end: bytes.length - 1 } };
      const room = Buffer.alloc(1_000, 'z');
      const end = lines.put(sample, new CellBytes(format), room, 2);
      among++;
      if (end === -1) return;
      put++;
      expect(room.toString('utf8', 2, end)).toBe(lines.line(sample, PRINT[format]));
      expect(lines.takeLeftOut()).toEqual({ named: [], further: 0 });
    }),
    { numRuns: runs(3_000) },
  );
  // Nothing is gained where most rows have to be printed cell by cell.
  expect(put).toBeGreaterThan(among / 5);
});

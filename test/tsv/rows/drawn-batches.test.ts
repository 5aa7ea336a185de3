/** Every line in one batch, the same rows however the file is cut. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../support/seeds.js';
import { expectNoHoles } from '../no-holes.js';
import { readSheet, samplesOf } from '../read-sheet.js';
import { anySpelling, spell } from '../sheets.js';

const D = '2024-05-01';
const HEADER = ['Sample Name', 'Release Date', 'Characteristics[x]', 'Unit', 'Comment[note]', 'Characteristics[y]'];

const cell = fc.constantFrom('', 'v', ' padded ', '"', 'a\tb', 'two\nlines', '日本', '5" pipe');
const anyRow = fc.tuple(
  fc.constantFrom('', 'n', 'n', 'n', 'n'),
  fc.constantFrom(D, D, D, 'soon'),
  cell,
  cell,
  cell,
  cell,
);
const anyRows = fc.array(fc.oneof({ weight: 8, arbitrary: anyRow }, fc.constantFrom([''], ['# note'])), {
  maxLength: 30,
});

describe('batches', () => {
  it('cover every line once and hold the same rows, whatever the batch size, the pieces and the place of a restart', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyRows,
        anySpelling(),
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 3 }),
        async (rows, spelling, batchRows, pieces) => {
          const named = rows.map((cells, at) => (cells[0] === 'n' ? [`n${at}`, ...cells.slice(1)] : cells));
          const text = spell([HEADER, ...named, ['end', D]], spelling);
          const whole = await readSheet(text);
          const lines = whole.batches.at(-1)!.toLine;
          expectNoHoles(whole, 2, lines);
          expect(whole.batches.at(-1)?.bytesRead).toBe(Buffer.byteLength(text));
          const cut = await readSheet(text, { read: { batchRows }, pieces });
          expectNoHoles(cut, 2, lines);
          expect(cut.batches.every(({ count }) => count <= batchRows)).toBe(true);
          expect(cut.samples).toEqual(whole.samples);
          expect(cut.rejected).toEqual(whole.rejected);
          const first = cut.batches[0]!;
          const rest = await readSheet(text, { read: { fromLine: first.toLine } });
          if (first.toLine < lines) expectNoHoles(rest, first.toLine + 1, lines);
          expect([...samplesOf(first), ...rest.samples]).toEqual(whole.samples);
          expect([...first.rejected, ...rest.rejected]).toEqual(whole.rejected);
        },
      ),
      { numRuns: runs(400) },
    );
  });
});

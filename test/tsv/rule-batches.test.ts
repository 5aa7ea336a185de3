/** What the store and the ledger rely on: every line in one batch, the same rows however the file is cut. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../support/seeds.js';
import { type ReadSheet, readSheet, samplesOf, table } from './read-sheet.js';
import { anySpelling, spell } from './sheets.js';

const D = '2024-05-01';
const HEADER = ['Sample Name', 'Release Date', 'Characteristics[x]', 'Unit', 'Comment[note]', 'Characteristics[y]'];

function expectNoHoles({ batches }: ReadSheet, fromLine: number, lastLine: number): void {
  let next = fromLine;
  let bytes = 0;
  for (const batch of batches) {
    expect(batch.fromLine).toBe(next);
    expect(batch.toLine).toBeGreaterThanOrEqual(batch.fromLine);
    expect(batch.bytesRead).toBeGreaterThanOrEqual(bytes);
    for (const line of [...batch.lines, ...batch.rejected.map((row) => row.line)]) {
      expect(line).toBeGreaterThanOrEqual(batch.fromLine);
      expect(line).toBeLessThanOrEqual(batch.toLine);
    }
    next = batch.toLine + 1;
    bytes = batch.bytesRead;
  }
  expect(next).toBe(lastLine + 1);
}

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
  it('are handed over when their rows have very many problems, however few the rows', async () => {
    const columns = Array.from({ length: 500 }, (_, at) => `Comment[bsd_relationship:derived from ${at}]`);
    const rows = Array.from({ length: 40 }, (_, row) => [
      `n${row}`,
      D,
      ...columns.map((_c, at) => `nobody ${row} ${at}`),
    ]);
    const sheet = await readSheet(table(['Sample Name', 'Release Date', ...columns], ...rows));
    const issues = sheet.batches.map(({ rejected }) => rejected.reduce((sum, row) => sum + row.issues.length, 0));
    expect(issues.reduce((sum, count) => sum + count, 0)).toBe(40 * 500);
    expect(Math.max(...issues)).toBe(2_000);
    expectNoHoles(sheet, 2, 41);
  });

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

  it('are cut at the number of good rows, and at as many bad ones', async () => {
    const good = Array.from({ length: 25 }, (_, row) => [`s${row}`, D]);
    const bad = Array.from({ length: 25 }, () => ['', 'soon']);
    const { batches } = await readSheet(table(HEADER, ...good, ...bad), { read: { batchRows: 10 } });
    expect(batches.map(({ count, rejected }) => [count, rejected.length])).toEqual([
      [10, 0],
      [10, 0],
      [5, 10],
      [0, 10],
      [0, 5],
    ]);
  });

  it('point straight into the file’s text where the cells stand as they are', async () => {
    const rows = Array.from({ length: 50 }, (_, row) => [`s${row}`, D, `value ${row}`, 'g']);
    const text = table(HEADER.slice(0, 4), ...rows);
    const { batches } = await readSheet(text);
    expect(text).toContain(batches[0]?.text);
    const padded = await readSheet(text.replace('value 7', ' value 7 '));
    expect(padded.samples).toEqual((await readSheet(text)).samples);
  });

  it('survive being posted to another thread', async () => {
    const { batches, samples } = await readSheet(table(HEADER, ['a', D, '"x\ty"'], ['b', 'soon']));
    const posted = structuredClone(batches);
    expect(posted).toEqual(batches);
    expect(samplesOf(posted[0]!)).toEqual(samples);
  });

  it('a batch ends early when its text grows large', async () => {
    const rows = Array.from({ length: 100 }, (_, row) => [`s${row}`, D, 'x'.repeat(90_000)]);
    const { batches, samples } = await readSheet(table(HEADER, ...rows));
    expect(batches.length).toBeGreaterThan(1);
    expect(samples).toHaveLength(100);
  });
});

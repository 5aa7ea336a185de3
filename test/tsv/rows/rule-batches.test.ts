/** What the store and the ledger rely on: every line in one batch, the same rows however the file is cut. */
import { describe, expect, it } from 'vitest';
import { SHORT_TEXT } from '../../../src/registry/samples/sample-batch.js';
import { expectNoHoles } from '../no-holes.js';
import { readSheet, samplesOf, table } from '../read-sheet.js';

const D = '2024-05-01';
const HEADER = ['Sample Name', 'Release Date', 'Characteristics[x]', 'Unit', 'Comment[note]', 'Characteristics[y]'];

describe('batches', () => {
  it('are handed over when their rows have very many problems, however few the rows', async () => {
    const columns = Array.from({ length: 250 }, (_, at) => `Comment[bsd_relationship:derived from ${at}]`);
    const rows = Array.from({ length: 40 }, (_, row) => [
      `n${row}`,
      D,
      ...columns.map((_c, at) => `nobody ${row} ${at}`),
    ]);
    const sheet = await readSheet(table(['Sample Name', 'Release Date', ...columns], ...rows));
    const issues = sheet.batches.map(({ rejected }) => rejected.reduce((sum, row) => sum + row.issues.length, 0));
    expect(issues.reduce((sum, count) => sum + count, 0)).toBe(40 * 250);
    expect(Math.max(...issues)).toBe(2_000);
    expectNoHoles(sheet, 2, 41);
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
    expect(batches.map(({ texts }) => texts.length)).toEqual([1]);
    expect(text).toContain(batches[0]?.texts[0]);
    const padded = await readSheet(text.replace('value 7', ' value 7 '));
    expect(padded.samples).toEqual((await readSheet(text)).samples);
  });

  it('have short texts, whether rows stand in the file as they are or are spelled anew', async () => {
    const rows = Array.from({ length: 4000 }, (_, row) => [
      `s${row}`,
      D,
      `${row % 3 === 0 ? ' ' : ''}${'liver '.repeat(20)}${row}`,
    ]);
    const { batches, samples } = await readSheet(table(HEADER.slice(0, 3), ...rows), { read: { batchRows: 2500 } });
    expect(batches.map(({ count }) => count)).toEqual([2500, 1500]);
    for (const { texts } of batches)
      expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(SHORT_TEXT);
    expect(samples.map(({ name }) => name)).toEqual(rows.map(([name]) => name));
    expect(samples.map(({ content }) => Object.values(content.characteristics)[0]?.[0]?.text)).toEqual(
      rows.map(([, , value]) => value?.trim()),
    );
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

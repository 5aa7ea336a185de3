/** Checks between cells: true cases are found, harmless ones left alone, in sheets as the reader hands them over. */
import { describe, expect, it } from 'vitest';
import { SENSE_CODES } from '../../src/registry/issue-codes.js';
import type { Issue } from '../../src/registry/sample-batch.js';
import { readSheet } from '../tsv/read-sheet.js';
import { SENSE_CASES } from './sense-cases.js';
import { saidOf } from './sensed.js';

const show = (sheet: readonly string[], issues: readonly Issue[]): string =>
  `${sheet.slice(0, 4).join(' // ')}\n${issues.map(({ code, message }) => `  ${code} ${message}`).join('\n')}`;

describe.each(SENSE_CODES)('%s', (code) => {
  const { wrong, harmless } = SENSE_CASES[code];

  it('finds all of 20 true cases', async () => {
    expect(wrong).toHaveLength(20);
    const missed: string[] = [];
    for (const sheet of wrong) {
      const issues = await saidOf(sheet);
      if (!issues.some((issue) => issue.code === code)) missed.push(show(sheet, issues));
      expect(issues.every(({ severity }) => severity === 'warning')).toBe(true);
    }
    expect(missed).toEqual([]);
  });

  it('flags at most one of 20 harmless cases, and no check flags those of another', async () => {
    expect(harmless).toHaveLength(20);
    const flagged: string[] = [];
    for (const sheet of harmless) {
      const issues = await saidOf(sheet);
      if (issues.length > 0) flagged.push(show(sheet, issues));
    }
    expect(flagged.length, flagged.join('\n')).toBeLessThanOrEqual(1);
  });
});

it('an equal row is found behind hundreds of others, and one that has more of its own is not', async () => {
  const rows = Array.from({ length: 400 }, (_, at) => `B-${at}|${at % 7}|liver`);
  const issues = await saidOf(['barcode|rack|tissue', ...rows, rows[12] as string, 'B-300|9|liver'], 100);
  expect(issues).toEqual([expect.objectContaining({ code: 'suspect.repeated' })]);
  expect(issues[0]?.message).toContain('line 14');
});

it('a sum below a long sheet is found at its line, where only some of the rows are looked at', async () => {
  const rows = Array.from({ length: 7_000 }, (_, at) => `A${at}|${at}`);
  const issues = await saidOf(['Sample Name|weight', ...rows, 'Total|24496500', 'Note: weighed wet|']);
  expect(issues.map(({ line, code }) => [line, code])).toEqual([
    [7_002, 'suspect.name'],
    [7_003, 'suspect.name'],
  ]);
});

it('names that patterns could be tried on for ever are passed over at once', async () => {
  const hostile = ['Total', 'Mean (n)', 'n =', 'geographic location', 'Note', 'A', '7'].flatMap((word) =>
    [' ', ' \u00a0', '1', ' 1', '(', '[', ','].map((fill) => `${word}${fill.repeat(290).slice(0, 290 - word.length)}x`),
  );
  const rows = Array.from({ length: 20_000 }, (_, at) => `${hostile[at % hostile.length]}${at}|1`);
  const issues = await saidOf(['Sample Name|weight', 'A1|1', ...rows]);
  expect(new Set(issues.map(({ code }) => code))).toEqual(new Set(['suspect.name']));
});

it('a check that compares rows sees those before the line from which a file is read on', async () => {
  const seen: number[] = [];
  const check = (line: number) => {
    seen.push(line);
    return [];
  };
  const sheet = 'Sample Name\tRelease Date\nA\t2024-01-01\nB\t2024-01-01\nC\t2024-01-01\n';
  const { samples } = await readSheet(sheet, { read: { fromLine: 3, check } });
  expect(samples.map(({ name }) => name)).toEqual(['C']);
  expect(seen.slice(-3)).toEqual([2, 3, 4]);
});

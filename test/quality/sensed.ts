/** What the checks between cells say of a sheet, as the reader hands it over. */
import { expect } from 'vitest';
import type { Issue } from '../../src/registry/samples/sample-batch.js';
import { checkedSheet } from '../../src/tsv/header/cell-place.js';
import { Sense } from '../../src/tsv/quality/sense/sense.js';
import { readSheet } from '../tsv/read-sheet.js';

export const NOW = Date.parse('2025-06-01T12:00:00Z');

/** The header and the rows, cells parted by `|`. The first column is the Sample Name unless it is given; names are S1, S2… then. */
export async function saidOf([header = '', ...rows]: readonly string[], batchRows = 1000): Promise<Issue[]> {
  const named = header.includes('Sample Name');
  const sheet = [
    named ? header : `Sample Name|${header}`,
    ...rows.map((row, at) => (named ? row : `S${at + 1}|${row}`)),
  ].map((row) => `${row.replaceAll('|', '\t')}\n`);
  const { plan, batches, rejected } = await readSheet(sheet.join(''), {
    header: { unknownColumns: 'characteristics', releaseDate: Date.parse('2026-01-01') },
    read: { batchRows },
  });
  expect(rejected).toEqual([]);
  const sense = new Sense(checkedSheet(plan), NOW);
  return batches.flatMap((batch) => sense.inspect(batch).flatMap(({ issues }) => issues));
}

/** Line, message and suggestion of each. */
export const inWords = (issues: readonly Issue[]): string[] =>
  issues.map(({ line, message, suggestion }) =>
    suggestion === undefined ? `${line}: ${message}` : `${line}: ${message} -> ${suggestion}`,
  );

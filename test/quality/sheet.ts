/** Rows of text as the batches that the reader makes of them. */
import type { Issue, SampleBatch } from '../../src/registry/samples/sample-batch.js';
import { columnLetter } from '../../src/tsv/dialect.js';
import { Warnings } from '../../src/tsv/quality/warnings.js';

export function batchOf(rows: readonly (readonly string[])[], firstLine = 2): SampleBatch {
  const count = rows.length;
  const batch: SampleBatch = {
    fromLine: firstLine,
    toLine: firstLine + count - 1,
    bytesRead: 0,
    count,
    texts: [''],
    spans: new Uint32Array(count * 4),
    lines: new Uint32Array(count),
    releases: new Float64Array(count),
    ids: new Float64Array(count),
    documents: new Map(),
    rejected: [],
  };
  let at = 0;
  rows.forEach(([name = '', ...cells], row) => {
    const packed = cells.join('\t').length;
    batch.spans.set([at, at + name.length, at + name.length + 1, at + name.length + 1 + packed], row * 4);
    batch.lines[row] = firstLine + row;
    at += name.length + 2 + packed;
  });
  batch.texts = [rows.map((row) => row.join('\t')).join('\n')];
  return batch;
}

/** Every warning of a sheet whose first column is the name, read in batches of this many rows. */
export function warningsOf(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  batchRows = 1000,
): Issue[] {
  const [name, ...cells] = headers.map((header, i) => ({ column: header, columnLetter: columnLetter(i) }));
  const warnings = new Warnings(cells, name ?? { column: '', columnLetter: 'A' });
  const issues: Issue[] = [];
  for (let at = 0; at < rows.length; at += batchRows) {
    for (const row of warnings.inspect(batchOf(rows.slice(at, at + batchRows), at + 2))) issues.push(...row.issues);
  }
  return issues;
}

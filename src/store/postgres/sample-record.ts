/** Samples with all that their visible content depends on, many at a time. */
import type { SampleRecord } from '../../registry/sample-store.js';
import { readLinks, readTables } from './annotations.js';
import type { Names } from './names.js';
import { type JoinedSample, readSampleRow, samplesFrom } from './sample-rows.js';
import type { Reader } from './submission-rows.js';
import { numberArray } from './text.js';

/** In the order of `ids`, those left out that there are not; in a transaction that reads, all of one snapshot. */
export async function readRecords(
  reader: Reader,
  names: Names,
  ids: readonly number[],
  { lock = false } = {},
): Promise<SampleRecord[]> {
  if (ids.length === 0) return [];
  const asked = numberArray(ids);
  const rows = await reader.rows<JoinedSample>(
    `${samplesFrom('sample')} where x.id = any($1::bigint[]) ${lock ? 'order by x.id for no key update of x' : ''}`,
    [asked],
  );
  const layouts = await names.layoutsOf(
    reader,
    rows.map(({ layout }) => layout),
  );
  const links = await readLinks(reader, asked);
  const tables = await readTables(reader, asked);
  const records = new Map(
    rows.map((row): [number, SampleRecord] => [
      row.id,
      {
        sample: readSampleRow(row, layouts, names),
        curationLinks: links.get(row.id) ?? [],
        structuredData: tables.get(row.id) ?? [],
      },
    ]),
  );
  return ids.flatMap((id) => records.get(id) ?? []);
}

export async function readRecord(
  reader: Reader,
  names: Names,
  id: number,
  options?: { lock: boolean },
): Promise<SampleRecord | undefined> {
  return (await readRecords(reader, names, [id], options))[0];
}

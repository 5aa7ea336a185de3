/** Samples with all that their visible content depends on, many at a time. */
import type { SampleRecord } from '../../../registry/samples/sample-store.js';
import type { ContentRecord } from '../../../registry/search/search-store.js';
import { preparedOnce } from '../prepared-statements.js';
import type { Reader } from '../submissions/submission-rows.js';
import { numberArray } from '../text.js';
import { readLinks, readTables } from './annotations.js';
import { lockSamples } from './lock-samples.js';
import type { Names } from './names.js';
import { oneSampleOf, samplesOf } from './present-samples.js';
import { type JoinedSample, readSampleRow, samplesFrom } from './sample-rows.js';

const ONE = preparedOnce(samplesFrom(oneSampleOf('$1')));
const MANY = preparedOnce(samplesFrom(samplesOf('$1')));

/** In the order of `ids`, those left out that there are not; in a transaction that reads, all of one snapshot. */
export async function readRecords(
  reader: Reader,
  names: Names,
  ids: readonly number[],
  options?: { lock: boolean },
): Promise<SampleRecord[]> {
  const records = await readContentRecords(reader, names, ids, options);
  if (records.length === 0) return [];
  const tables = await readTables(reader, ids);
  return records.map((record) => ({ ...record, structuredData: tables.get(record.sample.id) ?? [] }));
}

/** The same without structured data. */
export async function readContentRecords(
  reader: Reader,
  names: Names,
  ids: readonly number[],
  { lock = false } = {},
): Promise<ContentRecord[]> {
  if (ids.length === 0) return [];
  const asked = numberArray(ids);
  if (lock) await lockSamples(reader, asked);
  const [one, ...others] = ids;
  const rows =
    others.length === 0 ? await reader.rows<JoinedSample>(ONE, [one]) : await reader.rows<JoinedSample>(MANY, [asked]);
  const layouts = await names.layoutsOf(
    reader,
    rows.map(({ layout }) => layout),
  );
  const links = await readLinks(reader, asked);
  const records = new Map(
    rows.map((row): [number, ContentRecord] => [
      row.id,
      { sample: readSampleRow(row, layouts, names), curationLinks: links.get(row.id) ?? [] },
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

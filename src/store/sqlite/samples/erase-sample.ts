/** Erasing a sample in SQLite: blocks and rows that say something of it are written anew without that, inside one write. */
import { ERASED } from '../../../registry/samples/sample.js';
import type { SampleRecord } from '../../../registry/samples/sample-store.js';
import type { ErasedSample } from '../../../upkeep/erasing-store.js';
import { BESIDE, blanked, erasure } from '../../erased-rows.js';
import type { SampleRow } from '../../rows/sample-row.js';
import { holding } from '../../sample-blocks.js';
import { requireIntact } from '../../sample-checksum.js';
import type { SqliteDatabase } from '../database.js';
import { removeUnusedCuration } from './annotations.js';
import { type BlockRow, HEAD_COLUMNS, sampleRow, sumOfBlock, unpackBlock } from './block-reader.js';
import type { Names } from './names.js';
import { asBuffer, packBlock } from './packed-block.js';
import { overwriteSample } from './sample-store.js';

/** The sample of a record that was read inside the same write; undefined when there is none. @throws RegistryError storage.damaged */
export function eraseSample(
  database: SqliteDatabase,
  names: Names,
  record: SampleRecord | undefined,
  author: string,
  now: number,
): ErasedSample | undefined {
  if (record === undefined) return undefined;
  const { sample, curationLinks, structuredData } = record;
  if (sample.adminStatus !== ERASED) overwriteSample(database, names, sample, erasure(author, sample.release), now);
  eraseFormer(database, names, sample.id);
  return { versions: sample.version, curations: curationLinks.length, tables: structuredData.length };
}

/** What a sample was before its last version, and what stands beside it. Inside a write. @throws RegistryError storage.damaged */
export function eraseFormer(database: SqliteDatabase, names: Names, id: number): void {
  for (const row of database.sql<SampleRow>('select * from sample_version where id = ?').all(id)) {
    requireIntact(row, names);
    const { name, doc, crc } = blanked(row);
    database
      .sql('update sample_version set name = ?, doc = ?, crc = ? where id = ? and version = ?')
      .run(name, doc, crc, id, row.version);
  }
  const blocks = database
    .sql<NumberedBlock>(`select number, ${HEAD_COLUMNS}, body from sample_block where ${holding('@id')}`)
    .all({ id });
  for (const block of blocks) eraseInBlock(database, names, block, id);
  const links = database
    .sql<{ curation: string }>('delete from curation_link where sample = ? returning curation')
    .all(id);
  for (const { curation } of links) removeUnusedCuration(database, curation);
  for (const sql of BESIDE('@id')) database.sql(sql).run({ id });
}

type NumberedBlock = BlockRow & { number: number };

function eraseInBlock(database: SqliteDatabase, names: Names, block: NumberedBlock, id: number): void {
  const unpacked = unpackBlock(block, names);
  const rows = Array.from({ length: block.count }, (_, at) => {
    const row = sampleRow(block, unpacked, block.first + at);
    return row.id === id ? blanked(row) : row;
  });
  const { body, ...packed } = packBlock(rows);
  const written = { ...block, ...packed, body: asBuffer(body) };
  database
    .sql('update sample_block set longest = ?, earliest = ?, latest = ?, crc = ?, body = ? where number = ?')
    .run(written.longest, written.earliest, written.latest, sumOfBlock(written), written.body, block.number);
}

/** Erasing a sample in PostgreSQL: blocks and rows that say something of it are written anew without that, in one transaction. */
import { ERASED } from '../../../registry/samples/sample.js';
import type { ErasedSample } from '../../../upkeep/erasing-store.js';
import { BESIDE, blanked, erasure } from '../../erased-rows.js';
import type { SampleRow } from '../../rows/sample-row.js';
import { requireIntact } from '../../sample-checksum.js';
import type { Session } from '../database.js';
import { removeUnusedCuration } from './annotations.js';
import type { Names } from './names.js';
import { blocksWith } from './present-samples.js';
import { readRecord } from './sample-record.js';
import { overwriteSample } from './sample-store.js';

/** Undefined when there is no such sample. @throws RegistryError storage.damaged */
export async function eraseSample(
  session: Session,
  names: Names,
  id: number,
  author: string,
  now: number,
): Promise<ErasedSample | undefined> {
  const record = await readRecord(session, names, id, { lock: true });
  if (record === undefined) return undefined;
  const { sample, curationLinks, structuredData } = record;
  if (sample.adminStatus !== ERASED)
    await overwriteSample(session, names, sample, erasure(author, sample.release), now);
  await eraseFormer(session, names, id);
  return { versions: sample.version, curations: curationLinks.length, tables: structuredData.length };
}

type BlockRow = SampleRow & { cell: number; number: number; place: number };

/** What a sample was before its last version, and what stands beside it. The sample is locked. @throws RegistryError storage.damaged */
export async function eraseFormer(session: Session, names: Names, id: number): Promise<void> {
  for (const row of await session.rows<SampleRow>('select * from sample_version where id = $1', [id])) {
    requireIntact(row, names);
    const { name, doc, crc } = blanked(row);
    await session.run('update sample_version set name = $1, doc = $2, crc = $3 where id = $4 and version = $5', [
      name,
      doc,
      crc,
      id,
      row.version,
    ]);
  }
  for (const { cell, number, place, ...row } of await session.rows<BlockRow>(blocksWith('$1'), [id])) {
    requireIntact(row, names);
    const { name, doc, crc } = blanked(row);
    await session.run(
      `update sample_block set names[$1::int] = $2, docs[$1::int] = $3, crcs[$1::int] = $4 where cell = $5 and number = $6`,
      [place, name, doc, crc, cell, number],
    );
  }
  const links = await session.rows<{ curation: string }>(
    'delete from curation_link where sample = $1 returning curation',
    [id],
  );
  // In one order for everybody, or two that erase samples with the same curations wait for each other.
  for (const curation of links.map((link) => link.curation).sort()) await removeUnusedCuration(session, curation);
  for (const sql of BESIDE('$1')) await session.run(sql, [id]);
}

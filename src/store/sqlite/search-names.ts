/**
 * Names that the samples of a span may have, in the index file: a name that nobody has given, as most of an upload, is not looked
 * for in each segment of each span. A span that holds a segment of an earlier program may hold every name.
 */
import { addNameKey, mayHoldName, NAME_PARTS, namePartOf, newNamePart } from '../postings/name-filter.js';
import type { SqliteDatabase } from './database.js';
import { type BlobRow, DamagedIndex, sumOfBlob, wholeBlob } from './search-damage.js';

const numberOf = (span: number, part: number): number => span * NAME_PARTS + part;

/** @throws DamagedIndex */
function readPart(index: SqliteDatabase, id: number): Buffer {
  const row = index.sql<BlobRow>('select * from name_part where id = ?').get(id);
  if (row === undefined) throw new DamagedIndex();
  return wholeBlob(row);
}

/** Names of the samples of a new segment, where `hasSome`: the span has one whose names are here. Inside a write of the index. @throws DamagedIndex */
export function addNames(index: SqliteDatabase, span: number, keys: readonly number[], hasSome: boolean): void {
  const save = index.sql('replace into name_part (id, data, sum) values (?, ?, ?)');
  for (const [part, own] of keysByPart(keys).entries()) {
    if (own.length === 0 && hasSome) continue;
    const id = numberOf(span, part);
    const data = hasSome ? readPart(index, id) : newNamePart();
    for (const key of own) addNameKey(data, key);
    save.run(id, data, sumOfBlob(id, data));
  }
}

/** Those of the keys of names that samples of a span may have; it has segments. @throws DamagedIndex */
export function namesHeld(index: SqliteDatabase, span: number, keys: readonly number[]): readonly number[] {
  if (index.sql('select 1 from segment where span = ? and named = 0').get(span) !== undefined) return keys;
  return keysByPart(keys).flatMap((own, part) => {
    if (own.length === 0) return own;
    const data = readPart(index, numberOf(span, part));
    return own.filter((key) => mayHoldName(data, key));
  });
}

function keysByPart(keys: readonly number[]): number[][] {
  const parts: number[][] = Array.from({ length: NAME_PARTS }, () => []);
  for (const key of keys) parts[namePartOf(key)]?.push(key);
  return parts;
}

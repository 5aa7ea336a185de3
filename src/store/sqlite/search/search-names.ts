/**
 * Names that the samples of a span may have, in the index file: a name that nobody has given, as most of an upload, is not looked
 * for in each segment of each span. A span that holds a segment of an earlier program may hold every name.
 */
import { addNameKey, mayHoldName, NAME_PARTS, namePartOf, newNamePart } from '../../postings/name-filter.js';
import type { SqliteDatabase } from '../database.js';
import { type BlobRow, DamagedIndex, sumOfBlob, wholeBlob } from './search-damage.js';

const numberOf = (span: number, part: number): number => span * NAME_PARTS + part;

/** @throws DamagedIndex */
function readPart(index: SqliteDatabase, id: number): Buffer {
  const row = index.sql<BlobRow>('select * from name_filter where id = ?').get(id);
  if (row === undefined) throw new DamagedIndex();
  return wholeBlob(row);
}

/** Names of the samples of a new segment, where `hasSome`: the span has one whose names are here. Inside a write of the index. @throws DamagedIndex */
export function addNames(index: SqliteDatabase, span: number, keys: readonly number[], hasSome: boolean): void {
  const save = index.sql('replace into name_filter (id, data, sum) values (?, ?, ?)');
  for (const [part, own] of keysByPart(keys).entries()) {
    if (own.length === 0 && hasSome) continue;
    const id = numberOf(span, part);
    const data = hasSome ? readPart(index, id) : newNamePart();
    for (const key of own) addNameKey(data, key);
    save.run(id, data, sumOfBlob(id, data));
  }
}

/** The parts of a span as they were with its newest segment. */
interface KeptParts {
  segment: number;
  parts: (Buffer | undefined)[];
}

/** Spans whose parts one process keeps as it reads them: up to 64 MiB, of thirty-three million samples. */
const KEPT_SPANS = 512;

interface Kept {
  /** The index that they are of (`progress.made`). */
  made: number;
  spans: Map<number, KeptParts>;
}

/** By open index: a file in its place is another one. */
const keptOf = new WeakMap<SqliteDatabase, Kept>();

/**
 * The names of an index, for one read of it. Parts that were read are kept, since each small upload asks for 150 names, and of a store of two
 * million samples that took 240 reads of 8 000 bytes, a fifth of its time.
 */
export class GivenNames {
  readonly #spans: Map<number, KeptParts>;

  constructor(private readonly index: SqliteDatabase) {
    const made = index.sql<{ made: number }>('select made from progress').get()?.made ?? 0;
    let kept = keptOf.get(index);
    if (kept?.made !== made) {
      kept = { made, spans: new Map() };
      keptOf.set(index, kept);
    }
    this.#spans = kept.spans;
  }

  /** Those of the keys of names that samples of a span may have; it has segments. @throws DamagedIndex */
  held(span: number, keys: readonly number[]): readonly number[] {
    const newest = this.index
      .sql<{ id: number | null; unnamed: number }>(
        `select max(id) as id, exists (select 1 from segment where span = @span and named = 0) as unnamed
         from segment where span = @span`,
      )
      .get({ span });
    if (newest === undefined || newest.id === null || newest.unnamed === 1) return keys;
    const parts = this.#partsOf(span, newest.id);
    return keys.filter((key) => {
      const part = namePartOf(key);
      parts[part] ??= readPart(this.index, numberOf(span, part));
      return mayHoldName(parts[part], key);
    });
  }

  #partsOf(span: number, segment: number): (Buffer | undefined)[] {
    const kept = this.#spans.get(span);
    if (kept?.segment === segment) return kept.parts;
    const parts: (Buffer | undefined)[] = [];
    // Of more spans, always the same ones are kept: each reader asks for all of them in turn.
    if (kept || this.#spans.size < KEPT_SPANS) this.#spans.set(span, { segment, parts });
    return parts;
  }
}

function keysByPart(keys: readonly number[]): number[][] {
  const parts: number[][] = Array.from({ length: NAME_PARTS }, () => []);
  for (const key of keys) parts[namePartOf(key)]?.push(key);
  return parts;
}

/** Samples as the blocks of a SQLite file have them, packed or not; which of them is the present one is for who asks (./current-samples.ts). */
import { crc32 } from 'node:zlib';
import { BoundedMap } from '../../../limits/bounded-map.js';
import { storageIsDamaged } from '../../failures.js';
import type { SampleRow } from '../../rows/sample-row.js';
import { BLOCK_COLUMNS, type BlockValues, cellOf, holding } from '../../sample-blocks.js';
import { type Checking, checksumOf, mix, type OwnValues, sharedSum } from '../../sample-checksum.js';
import type { SqliteDatabase } from '../database.js';
import { type BlockTexts, type PackedBlock, UnpackedBlock } from './packed-block.js';

export interface BlockPlace {
  cell: number;
  first: number;
  count: number;
}

export type BlockRow = BlockValues & BlockPlace & Omit<PackedBlock, 'body'> & { crc: number; body: Buffer };
export type BlockHead = Omit<BlockRow, 'body'>;

/** Of a row of `sample_block`, in the order of `valuesOfBlock`. */
const COLUMNS = ['cell', 'first', 'count', ...BLOCK_COLUMNS, 'earliest', 'latest', 'longest', 'crc'] as const;
export const HEAD_COLUMNS = COLUMNS.join(', ');
export const valuesOfBlock = (row: BlockRow): unknown[] => [...COLUMNS.map((column) => row[column]), row.body];
/** What `valuesOfBlock` gave. */
export function blockOf(values: readonly unknown[]): BlockRow {
  const row = Object.fromEntries(COLUMNS.map((column, at) => [column, values[at]]));
  return { ...row, body: values[COLUMNS.length] } as unknown as BlockRow;
}

/** Over all of the row: another value, or up to 32 adjacent bits of the body, always give another one (sample-checksum.ts). */
export function sumOfBlock(row: Omit<BlockRow, 'crc'>): number {
  const place = mix(mix(mix(sharedSum(row), row.first), row.count), row.layout);
  return mix(mix(mix(place, row.earliest), row.latest), row.longest) ^ crc32(row.body);
}

/** Blocks that stay unpacked, for whoever reads sample after sample. */
const KEPT = 8;

export const holds = ({ first, count }: BlockPlace, id: number): boolean => id >= first && id < first + count;

const HOLDING = holding('@id');
const ALL = `${HEAD_COLUMNS}, body`;
const LATEST = `select ${ALL} from sample_block where ${HOLDING} order by number desc limit 1`;
const OF_CELL = `select ${ALL} from sample_block where cell = ? order by number desc`;
const NEWEST_OF_CELL = `${OF_CELL} limit 1`;

export class BlockReader {
  readonly #kept = new BoundedMap<number, { body: Buffer; block: UnpackedBlock }>(KEPT);

  constructor(
    private readonly database: SqliteDatabase,
    private readonly checking: Pick<Checking, 'accession'>,
  ) {}

  /** The newest block that holds the number. */
  latest(id: number): BlockRow | undefined {
    return this.database.sql<BlockRow>(LATEST).get({ id });
  }

  newestOfCell(cell: number): BlockRow | undefined {
    return this.database.sql<BlockRow>(NEWEST_OF_CELL).get(cell);
  }

  /** Of a cell, the newest first. */
  ofCell(cell: number): IterableIterator<BlockRow> {
    return this.database.sql<BlockRow>(OF_CELL).iterate(cell);
  }

  /** A version that stands in a block. @throws RegistryError storage.damaged */
  version(id: number, version: number): SampleRow | undefined {
    const block = this.database
      .sql<BlockRow>(`select ${ALL} from sample_block where ${HOLDING} and version = @version`)
      .get({ id, version });
    return block && this.rowOf(block, id);
  }

  /** Versions that stand in blocks, the latest first. @throws RegistryError storage.damaged */
  versions(id: number, before: number, limit: number): SampleRow[] {
    return this.database
      .sql<BlockRow>(
        `select ${ALL} from sample_block where ${HOLDING} and version < @before order by version desc limit @limit`,
      )
      .all({ id, before, limit })
      .map((block) => this.rowOf(block, id));
  }

  /** @throws RegistryError storage.damaged */
  unpack(row: BlockRow): UnpackedBlock {
    const known = this.#kept.get(row.first);
    if (known?.body.equals(row.body)) {
      requireWholeBlock(row, this.checking);
      return known.block;
    }
    const block = unpackBlock(row, this.checking);
    this.#kept.set(row.first, { body: row.body, block });
    return block;
  }

  /** @throws RegistryError storage.damaged */
  rowOf(row: BlockRow, id: number): SampleRow {
    return sampleRow(row, this.unpack(row), id);
  }
}

/** @throws RegistryError storage.damaged for what is not as it was written */
export function unpackBlock(row: BlockRow, checking: Pick<Checking, 'accession'>): UnpackedBlock {
  requireWholeBlock(row, checking);
  try {
    return new UnpackedBlock(row.body, row.count);
  } catch (cause) {
    throw damagedBlock(row, checking, cause);
  }
}

function requireWholeBlock(row: BlockRow, checking: Pick<Checking, 'accession'>): void {
  const { first, count, cell, crc } = row;
  const isOfCell = cellOf(first) === cell && cellOf(first + count - 1) === cell;
  if (!isOfCell || sumOfBlock(row) !== crc) throw damagedBlock(row, checking);
}

const damagedBlock = ({ first, count }: BlockPlace, { accession }: Pick<Checking, 'accession'>, cause?: unknown) =>
  storageIsDamaged(`The block of samples ${accession(first)} to ${accession(first + count - 1)}`, cause);

/** A sample of a block, with the checksum that it would have as a row. Written out: spread, the columns of a million take seconds. */
export function sampleRow(row: BlockHead, block: UnpackedBlock, id: number): SampleRow {
  const sample = uncheckedRow(row, block, id);
  sample.crc = checksumOf(sample);
  return sample;
}

/** The same without it, for who reads all of a block and asks for no other check than the block's. */
export function uncheckedRow(row: BlockHead, block: UnpackedBlock, id: number, among?: BlockTexts): SampleRow {
  const { name, release, doc, line } = block.row(id - row.first, among);
  return {
    id,
    account: row.account,
    created: row.created,
    name,
    release,
    layout: row.layout,
    doc,
    author: row.author,
    via: row.via,
    submission: row.submission,
    line,
    version: row.version,
    updated: row.updated,
    submitted: row.submitted,
    admin_status: row.admin_status,
    crc: null,
  };
}

/** What a sample of a block has to itself, without a checksum: the block's was looked at. */
export function ownValues({ first, layout }: BlockHead, block: UnpackedBlock, id: number): OwnValues {
  const { name, release, doc, line } = block.row(id - first, block.texts);
  return { id, name, release, layout, doc, line, crc: null };
}

/**
 * The samples that a batch names, read inside its transaction: rows, and the newest block of each other. Every value that a statement
 * hands over costs, so what rows of one batch have in common is handed over where it changes: 1.5 s for a million of one file instead of
 * 4.0 s (./results/result-rows.ts does the same for results, whose texts nobody looks at).
 */
import { isDamaged } from '../../registry/errors.js';
import type { OverwrittenSample } from '../rows/sample-row.js';
import { type OwnValues, sharedSum } from '../sample-checksum.js';
import type { SqliteDatabase } from './database.js';
import { type BlockRow, ownValues } from './samples/block-reader.js';
import type { CurrentSamples } from './samples/current-samples.js';
import type { UnpackedBlock } from './samples/packed-block.js';
import { OTHER_SHARED, type Shared, SharedReading } from './samples/shared-values.js';

export interface StoredRow {
  own: OwnValues;
  shared: Pick<Shared, 'row' | 'sum'>;
  /** Of a block, whose checksum was looked at, or being written. */
  isWhole?: true;
}

/** Samples read in one statement; of consecutive numbers at least so many are asked for as a span. */
const READ = 50;
const ownColumns = 'id, name, release, layout, doc, line, crc';
const listOf = (rows: number): string => `id in (${Array<string>(rows).fill('?').join(', ')})`;
const READ_MANY = readOf(listOf(READ));
const READ_ONE = readOf(listOf(1));
const READ_SPAN = readOf('id between ? and ?');

function readOf(numbers: string): string {
  return `select ${ownColumns}, ${OTHER_SHARED} from sample where ${numbers}`;
}

type Read = [
  id: number,
  name: string,
  release: number,
  layout: number | null,
  doc: string,
  line: number | null,
  crc: number | null,
  shared: string,
];

export class StoredRows {
  /** `damaged`: of a block that cannot be unpacked. */
  readonly present = new Map<number, StoredRow | 'damaged'>();
  /** Those that are rows, not in blocks. */
  readonly asRows = new Set<number>();
  readonly #shared = new SharedReading();

  constructor(
    private readonly database: SqliteDatabase,
    private readonly samples: CurrentSamples,
  ) {}

  read(ids: readonly number[]): this {
    for (let at = 0; at < ids.length; ) {
      const first = ids[at] as number;
      let end = at + 1;
      while (ids[end] === first + end - at) end++;
      if (end - at >= READ) this.#addRows(READ_SPAN, [first, ids[end - 1] as number]);
      else if (at + READ <= ids.length) {
        end = at + READ;
        this.#addRows(READ_MANY, ids.slice(at, end));
      } else {
        end = at + 1;
        this.#addRows(READ_ONE, [first]);
      }
      at = end;
    }
    for (const [block, held] of this.samples.blocksOf(ids, (id) => this.asRows.has(id))) this.#addBlock(block, held);
    return this;
  }

  #addRows(sql: string, ids: readonly number[]): void {
    for (const row of this.database.rowsOf<Read>(sql, [...this.#shared.given(), ...ids])) {
      const [id, name, release, layout, doc, line, crc, text] = row;
      this.asRows.add(id);
      this.present.set(id, { own: { id, name, release, layout, doc, line, crc }, shared: this.#shared.of(text) });
    }
  }

  #addBlock(row: BlockRow, held: readonly number[]): void {
    const shared = { row, sum: sharedSum(row) };
    const block = this.#unpacked(row);
    for (const id of held)
      this.present.set(id, block ? { own: ownValues(row, block, id), shared, isWhole: true } : 'damaged');
  }

  #unpacked(row: BlockRow): UnpackedBlock | undefined {
    try {
      return this.samples.blocks.unpack(row);
    } catch (error) {
      if (isDamaged(error)) return undefined;
      throw error;
    }
  }
}

/** What is being written: nothing has had the time to damage it. */
export const storedRow = ({ shared: row, ...own }: OverwrittenSample): StoredRow => ({
  own: { ...own, crc: null },
  shared: { row, sum: sharedSum(row) },
  isWhole: true,
});

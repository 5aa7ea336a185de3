/** One sample as the search index reads it: what bounds the reading first, the content only when it is wanted. */
import { isDamaged } from '../../../registry/errors.js';
import type { SampleRecord } from '../../../registry/samples/sample-store.js';
import type { ReadContent, SampleHead } from '../../../registry/search/indexed-sample.js';
import type { SheetRow } from '../../../registry/search/sample-parts.js';
import type { ContentRecord } from '../../../registry/search/search-store.js';
import type { SampleRow } from '../../rows/sample-row.js';
import { CELL, cellOf } from '../../sample-blocks.js';
import type { SqliteDatabase } from '../database.js';
import { sqliteAnnotations } from '../samples/annotations.js';
import { type BlockRow, uncheckedRow } from '../samples/block-reader.js';
import { CurrentSamples } from '../samples/current-samples.js';
import type { Names } from '../samples/names.js';
import type { UnpackedBlock } from '../samples/packed-block.js';
import { readSampleRow, sampleOfRow } from '../samples/sample-rows.js';

export interface HeadRow extends SampleHead {
  /** By number. */
  account: number;
  release: number;
  updated: number;
  /** 1 when an administrator's status hides it. */
  hidden: number;
}

export interface SearchRecords {
  /** Undefined where there is no sample, and where its block cannot be read: it must not stop the index, nor searches, of all others. */
  head(id: number): HeadRow | undefined;
  /** Content and curations with all of the sample's row; undefined when there is none. */
  record(id: number): ContentRecord | undefined;
  /** The same with structured data. */
  sample(id: number): SampleRecord | undefined;
  /** Stored bytes of its structured data, which `head` leaves out. */
  tableBytes(id: number): number;
  content(id: number): ReadContent;
  /** Of the sample that `head` read last; undefined where it is of no row of a sheet, has curations, or stands in no block. */
  sheetRow(id: number): SheetRow | undefined;
}

const CURATION_BYTES = `select coalesce(sum(octet_length(c.lists)), 0) as bytes
  from curation_link l join curation c on c.hash = l.curation where l.sample = ?`;

/** What `read` gives; undefined where what it reads is not as it was written, which `verify` lists. */
function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return undefined;
  }
}

/**
 * Samples one after the other, as a step of indexing asks for them: once one is asked for right behind another, all blocks of its cell are
 * looked up at once. Inside a read of the store.
 */
class CellReader {
  #snapshot = -1;
  #cell = -1;
  #before = -1;
  readonly #held = new Map<number, [row: BlockRow, block: UnpackedBlock]>();
  readonly #curated = new Set<number>();

  constructor(
    private readonly store: SqliteDatabase,
    private readonly samples: CurrentSamples,
  ) {}

  /** As `CurrentSamples.row`; one of a block without a checksum of its own, since the block's was looked at. */
  row(id: number): SampleRow | undefined {
    const isNext = id === this.#before + 1;
    this.#before = id;
    if (!this.#isRead(id) && isNext) unlessDamaged(() => this.#read(cellOf(id)));
    const held = this.holds(id) ? this.#held.get(id) : undefined;
    return held === undefined ? this.samples.row(id) : uncheckedRow(...held, id, held[1].texts);
  }

  /** Whether its block is read. */
  holds(id: number): boolean {
    return this.#isRead(id) && this.#held.has(id);
  }

  /** Whether it is known to have no curations. */
  isPlain(id: number): boolean {
    return this.#isRead(id) && !this.#curated.has(id);
  }

  #isRead(id: number): boolean {
    return this.#snapshot === this.store.snapshot && this.#cell === cellOf(id);
  }

  #read(cell: number): void {
    const [from, to] = [cell * CELL, (cell + 1) * CELL - 1];
    this.#held.clear();
    for (const [row, block, ids] of this.samples.inBlocks(from, to)) {
      const held: [BlockRow, UnpackedBlock] = [row, block];
      for (const id of ids) this.#held.set(id, held);
    }
    this.#curated.clear();
    const curated = this.store.rowsOf<[number]>(
      'select distinct sample from curation_link where sample between ? and ?',
      [from, to],
    );
    for (const [id] of curated) this.#curated.add(id);
    this.#snapshot = this.store.snapshot;
    this.#cell = cell;
  }
}

/** Inside a read of the store. */
export function sqliteSearchRecords(store: SqliteDatabase, names: Names): SearchRecords {
  const annotations = sqliteAnnotations(store, names);
  const samples = new CurrentSamples(store, names);
  const cells = new CellReader(store, samples);
  /** The content is mostly asked for right after the head. */
  let last: { row: SampleRow | undefined; snapshot: number } | undefined;
  const isLast = (id: number): boolean => last?.snapshot === store.snapshot && last.row?.id === id;
  const record = (id: number): ContentRecord | undefined => {
    const row = isLast(id) ? last?.row : cells.row(id);
    last = undefined;
    if (row === undefined) return undefined;
    const sample = cells.holds(id) ? sampleOfRow(row, names) : readSampleRow(row, names);
    return { sample, curationLinks: cells.isPlain(id) ? [] : annotations.readLinks(id) };
  };
  return {
    record,
    sample: (id) => {
      const found = record(id);
      return found && { ...found, structuredData: annotations.readTables(id) };
    },
    tableBytes: annotations.tableBytes,
    head: (id) => {
      const row = unlessDamaged(() => cells.row(id));
      last = { row, snapshot: store.snapshot };
      if (row === undefined) return undefined;
      const { name, account, release, updated, admin_status: status, doc } = row;
      const curations = cells.isPlain(id) ? 0 : (store.sql<{ bytes: number }>(CURATION_BYTES).get(id)?.bytes ?? 0);
      const bytes = Buffer.byteLength(doc) + curations;
      return { id, name, account, release, updated, hidden: status === null ? 0 : 1, bytes };
    },
    sheetRow: (id) => {
      if (!isLast(id) || !cells.holds(id) || !cells.isPlain(id)) return undefined;
      const { layout, doc } = last?.row ?? {};
      return layout == null || doc === undefined ? undefined : { layout: names.layout(layout), doc };
    },
    content: (id) => {
      const found = record(id);
      if (found === undefined) throw new Error(`the store has lost sample number ${id}`);
      return { content: found.sample.content, curationLinks: found.curationLinks };
    },
  };
}

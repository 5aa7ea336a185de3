/**
 * The samples that a batch names, read inside its transaction. Every value that a statement hands over costs, so what samples of
 * one batch have in common is handed over where it changes: 1.5 s for a million of one file instead of 4.0 s (./result-rows.ts
 * does the same for results, whose texts nobody looks at).
 */
import { type OwnValues, sharedSum } from '../sample-checksum.js';
import type { SampleRow } from '../sample-row.js';
import type { SqliteDatabase } from './database.js';
import { OTHER_SHARED, type Shared, SharedReading } from './shared-values.js';

export interface StoredRow {
  own: OwnValues;
  shared: Pick<Shared, 'row' | 'sum'>;
}

/** Samples read in one statement. */
const READ = 50;
const ownColumns = 'id, name, release, layout, doc, line, crc';
const READ_MANY = readOf(READ);
const READ_ONE = readOf(1);

function readOf(rows: number): string {
  return `select ${ownColumns}, ${OTHER_SHARED} from sample where id in (${Array<string>(rows).fill('?').join(', ')})`;
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
  readonly #shared = new SharedReading();

  constructor(private readonly database: SqliteDatabase) {}

  read(ids: readonly number[]): Map<number, StoredRow> {
    const present = new Map<number, StoredRow>();
    let at = 0;
    for (; at + READ <= ids.length; at += READ) this.#add(present, READ_MANY, ids.slice(at, at + READ));
    for (; at < ids.length; at++) this.#add(present, READ_ONE, [ids[at] as number]);
    return present;
  }

  #add(present: Map<number, StoredRow>, sql: string, ids: readonly number[]): void {
    for (const row of this.database.rowsOf<Read>(sql, [...this.#shared.given(), ...ids])) {
      const [id, name, release, layout, doc, line, crc, text] = row;
      present.set(id, { own: { id, name, release, layout, doc, line, crc }, shared: this.#shared.of(text) });
    }
  }
}

/** Written out, as the rows after it are: spread, the columns of a million rows take seven seconds. */
export const wholeRow = ({ own, shared: { row } }: StoredRow): SampleRow => ({
  id: own.id,
  account: row.account,
  created: row.created,
  name: own.name,
  release: own.release,
  layout: own.layout,
  doc: own.doc,
  author: row.author,
  via: row.via,
  submission: row.submission,
  line: own.line,
  version: row.version,
  updated: row.updated,
  submitted: row.submitted,
  admin_status: row.admin_status,
  crc: own.crc,
});

export const storedRow = (row: SampleRow): StoredRow => ({ own: row, shared: { row, sum: sharedSum(row) } });

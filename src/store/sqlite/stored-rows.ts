/**
 * The samples that a batch names, read inside its transaction. Every value that a statement hands over costs, so what samples of
 * one batch have in common is handed over where it changes: 1.5 s for a million of one file instead of 4.0 s (./result-rows.ts
 * does the same for results, whose texts nobody looks at).
 */
import { type OwnValues, SHARED_COLUMNS, type SharedValues, sharedSum } from '../sample-checksum.js';
import type { SampleRow } from '../sample-row.js';
import type { SqliteDatabase } from './database.js';

/** What samples of one batch have in common. */
export interface SharedRow {
  values: SharedValues;
  sum: number;
}

export interface StoredRow {
  own: OwnValues;
  shared: SharedRow;
}

/** Samples read in one statement. */
const READ = 50;
const ownColumns = 'id, name, release, layout, doc, line, crc';
const READ_MANY = readOf(READ);
const READ_ONE = readOf(1);

function readOf(rows: number): string {
  return `select ${ownColumns}, case when ${SHARED_COLUMNS.map((name) => `${name} is ?`).join(' and ')} then null
    else json_array(${SHARED_COLUMNS.join(', ')}) end from sample where id in (${Array<string>(rows).fill('?').join(', ')})`;
}

type Read = [
  id: number,
  name: string,
  release: number,
  layout: number | null,
  doc: string,
  line: number | null,
  crc: number | null,
  shared: string | null,
];

export class StoredRows {
  #shared: SharedRow | undefined;
  #text = '';

  constructor(private readonly database: SqliteDatabase) {}

  read(ids: readonly number[]): Map<number, StoredRow> {
    const present = new Map<number, StoredRow>();
    let at = 0;
    for (; at + READ <= ids.length; at += READ) this.#add(present, READ_MANY, ids.slice(at, at + READ));
    for (; at < ids.length; at++) this.#add(present, READ_ONE, [ids[at] as number]);
    return present;
  }

  #add(present: Map<number, StoredRow>, sql: string, ids: readonly number[]): void {
    const given = this.#shared;
    const asked = given ? SHARED_COLUMNS.map((name) => given.values[name]) : SHARED_COLUMNS.map(() => null);
    for (const row of this.database.rowsOf<Read>(sql, [...asked, ...ids])) {
      const [id, name, release, layout, doc, line, crc, text] = row;
      const shared = text === null ? (given as SharedRow) : this.#sharedOf(text);
      present.set(id, { own: { id, name, release, layout, doc, line, crc }, shared });
    }
  }

  #sharedOf(text: string): SharedRow {
    if (this.#shared && this.#text === text) return this.#shared;
    const read = JSON.parse(text) as unknown[];
    const values = Object.fromEntries(SHARED_COLUMNS.map((name, at) => [name, read[at]])) as unknown as SharedValues;
    this.#text = text;
    this.#shared = { values, sum: sharedSum(values) };
    return this.#shared;
  }
}

/** Written out, as the rows after it are: spread, the columns of a million rows take seven seconds. */
export const wholeRow = ({ own, shared: { values } }: StoredRow): SampleRow => ({
  id: own.id,
  account: values.account,
  created: values.created,
  name: own.name,
  release: own.release,
  layout: own.layout,
  doc: own.doc,
  author: values.author,
  via: values.via,
  submission: values.submission,
  line: own.line,
  version: values.version,
  updated: values.updated,
  submitted: values.submitted,
  admin_status: values.admin_status,
  crc: own.crc,
});

export const storedRow = (row: SampleRow): StoredRow => ({ own: row, shared: { values: row, sum: sharedSum(row) } });

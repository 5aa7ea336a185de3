/** Samples that a batch writes, as blocks and as rows: one statement for each kind, however many there are. */

import { SAMPLE_COLUMNS, type SampleRow } from '../../rows/sample-row.js';
import { BLOCK_COLUMNS, type BlockValues } from '../../sample-blocks.js';
import type { Session } from '../database.js';
import { JoinedTexts, numberArray } from '../text.js';
import { cellOf } from './present-samples.js';

export type Statement = readonly [text: string, values: unknown[]];

export interface Block {
  values: BlockValues;
  /** Of consecutive numbers of one cell. */
  rows: readonly Pick<SampleRow, 'id' | 'name' | 'release' | 'doc' | 'line' | 'crc'>[];
}

const TYPES: { [Column in keyof SampleRow]: 'bigint' | 'int' | 'text' } = {
  id: 'bigint',
  account: 'int',
  created: 'bigint',
  name: 'text',
  release: 'bigint',
  layout: 'int',
  doc: 'text',
  author: 'int',
  via: 'int',
  submission: 'bigint',
  line: 'int',
  version: 'int',
  updated: 'bigint',
  submitted: 'bigint',
  admin_status: 'text',
  crc: 'int',
};

/** One element for each row; a text that may be null is empty then. */
const list = (column: keyof SampleRow, place: number): string =>
  TYPES[column] === 'text' ? `unnest(string_to_array($${place}, E'\\x1f'))` : `unnest($${place}::${TYPES[column]}[])`;
const element = (column: keyof SampleRow): string => {
  if (column === 'admin_status') return `nullif(new.admin_status, '')`;
  return TYPES[column] === 'text' ? `coalesce(new.${column}, '')` : `new.${column}`;
};
const valuesOf = <Row>(column: keyof Row & keyof SampleRow, rows: readonly Row[]): unknown =>
  TYPES[column] === 'text'
    ? new JoinedTexts(rows.map((row) => (row[column] as string | null) ?? ''))
    : numberArray(rows.map((row) => row[column] as number | null));

const COLUMNS = SAMPLE_COLUMNS.split(', ') as (keyof SampleRow)[];

/** After `insert into sample`: a sample that has a row is overwritten. */
export const OR_OVERWRITE = `on conflict (id) do update set ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`;

const WRITE = `insert into sample (${SAMPLE_COLUMNS}) select ${COLUMNS.map(element).join(', ')}
  from rows from (${COLUMNS.map((column, at) => list(column, at + 1)).join(', ')}) as new (${SAMPLE_COLUMNS}) ${OR_OVERWRITE}`;

/** Each gets a row to itself, or what stands there is overwritten. */
export async function writeRows(session: Session, rows: readonly SampleRow[]): Promise<void> {
  if (rows.length === 0) return;
  await session.run(
    WRITE,
    COLUMNS.map((column) => valuesOf(column, rows)),
  );
}

const LISTS = ['names', 'releases', 'docs', 'lines', 'crcs'];

/** The texts of all blocks are one list, of which each takes its part. */
const WRITE_BLOCKS = `with texts as materialized (
    select string_to_array($4, E'\\x1f') as names, $5::bigint[] as releases, string_to_array($6, E'\\x1f') as docs,
      $7::int[] as lines, $8::int[] as crcs
  )
  insert into sample_block (cell, first, count, ${LISTS.join(', ')}, ${BLOCK_COLUMNS.join(', ')})
  select ${cellOf('new.first')}, new.first, new.count, ${LISTS.map((each) => `texts.${each}[new.at:new.at + new.count - 1]`).join(', ')},
    ${BLOCK_COLUMNS.map(element).join(', ')}
  from texts, rows from (unnest($1::bigint[]), unnest($2::int[]), unnest($3::int[]),
    ${BLOCK_COLUMNS.map((column, at) => list(column, at + 9)).join(', ')}) as new (first, count, at, ${BLOCK_COLUMNS.join(', ')})`;

export async function writeBlocks(session: Session, blocks: readonly Block[]): Promise<void> {
  if (blocks.length > 0) await session.run(...writingBlocks(blocks));
}

/** The statement and its values; of at least one block. */
export function writingBlocks(blocks: readonly Block[]): Statement {
  const rows = blocks.flatMap((block) => block.rows);
  const values = blocks.map((block) => block.values);
  const at: number[] = [];
  for (let place = 1, n = 0; n < blocks.length; place += blocks[n]?.rows.length ?? 0, n++) at.push(place);
  const written = [
    numberArray(blocks.map((block) => block.rows[0]?.id as number)),
    numberArray(blocks.map((block) => block.rows.length)),
    numberArray(at),
    valuesOf('name', rows),
    valuesOf('release', rows),
    valuesOf('doc', rows),
    valuesOf('line', rows),
    valuesOf('crc', rows),
    ...BLOCK_COLUMNS.map((column) => valuesOf(column, values)),
  ];
  return [WRITE_BLOCKS, written];
}

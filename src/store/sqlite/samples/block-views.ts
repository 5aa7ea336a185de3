/**
 * What SQL sees of samples in blocks, on one connection: `current_sample`, every sample as it is, and `earlier_version`, every version that
 * was overwritten, both with the columns of `sample` and the cell. Each row of a block is unpacked for it, so who wants many
 * samples reads blocks (./block-reader.ts), and who asks for numbers names their cells as well (`inCells`). Samples of a block that cannot
 * be unpacked are there without texts, and with a checksum that does not fit: they are found to be damaged like others.
 */

import { isDamaged } from '../../../registry/errors.js';
import { SAMPLE_COLUMNS } from '../../rows/sample-row.js';
import { CELL_BITS } from '../../sample-blocks.js';
import type Database from '../driver.js';
import { type BlockRow, blockOf, HEAD_COLUMNS, sampleRow, unpackBlock } from './block-reader.js';
import type { UnpackedBlock } from './packed-block.js';

const UNPACKED = 'sample_of_block';
/** SQL: the release of a sample of a block, where they differ. */
export const RELEASE_OF = 'release_of_sample';
const OWN = new Set(['id', 'name', 'release', 'doc', 'line', 'crc']);

/** SQL: numbers from one place to another. */
export const inCells = (from: string, to: string): string =>
  `cell between ${from} >> ${CELL_BITS} and ${to} >> ${CELL_BITS} and id between ${from} and ${to}`;

const columnsOfBlock = SAMPLE_COLUMNS.split(', ')
  .map((column) => `${OWN.has(column) ? 'o' : 'b'}.${column}`)
  .join(', ');
/** SQL: a row of `sample_block`, as tables and functions of the program are given it: two values, because a table is not asked for a null. */
export const ofBlock = (prefix = ''): string =>
  `json_array(${HEAD_COLUMNS.split(', ')
    .map((column) => prefix + column)
    .join(', ')}), ${prefix}body`;

function givenBlock(given: readonly unknown[]): BlockRow {
  const [head, body] = given as [string, Buffer];
  return blockOf([...(JSON.parse(head) as unknown[]), body]);
}

const everyOf = (of: string): string => `select ${of} from sample_block b, ${UNPACKED}(${ofBlock('b.')}) o`;
/** Of a row `b` of a block: there is a later version of its sample `o`. */
const SUPERSEDED = `(exists (select 1 from sample s where s.id = o.id)
  or exists (select 1 from sample_block n where n.cell = b.cell and n.number > b.number
    and o.id between n.first and n.first + n.count - 1))`;

const VIEWS = `create temp view if not exists current_sample as
    select id >> ${CELL_BITS} as cell, ${SAMPLE_COLUMNS} from sample
    union all ${everyOf(`b.cell, ${columnsOfBlock}`)} where not ${SUPERSEDED};
  create temp view if not exists earlier_version as
    select id >> ${CELL_BITS} as cell, ${SAMPLE_COLUMNS} from sample_version
    union all ${everyOf(`b.cell, ${columnsOfBlock}`)} where ${SUPERSEDED};`;

/** A connection to the file. */
type Connection = Pick<Database.Database, 'table' | 'function' | 'exec'>;

/** No number: nothing sums up to it. */
const LOST = { name: '', release: 0, doc: '', line: null, crc: 0.5 };

/** For messages, where no prefix of accessions is known. */
const NUMBERED = { accession: String };

function unpacked(row: BlockRow): UnpackedBlock | undefined {
  try {
    return unpackBlock(row, NUMBERED);
  } catch (error) {
    if (isDamaged(error)) return undefined;
    throw error;
  }
}

/** `damaged`: whether samples of a block that cannot be unpacked are marked, or end the statement. */
export function defineBlockViews(database: Connection, damaged: 'mark' | 'refuse' = 'mark'): void {
  database.table(UNPACKED, {
    parameters: ['head', 'body'],
    columns: [...OWN],
    *rows(...given: unknown[]) {
      const row = givenBlock(given);
      const block = damaged === 'mark' ? unpacked(row) : unpackBlock(row, NUMBERED);
      for (let id = row.first; id < row.first + row.count; id++) {
        const { name, release, doc, line, crc } = block ? sampleRow(row, block, id) : LOST;
        yield [id, name, release, doc, line, crc];
      }
    },
  });
  database.function(RELEASE_OF, { varargs: true, deterministic: true }, (id, ...given: unknown[]) => {
    const row = givenBlock(given);
    return unpackBlock(row, NUMBERED).releaseOf(Number(id) - row.first);
  });
  database.exec(VIEWS);
}

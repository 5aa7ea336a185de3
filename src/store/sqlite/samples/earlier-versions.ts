/** Versions that were overwritten, page after page, for whoever looks at all of them. */
import type { VersionPlace } from '../../../upkeep/upkeep-store.js';
import type { SampleRow } from '../../rows/sample-row.js';
import { CELL, CELL_BITS } from '../../sample-blocks.js';
import type { SqliteDatabase } from '../database.js';
import { inCells } from './block-views.js';

/** Cells of which a page is made, at most. */
const CELLS = 200;

/** The next `limit` behind a place, in order; fewer only at the end. */
export function earlierVersions(database: SqliteDatabase, { id, version }: VersionPlace, limit: number): SampleRow[] {
  const found: SampleRow[] = [];
  let place = { id, version };
  while (found.length < limit) {
    const upTo = endOfPage(database, place, limit);
    if (upTo === undefined) break;
    const page = database
      .sql<SampleRow>(
        `select * from earlier_version where ${inCells('?1', '?3')} and (id, version) > (?1, ?2)
         order by id, version limit ?4`,
      )
      .all({ 1: place.id, 2: place.version, 3: upTo, 4: limit - found.length });
    found.push(...page);
    if (found.length < limit) place = { id: upTo, version: Number.MAX_SAFE_INTEGER };
  }
  return found;
}

/** Up to which number there are few enough to be read at once; undefined where nothing is left. */
function endOfPage(database: SqliteDatabase, { id, version }: VersionPlace, limit: number): number | undefined {
  const rows = database
    .sql<{ id: number }>('select id from sample_version where (id, version) > (?, ?) order by id, version limit ?')
    .all(id, version, limit);
  const cells = database
    .sql<{ cell: number }>(
      `select distinct cell from sample_block where cell >= ? >> ${CELL_BITS} order by cell limit ?`,
    )
    .all(version === Number.MAX_SAFE_INTEGER ? id + 1 : id, CELLS);
  const ends = [rows.at(-1)?.id, ...(cells.length === 0 ? [] : [(cells.at(-1)?.cell as number) * CELL + CELL - 1])];
  const known = ends.filter((end) => end !== undefined);
  if (known.length === 0) return undefined;
  if (rows.length === limit || cells.length === CELLS) return Math.min(...known);
  return Math.max(...known);
}

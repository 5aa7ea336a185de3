/** What SQLite finds wrong with the file of the store, and rows that lack what they go with. */
import type { StoreFault } from '../../upkeep/upkeep-store.js';
import { type GapRow, gapFault, HISTORY_GAPS, type OrphanRow, orphanFault, WITHOUT_SAMPLE } from '../upkeep-rules.js';
import type { SqliteDatabase } from './database.js';
import { checkedTables, damagedRows } from './row-checks.js';

/** Reads every page. What one question finds unreadable is a fault; the others are asked all the same. */
export function sqliteFaults(database: SqliteDatabase): StoreFault[] {
  const faults: StoreFault[] = [];
  const ask = (work: () => StoreFault[]): void => {
    try {
      faults.push(...work());
    } catch (error) {
      faults.push({ place: 'store', message: error instanceof Error ? error.message : String(error) });
    }
  };
  ask(() => structure(database));
  ask(() =>
    (database.prepare('pragma foreign_key_check').all() as { table: string; rowid: number }[]).map(
      ({ table, rowid }) => ({ place: table, message: `Row ${rowid} names something that is not there.` }),
    ),
  );
  ask(() => {
    for (const table of checkedTables(database)) ask(() => damagedRows(database, table));
    return [];
  });
  ask(() => (database.prepare(HISTORY_GAPS).all() as GapRow[]).map(gapFault));
  for (const sql of WITHOUT_SAMPLE) ask(() => (database.prepare(sql).all() as OrphanRow[]).map(orphanFault));
  return faults;
}

/** SQLite names a table by the number of its first page. */
function structure(database: SqliteDatabase): StoreFault[] {
  const rows = database.prepare('pragma integrity_check').all() as { integrity_check: string }[];
  return rows
    .map(({ integrity_check }) => integrity_check)
    .filter((text) => text !== 'ok')
    .map((message) => ({ place: tableOf(database, message), message }));
}

function tableOf(database: SqliteDatabase, message: string): string {
  const root = /\bTree (\d+)\b/.exec(message)?.[1];
  const named = /\b(?:in|from) (?:index |table )?(\w+)/.exec(message)?.[1];
  const row = database
    .prepare('select tbl_name as name from sqlite_schema where rootpage = ? or name = ?')
    .get(Number(root ?? -1), named ?? '') as { name: string } | undefined;
  return row?.name ?? 'store';
}

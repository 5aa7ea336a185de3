/** A SQLite store as a source to copy from: its tables, read in one state of the file. */
import { existsSync } from 'node:fs';
import { RegistryError } from '../registry/errors.js';
import Database from './sqlite/driver.js';
import { defineBlockViews } from './sqlite/samples/block-views.js';

export type Cell = string | number | null;

/** Samples stand in them too (sqlite/block-views.ts). */
const BLOCKS = 'sample_block';
const AS_ROWS: Readonly<Record<string, string>> = { sample: 'current_sample', sample_version: 'earlier_version' };

export class SqliteSource {
  private readonly file: Database.Database;

  /**
   * Nobody else has the file open until `close`: what a service that writes nothing just now acknowledges later would
   * stay behind. @throws RegistryError conflict, not-found
   */
  constructor(path: string) {
    if (!existsSync(path)) throw new RegistryError('not-found', `There is no store at ${path}.`);
    this.file = new Database(path, { fileMustExist: true, timeout: 2000 });
    try {
      // A file in WAL mode is locked by whoever has it open, idle or not.
      this.file.pragma('locking_mode = EXCLUSIVE');
      defineBlockViews(this.file, 'refuse');
      this.file.exec('begin immediate');
    } catch (error) {
      this.file.close();
      throw new RegistryError('conflict', 'The store is in use; stop the service and its workers before moving it.', {
        cause: error,
      });
    }
  }

  tables(): string[] {
    return this.file
      .prepare<[], { name: string }>(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
      )
      .all()
      .map(({ name }) => name)
      .filter((name) => name !== BLOCKS);
  }

  columns(table: string): string[] {
    return this.file
      .prepare<[string], { name: string }>('select name from pragma_table_info(?)')
      .all(table)
      .map(({ name }) => name);
  }

  /** Rows in order of their making, in lots; samples of blocks as rows. */
  *read(table: string, columns: readonly string[], lot: number): Generator<Cell[][]> {
    let rows: Cell[][] = [];
    const all = this.file.prepare<[], Cell[]>(
      `select ${columns.map((column) => `"${column}"`).join(', ')} from ${AS_ROWS[table] ?? table}`,
    );
    for (const row of all.raw().iterate()) {
      rows.push(row as Cell[]);
      if (rows.length === lot) {
        yield rows;
        rows = [];
      }
    }
    if (rows.length > 0) yield rows;
  }

  close(): void {
    if (this.file.open) this.file.close();
  }
}

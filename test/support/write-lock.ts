/** The lock of SQLite that one connection at a time holds while it writes. */
import Database from '../../src/store/sqlite/driver.js';

/** Whether nobody is inside a transaction that writes. */
export function isUnlocked(file: string): boolean {
  const database = new Database(file, { timeout: 0 });
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK');
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

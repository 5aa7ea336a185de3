/** What SQLite's failures mean. */
import { codeOf, storageIsFull, storeIsBusy, storeIsReadOnly } from '../failures.js';

export const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

/** The file is not what SQLite wrote. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));

/** Its disk has become read-only. Not of a file that was moved away while it is open, which SQLite calls the same. */
const isReadOnly = (error: unknown): boolean => /^SQLITE_READONLY(?!_DBMOVED)/.test(codeOf(error));

/** In the catalogue's words; others as they are. */
export function translate(error: unknown): unknown {
  if (isBusy(error)) return storeIsBusy(error);
  if (isReadOnly(error)) return storeIsReadOnly(error);
  return ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(codeOf(error)) ? storageIsFull(error) : error;
}

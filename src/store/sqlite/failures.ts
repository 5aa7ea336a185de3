/** What SQLite's failures mean. */
import { codeOf, storageIsFull, storeIsBusy } from '../failures.js';

export const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

/** The file is not what SQLite wrote. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));

/** In the catalogue's words; others as they are. */
export function translate(error: unknown): unknown {
  if (isBusy(error)) return storeIsBusy(error);
  return ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(codeOf(error)) ? storageIsFull(error) : error;
}

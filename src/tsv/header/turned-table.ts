/** Tables that have a column for each sample, and in each row a characteristic of all of them. */
import type { HeadRow } from '../bytes/head-rows.js';
import { fold } from '../dialect.js';

/** What a column is called and no sample. */
const COLUMN_NAME =
  /^(?:(?:characteristics?|comment|factor value|parameter value) ?\[.+\]|sample[ _-]?(?:name|id|identifier|title|type)|release[ _]date|(?:organism|species|scientific|taxon|strain)[ _]?(?:name)?|(?:ncbi )?tax(?:on|onomy)?[ _-]?id|collection[ _]date|date of (?:collection|sampling)|collected (?:by|on)|tissue|sex|gender|organism part|cell[ _](?:type|line)|developmental stage|disease(?: state)?|geographic location.*|geo[ _]loc[ _]name|latitude|longitude|lat[ _]lon|genotype|treatment|host(?:[ _](?:name|age|sex))?|isolation[ _]source|(?:growth|treatment|extract(?:ion)?|label|library construction)[ _]protocol|data processing step|genome build|cde[ _]id)\s*:?$/i;

/** Of a text without blanks around it and no two in a row, which the expression could part in many ways. */
export const isColumnName = (text: string): boolean => COLUMN_NAME.test(text);

/** Rows that are looked at, and characters of a name. */
const LOOKED_AT = 30;
const LONGEST = 100;

/**
 * Names of rows that are called what columns are called, where the table has its samples in columns: most rows are, or one is of
 * release dates. A few of many are what somebody wrote among the samples.
 */
export function turnedRows(rows: Iterable<HeadRow>, nameColumn: number): string[] {
  const names: string[] = [];
  let seen = 0;
  for (const { cells } of rows) {
    seen++;
    const name = (cells[nameColumn] ?? '').slice(0, LONGEST).replace(/\s+/g, ' ').trim();
    if (isColumnName(name) && hasMore(cells, nameColumn)) names.push(name);
    if (seen === LOOKED_AT) break;
  }
  const isTurned = (names.length > 1 && names.length * 2 >= seen) || names.some((name) => fold(name) === 'releasedate');
  return isTurned ? names : [];
}

const hasMore = (cells: readonly string[], nameColumn: number): boolean =>
  cells.some((cell, column) => column !== nameColumn && cell.trim() !== '');

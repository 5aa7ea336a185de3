/** What can be said of a file before it is sent, from its first bytes, by the same rules as the service's. */
import type { LikelyEncoding } from '../../../src/tsv/bytes/likely-encodings.js';
import type { SheetRow } from '../sheet/read-rows.js';

export interface FileCheck {
  kind: 'table' | 'workbook' | 'refused';
  /** Data rows; absent when they cannot be counted. */
  rows?: number;
  /** False: reckoned from the first part of a large file. */
  rowsExact: boolean;
  /** Headers that become part of a sample, by what they become. */
  stored: string[];
  /** Of these, plain headers that are kept as characteristics of that name. */
  fromPlainHeaders: string[];
  /** Headers that are kept in the result file only. */
  notStored: string[];
  hasReleaseDate: boolean;
  /** Among those looked at, rows that name a sample to update, and those of them that have a name. */
  identifiers: number;
  updates?: number;
  /** Rows without a name, which are sent back and register nothing. */
  unnamed?: number;
  /** Set on a sheet without a Sample Name: its headers, of which one may name the samples; those first that are likely. */
  nameable?: string[];
  /** Its headers are nearly those of a kept profile. */
  changed?: true;
  /** Sheets with the same one are of one kind: the profile that reads it, else its headers. */
  sheetKind?: string;
  /** A workbook or an archive: what it holds is not known yet. */
  packed?: true;
  /** Of a workbook whose columns were said: none of them is a release date. */
  lacksRelease?: boolean;
  /** Characteristics that a sample may get. */
  characteristics?: number;
  /** The header and the first rows above and below it, as they stand in the sheet. */
  top?: { header: readonly string[]; headerLine: number; rows: readonly SheetRow[] };
  /** Text that is not UTF-8: what it may be. */
  likely?: LikelyEncoding[];
  /** Why the service would refuse the file, with the fix. */
  problem?: string;
  /** Things to know that stop nothing. */
  remarks: string[];
}

/** A sheet of a workbook or an archive. */
export interface PackedTable {
  sheet: string;
  /** All that there are. */
  sheets: readonly string[];
  /** Those of a workbook that name samples, where several do. */
  tables?: readonly string[];
  /** Its rows as the service reads them, the first part at least. */
  text: string;
  complete: boolean;
  /** The archive says the release of its samples. */
  dated: boolean;
  /** Somebody has chosen it. */
  chosen: boolean;
}

/** Of a sheet of which one column can be chosen to name its samples. */
export const NO_NAME = 'No Sample Name column: choose the column that names the samples, or add one.';

/** Rows that become samples, as far as their names say. */
export const samplesOf = ({ rows = 0, unnamed = 0 }: Pick<FileCheck, 'rows' | 'unnamed'>): number => rows - unnamed;

/** A file with new samples that have no release date needs one from the form; samples that exist keep theirs. */
export const needsReleaseDate = ({ kind, hasReleaseDate, rows, identifiers, lacksRelease }: FileCheck): boolean =>
  lacksRelease === true || (kind === 'table' && !hasReleaseDate && !(rows !== undefined && identifiers >= rows));

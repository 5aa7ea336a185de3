/** What the columns of a sheet are taken for before somebody has said it: plain data, for the page and for programs. */
import type { CellReading, ColumnMeaning, ImportProfile } from '../header/profile.js';

/** Bytes. A workbook or an archive is needed whole; of text the first 256 KiB are looked at. */
export const LARGEST_PROPOSED = 64 * 1024 * 1024;

/** `high` is given only where header and values agree; `low` asks to be looked at. */
export type Confidence = 'high' | 'middle' | 'low';

export interface ProposedColumn {
  /** Of the sheet, from 0. */
  column: number;
  /** As written, blanks made one; empty for a column without a header. */
  header: string;
  /** Up to three different values. */
  examples: string[];
  /** Absent: it is for somebody to say. A column that has no header has no meaning either. */
  meaning?: ColumnMeaning & CellReading;
  /** One sentence. */
  why: string;
  confidence: Confidence;
  /** Its header is new to a kept profile that reads such sheets. */
  fresh?: true;
  /** Forms between which the dates do not decide. */
  dateForms?: string[];
  /** The comma in its numbers may be the decimal sign, or part thousands. */
  decimalDoubt?: true;
}

export interface Proposal {
  columns: ProposedColumn[];
  /** The same as a profile to edit and keep; columns without a meaning are not in it. */
  document: ImportProfile;
  /** What every sample should have and the sheet says nothing of: an organism, a date of release. */
  lacks: ('name' | 'organism' | 'release')[];
  /** The profile that reads the sheet as it is, or that it nearly fits. */
  profile?: {
    name: string;
    rank: 'own' | 'shared' | 'shipped';
    version?: number;
    missing?: string[];
    further?: string[];
  };
}

/** A field of a checklist. */
export interface KnownField {
  name: string;
  checklist: string;
  allowedValues?: readonly string[];
}

/**
 * An import profile: how the columns of a sheet that was not made for the registry become a sample's. Plain data, kept
 * and sent as JSON.
 */
import { fold } from '../dialect.js';

/** Changes of what is read out of a cell before it is stored; the cell itself comes back as it was written. */
export interface CellReading {
  /** Text of a cell → what is stored instead, an empty text for nothing. Compared without case. */
  values?: Readonly<Record<string, string>>;
  /** Form of the dates, such as `DD.MM.YYYY`; stored as YYYY-MM-DD. */
  date?: string;
  /** The comma is the decimal sign, the point parts thousands. */
  decimal?: ',';
}

export type ColumnMeaning =
  /** `characteristic`: what a column that is joined is kept as, its header without it. */
  | { as: 'name'; characteristic?: string }
  | { as: 'identifier' | 'reference' | 'comment' | 'ignored' }
  | { as: 'release' }
  /** Without a name, that of its header. `unit`: of every cell. */
  | { as: 'characteristic'; name?: string; unit?: string }
  /** Of the column with this header, or of the characteristic of this name; without `of`, of the column on its left. */
  | { as: 'unit' | 'term'; of?: string }
  /** Which ontology the term beside it is of: an id of `term` without an ontology becomes `SOURCE:id`. */
  | { as: 'source' }
  | { as: 'relationship'; type: string }
  | { as: 'contact' | 'organization' | 'publication'; member: string };

export type ProfileColumn = ColumnMeaning &
  CellReading & {
    /** Compared like any header, without case, blanks and underscores. */
    header: string;
    /** Which of several columns with this header, from 1. */
    nth?: number;
    /** The sheet may lack it. */
    optional?: boolean;
  };

/** A characteristic of every sample that the sheet has no column for. */
export interface FixedValue {
  characteristic: string;
  value: string;
  unit?: string;
  term?: string;
}

export interface Recognition {
  /** One of these headers is there. */
  anyOf: readonly string[];
  /** So many of these, too. */
  with?: { headers: readonly string[]; atLeast: number };
  /** None of these. */
  without?: readonly string[];
  /** First cell of a row above, but for square brackets around it. */
  above?: string;
  /** How the first cell of the row below begins. */
  below?: string;
}

export interface ImportProfile {
  /** Of this form of document. */
  profile: 1;
  /** As messages and receipts name it: "Read as an ENA sample sheet". */
  title: string;
  /** A sheet that meets one of these is recognised; without it, one whose headers are those of `columns`, in any order. */
  recognise?: readonly Recognition[];
  columns: readonly ProfileColumn[];
  /** What becomes of columns that are not listed; `ask` refuses the sheet and names them. */
  otherColumns?: 'ask' | 'characteristics' | 'ignore';
  /** From the first of these columns on, columns that are not listed and have a plain header are not stored. */
  otherColumnsUntil?: readonly string[];
  /** Between the cells of several name columns, all of which must be there. Without it, the first name column that is there names the sample. */
  joinNames?: string;
  fixed?: readonly FixedValue[];
  /** Release of new samples whose rows say none and that came without one: a day, or `today`, that of the upload. In its own account alone. */
  release?: string;
  /** Column that identifies the rows across uploads that say no `key`, and the key space of the uploading account; `default` without it. */
  key?: { column: string; space?: string };
  /** Taken from the front of a header before it becomes a name. */
  mark?: string;
  /** Rows of one name that agree in what is stored are one sample. */
  sameName?: 'one-sample';
  /** Texts under the name column that mark a row of labels below the header. */
  labels?: readonly string[];
}

export interface KnownProfile {
  name: string;
  /** Whose it is: one of the account goes before one that is shared, that before one that ships with the product. */
  rank: 'own' | 'shared' | 'shipped';
  /** Of a kept one; a change makes a new one. */
  version?: number;
  /** Reads a sheet only where none beside it fits. */
  general?: true;
  document: ImportProfile;
}

/** `profile=none`: no profile, neither kept nor shipped. */
export const NO_PROFILE = 'none';

const POINTER = '#profile';

/** The row above the header with which a sheet comes back, so that it is read the same again. */
export const profilePointer = ({ name, version }: Pick<KnownProfile, 'name' | 'version'>): string[] => [
  POINTER,
  name,
  ...(version === undefined ? [] : [String(version)]),
];

/** The profile that a row above the header names; undefined for any other row. */
export function pointedProfile(cells: readonly string[]): { name: string; version?: number } | undefined {
  const [first = '', name = '', version = ''] = cells.map((cell) => cell.trim());
  if (fold(first) !== POINTER || name === '') return undefined;
  return { name, ...(/^[1-9]\d{0,8}$/.test(version) ? { version: Number(version) } : {}) };
}

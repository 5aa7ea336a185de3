/**
 * PORT: rules that a community lays down for samples (JSON Schema files). The registry asks for verdicts in the words
 * of samples; the sheet reader asks for a check compiled for one sheet. Which checklist holds: the sample's own
 * `checklist` characteristic, else the upload's option, else the setting DEFAULT_CHECKLIST, else none.
 */

import type { ChecklistCode, SenseCode } from './issue-codes.js';
import type { SheetPlace } from './row-places.js';
import type { SampleLayout } from './samples/packed-sample.js';
import type { Characteristics } from './samples/sample.js';
import type { Issue } from './samples/sample-batch.js';

/** Characteristic by which a sample names its own checklist. */
export const CHECKLIST_CHARACTERISTIC = 'checklist';

/** Whether a characteristic of this name names a checklist: `Checklist` does, in a sheet as in JSON. */
export const isChecklistName = (name: string): boolean => name.trim().toLowerCase() === CHECKLIST_CHARACTERISTIC;

/** The checklist that a sample names itself, under any spelling of the name. */
export function namedChecklist(characteristics: Characteristics | undefined): string | undefined {
  for (const [name, entries] of Object.entries(characteristics ?? {})) {
    const text = isChecklistName(name) && entries.find((entry) => entry.text)?.text;
    if (text) return text;
  }
  return undefined;
}

export interface ChecklistSummary {
  /** Short and safe in a path, e.g. `minimal`, `ERC000033`. */
  id: string;
  title: string;
  description?: string;
  version?: string;
  /** Shipped with the product, or read from CHECKLISTS_DIR. */
  source: 'shipped' | 'directory';
  /** Characteristics that a sample must have. */
  required: string[];
  /** How many characteristics the checklist says something about. */
  fields: number;
}

/** One characteristic as a checklist describes it; what templates and forms are made of. */
export interface ChecklistField {
  name: string;
  required: boolean;
  description?: string;
  /** The closed list of values, when there is one. */
  allowedValues?: string[];
  /** Regular expression of the value. */
  pattern?: string;
  /** The same in words, with an example. */
  form?: string;
  /** JSON Schema format of the value, e.g. `date`. */
  format?: string;
  unitRequired: boolean;
  allowedUnits?: string[];
  termRequired: boolean;
  example?: string;
}

export type ChecklistProblemCode = Exclude<ChecklistCode, 'checklist.unknown'>;

/** One thing that a checklist finds wrong with a sample. */
export interface ChecklistProblem {
  /** JSON pointer into the sample document, in our spelling: `/characteristics/sex/0/text`. */
  dataPath: string;
  code: ChecklistProblemCode;
  /** Plain words, naming the characteristic, the value and the fix. */
  message: string;
  /** The offending text, whole. */
  value?: string;
  /** Present when the problem is of one characteristic. */
  characteristic?: string;
  /** Which entry of it, 0-based. */
  entry?: number;
  part?: 'text' | 'unit' | 'term';
  allowedValues?: string[];
  /** A value that the checklist would accept and that is near. */
  suggestion?: string;
}

/** The members of a sample document that a checklist may look at; others are passed through as they are. */
export interface ChecklistDocument {
  name?: string;
  release?: string;
  characteristics?: Characteristics;
  [member: string]: unknown;
}

/** The sheet that rows come from, for issues in its own words. */
export interface CheckedSheet {
  layout: SampleLayout;
  /** By kept cell, like the layout's cell numbers. */
  cells: readonly SheetPlace[];
  /** The column of the sample's name. */
  name: SheetPlace;
  /** Every header of the sheet, for finding a required column under a near name. */
  headers?: readonly SheetPlace[];
}

/**
 * Checks one row: its name, its release (milliseconds since 1970) and its kept cells joined by TAB. Answers every
 * issue of the row, an empty list when there is none. It is asked of every row that is good by itself, once and in the order
 * of the file, for it may compare rows; what it keeps is bounded.
 */
export type RowCheck = (line: number, name: string, release: number, packed: string) => readonly Issue[];

export interface ChecklistChoice {
  /** The upload's option. */
  option?: string;
  /** The setting DEFAULT_CHECKLIST. */
  fallback?: string;
}

export interface ChecklistRules {
  /** All checklists, by id. */
  list(): ChecklistSummary[];
  /**
   * The JSON Schema as it was written. Ids are found by short id, file name or `$id`, without regard to case.
   * @throws RegistryError checklist.unknown, naming the known ones
   */
  get(id: string): Record<string, unknown>;
  /** @throws RegistryError checklist.unknown */
  fields(id: string): ChecklistField[];
  /**
   * Everything that the checklist finds wrong, all at once (of very much the first, and that there is more); empty when the
   * sample is valid. `suggested`: how many of them have a suggestion, where one passes; all without it.
   * @throws RegistryError checklist.unknown
   */
  problemsOf(document: ChecklistDocument, id: string, suggested?: number): Promise<ChecklistProblem[]>;
  /** The checklist that holds for a sample with these characteristics, or undefined for none. */
  chosenFor(characteristics: Characteristics | undefined, choice: ChecklistChoice): string | undefined;
  /**
   * A check compiled for one sheet, or undefined when no checklist can hold for any of its rows. A row that names an
   * unknown checklist has an issue.
   * @throws RegistryError checklist.unknown for an unknown option
   */
  rowCheck(sheet: CheckedSheet, choice: ChecklistChoice): RowCheck | undefined;
  /**
   * Of a row's kept cells, joined by TAB: the warnings that its checklist makes errors. Undefined when no checklist that
   * can hold makes any.
   */
  raised(sheet: CheckedSheet, choice: ChecklistChoice): ((packed: string) => readonly SenseCode[]) | undefined;
}

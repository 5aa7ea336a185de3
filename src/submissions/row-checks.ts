/** What rows are checked by beyond the dialect: the checklist that holds, and what spreadsheets are known to do to data. */
import {
  CHECKLIST_CHARACTERISTIC,
  type CheckedSheet,
  type ChecklistRules,
  type RowCheck,
} from '../registry/checklist.js';
import type { LaidOutBatch } from '../registry/sample-batch.js';
import { checkedSheet, type SheetPlan } from '../tsv/header/columns.js';
import { Warnings } from '../tsv/quality/warnings.js';

export interface RowChecks {
  /** Opened when a sheet first needs one: a thread that reads a sheet without checklist loads none. */
  checklists(): ChecklistRules;
  /** The setting DEFAULT_CHECKLIST. */
  defaultChecklist?: string | undefined;
}

/**
 * The checklist's verdict on each row of a sheet, or undefined when none can hold.
 * @throws RegistryError checklist.unknown
 */
export function rowCheckOf(plan: SheetPlan, option: string | undefined, rowChecks: RowChecks): RowCheck | undefined {
  const fallback = rowChecks.defaultChecklist;
  const named = plan.layout.characteristics.some(({ name }) => name === CHECKLIST_CHARACTERISTIC);
  if (option === undefined && fallback === undefined && !named) return undefined;
  return rowChecks.checklists().rowCheck(checkedSheet(plan), {
    ...(option === undefined ? {} : { option }),
    ...(fallback === undefined ? {} : { fallback }),
  });
}

/** Adds the warnings of the good rows to each batch, in order. */
export function qualityChecks(plan: SheetPlan): (batch: LaidOutBatch) => void {
  const sheet: CheckedSheet = checkedSheet(plan);
  const warnings = new Warnings(sheet.cells, sheet.name);
  return (batch) => {
    const found = warnings.inspect(batch);
    if (found.length > 0) batch.warnings = batch.warnings ? [...batch.warnings, ...found] : found;
  };
}

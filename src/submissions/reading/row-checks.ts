/** What rows are checked by beyond the dialect: the checklist that holds, and what spreadsheets are known to do to data. */
import {
  CHECKLIST_CHARACTERISTIC,
  type CheckedSheet,
  type ChecklistRules,
  type RowCheck,
} from '../../registry/checklist.js';
import type { SenseCode } from '../../registry/issue-codes.js';
import type { LaidOutBatch } from '../../registry/samples/sample-batch.js';
import { checkedSheet } from '../../tsv/header/cell-place.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import { Sense } from '../../tsv/quality/sense/sense.js';
import { Warnings } from '../../tsv/quality/warnings.js';
import { joinedWarnings } from './joined-warnings.js';

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
  const sheet = checkedSheet(plan);
  const choice = {
    ...(option === undefined ? {} : { option }),
    ...(fallback === undefined ? {} : { fallback }),
  };
  const checklists = rowChecks.checklists();
  const check = checklists.rowCheck(sheet, choice);
  const raised = checklists.raised(sheet, choice);
  return raised ? withSense(new Sense(sheet), raised, check) : check;
}

/** Every row is looked at, one by one and in order, so that each reading of a file comes to the same verdicts. */
function withSense(sense: Sense, raised: (packed: string) => readonly SenseCode[], check?: RowCheck): RowCheck {
  return (line, name, release, packed) => {
    const errors: readonly string[] = raised(packed);
    const known = release === 0 ? Number.NaN : release;
    const found = sense.inspectRow({ line, name, release: known, packed }).filter(({ code }) => errors.includes(code));
    const issues = check?.(line, name, release, packed) ?? [];
    return found.length === 0
      ? issues
      : [...issues, ...found.map((issue) => ({ ...issue, severity: 'error' as const }))];
  };
}

/** Adds the warnings of the good rows to each batch, in order. */
export function qualityChecks(plan: SheetPlan): (batch: LaidOutBatch) => void {
  const sheet: CheckedSheet = checkedSheet(plan);
  const warnings = new Warnings(sheet.cells, sheet.name);
  const sense = new Sense(sheet);
  return (batch) => {
    const found = [...(batch.warnings ?? []), ...warnings.inspect(batch), ...sense.inspect(batch)];
    if (found.length > 0) batch.warnings = joinedWarnings(found);
  };
}

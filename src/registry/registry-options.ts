/** What the registry is given when it is made. */
import type { ChecklistRules } from './checklist.js';

export interface RegistryOptions {
  prefix: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** A second name of `submissionAccountId`, read and written (setting ACCOUNT_FIELD_ALIAS). */
  accountFieldAlias?: string | undefined;
  checklists?: Pick<ChecklistRules, 'problemsOf' | 'chosenFor'> | undefined;
  /** Setting DEFAULT_CHECKLIST. */
  defaultChecklist?: string | undefined;
}

/** What can be wrong with a row: the codes, stable for ever, and what each means. docs/errors.md lists the same. */
import type { Issue } from '../../registry/sample-batch.js';
import { columnLetter } from '../dialect.js';
import { columnTitle, type SheetPlan } from '../header/columns.js';

export const ROW_ISSUES = {
  'name.missing': 'The row has cells but no Sample Name.',
  'name.example': 'The row is the example row of a template, as it came.',
  'name.used-before': 'A warning: the account has a sample of this name already.',
  'name.repeated': 'An earlier row has the same Sample Name, and not both carry a Sample Identifier of their own.',
  'release.missing': 'The row has no Release Date and the upload gave none for all rows.',
  'release.invalid': 'The Release Date is not an ISO 8601 date or date-time.',
  'identifier.unknown': 'There is no sample with this Sample Identifier here.',
  'identifier.not-yours': 'The sample with this Sample Identifier belongs to another account.',
  'identifier.repeated': 'An earlier row updates the same sample.',
  'relationship.unknown': 'The target is neither a Sample Name of this file nor an accession.',
  'relationship.ambiguous': 'Several rows of this file have the Sample Name that the target gives.',
  'relationship.target-rejected': 'The row that the target names is rejected itself.',
  'sample.damaged': 'What is stored of the sample was damaged on the disk.',
  'row.extra-cells': 'The row has cells beyond the last header.',
  'row.changed-since': 'The sample was changed since the dry run, or since the upload that is undone.',
  'row.not-as-shown': 'The row would not become what the dry run showed.',
  'row.held-back': 'The row is good, but another one is bad and the upload asked for all or nothing.',
  'sheet.nothing-stored': 'A warning: nothing but names and dates is stored of the sheet.',
  'item.not-json': 'An item of a JSON file is no JSON object, or longer than a sample may be.',
  'item.invalid': 'A member of an item of a JSON file breaks a rule; the column is its JSON pointer.',
  'edit.target-exists': 'A batch edit renames a characteristic to one that the sample has already.',
  'edit.not-submitted': 'A batch edit names a sample that has an accession and was never submitted.',
  'edit.already': 'A note: the sample of a batch edit has what it was to get.',
  'edit.lacking': 'A note: the sample of a batch edit lacks the characteristic that was to be renamed or cleared.',
  'cell.too-long': 'A cell is longer than 100 000 characters.',
  'cell.control-character': 'A cell holds a NUL character.',
  'cell.quote-swallows-rows': 'A quoted cell runs over what look like whole rows: its closing quote is missing.',
} as const;

export type RowIssueCode = keyof typeof ROW_ISSUES;

/** The first 100 characters, none of them cut in two. */
export function shorten(text: string, limit = 100): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** An issue of one cell, in the sheet's own words. */
export function cellIssue(
  plan: SheetPlan,
  line: number,
  column: number,
  code: RowIssueCode,
  value: string,
  message: string,
  suggestion?: string,
): Issue {
  return {
    line,
    column: columnTitle(plan, column),
    columnLetter: columnLetter(column),
    code,
    ...(value === '' ? {} : { value: shorten(value) }),
    message,
    ...(suggestion === undefined ? {} : { suggestion }),
    severity: 'error',
  };
}

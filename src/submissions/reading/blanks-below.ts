/** Columns that are filled in the first row of each group of samples alone, where an empty cell may stand for the value above it. */
import { rowIssue, shorten } from '../../registry/row-issue.js';
import { batchCells, type Issue, type LaidOutBatch } from '../../registry/samples/sample-batch.js';
import { columnLetter } from '../../tsv/dialect.js';
import { cellPlace } from '../../tsv/header/cell-place.js';
import type { SheetPlan } from '../../tsv/header/columns.js';

/** Rows that are looked at. */
const MOST_ROWS = 1_000;
/** Columns that are named. */
const MOST_SAID = 10;
/** What is said here and there, of one sample. */
const REMARKS =
  /note|remark|comment|descript|reason|problem|issue|flag|other|addition|exclu|alias|synonym|qc|bemerk|komment|hinweis|remarque|nota|observ/i;
const WORD = /\p{L}/u;
/** Filled cells that may follow each other: one of so many. */
const FOLLOWING = 5;

export function blanksBelow(plan: SheetPlan, batch: LaidOutBatch): Issue[] {
  const rows = Array.from({ length: Math.min(batch.count, MOST_ROWS) }, (_, row) => row).filter(
    (row) => !batch.documents.has(row),
  );
  const cells = rows.map((row) => batchCells(batch, row).split('\t'));
  const issues: Issue[] = [];
  for (const { name, text } of plan.layout.characteristics) {
    const values = cells.map((row) => row[text] ?? '');
    const column = plan.keptColumns[text];
    if (column === undefined || issues.length === MOST_SAID || REMARKS.test(name) || !isOfGroups(values)) continue;
    const blank = values.indexOf('');
    const above = values[blank - 1] as string;
    const cell = `${columnLetter(column)}${batch.lines[rows[blank] as number]}`;
    const message = `"${shorten(name)}" has a value in some rows and none in those below, and none over again in the next that has one: ${cell} is empty below "${shorten(above)}". An empty cell is no value; where it means the one above, fill that down and upload the sheet anew.`;
    issues.push(rowIssue('suspect.blanks-below', cellPlace(plan, plan.headerLine, column), { value: above, message }));
  }
  return issues;
}

/** A word in the first row, then as many empty rows as filled ones at least, and no word that is the one above it over again. */
function isOfGroups(values: readonly string[]): boolean {
  const filled = [...values.keys()].filter((row) => values[row] !== '');
  if (filled[0] !== 0 || filled.length < 2 || filled.length * 2 > values.length) return false;
  if (!values.some((value, row) => value === '' && values[row - 1] === '')) return false;
  const following = filled.filter((row, at) => filled[at - 1] === row - 1).length;
  const words = filled.map((row) => values[row] as string);
  return following * FOLLOWING <= words.length && words.every((word, at) => WORD.test(word) && word !== words[at - 1]);
}

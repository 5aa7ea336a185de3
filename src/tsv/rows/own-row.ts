/** What is said of a row stays with its batch, of a thousand such rows: names and values that are parts of the row would keep all of it. */
import { ownText } from '../../registry/own-text.js';
import type { Issue, RejectedRow } from '../../registry/samples/sample-batch.js';

/** Characters of a row that is no less than what is said of it; of shorter ones many stand in one text. */
const WIDE = 4_096;

/** `length`: of the row. */
export const ownRow = (row: RejectedRow, length: number): RejectedRow =>
  length < WIDE ? row : { ...row, name: ownText(row.name), issues: row.issues.map(ownIssue) };

const ownIssue = ({ value, message, suggestion, ...issue }: Issue): Issue => ({
  ...issue,
  message: ownText(message),
  ...(value === undefined ? {} : { value: ownText(value) }),
  ...(suggestion === undefined ? {} : { suggestion: ownText(suggestion) }),
});

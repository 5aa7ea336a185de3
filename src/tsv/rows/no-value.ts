/** Words for no value where a row needs one: they name no sample, and whoever takes them for a key takes the rows of two files for one sample. */
import { rowIssue, shorten } from '../../registry/row-issue.js';
import type { IssuePlace } from '../../registry/row-places.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import { saysNoValue } from '../propose/column-values.js';

const LONGEST = 20;

/** What programs and people write where there is no value: `NULL`, `n/a`, `-`. */
export const noValueIn = (text: string, start: number, end: number): boolean =>
  end - start <= LONGEST && saysNoValue(text.substring(start, end));

/** `first`: line of the row above that has the same word. */
export const repeatedNoName = (place: IssuePlace, name: string, first: number): Issue =>
  rowIssue('name.repeated', place, {
    value: name,
    message: `"${shorten(name)}" is what programs and people write where there is no name, here as on line ${first}. Give each sample a name of its own, or delete the rows that are no samples.`,
  });

/** `title`: of the column that identifies the rows. */
export const noKey = (place: IssuePlace, key: string, title: string): Issue =>
  rowIssue('key.missing', place, {
    value: key,
    message:
      key === ''
        ? `The row has no ${title}, by which the rows are known again. Fill it.`
        : `"${shorten(key)}" in ${title} is what programs and people write where there is no value; another file may have it for another sample. Give the row a key of its own.`,
  });

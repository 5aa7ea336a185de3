/** How far two words are apart. */

/** Farther than any limit that is asked for. */
const FAR = 1 << 29;

/** Rows of the table, used again: who looks for the nearest of thousands of words would make as many lists as they have letters. */
let rows: [Int32Array, Int32Array, Int32Array] = newRows(128);

function newRows(length: number): typeof rows {
  return [new Int32Array(length), new Int32Array(length), new Int32Array(length)];
}

/** Letters to insert, drop, replace or swap with their neighbour. Of words that are farther apart than `limit`: more than that. */
export function editDistance(one: string, other: string, limit = Math.max(one.length, other.length)): number {
  const [a, b] = withoutShared(one, other);
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  if (a === '' || b === '') return a.length + b.length;
  if (rows[0].length < b.length + 2) rows = newRows(b.length + 2);
  let [before, above, row] = rows;
  for (let j = 0; j <= b.length; j++) above[j] = j;
  let leastAbove = 0;
  for (let i = 1; i <= a.length; i++) {
    const least = fillRow(i, a, b, limit, before, above, row);
    if (least > limit && leastAbove > limit) return limit + 1;
    leastAbove = least;
    [before, above, row] = [above, row, before];
  }
  return above[b.length] as number;
}

/** Without the letters that both begin with, and those that both end with. */
function withoutShared(a: string, b: string): [string, string] {
  let start = 0;
  while (start < a.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/** Of the table, as far as the limit reaches from its diagonal; answers the least of it. */
function fillRow(
  i: number,
  a: string,
  b: string,
  limit: number,
  before: Int32Array,
  above: Int32Array,
  row: Int32Array,
): number {
  const first = Math.max(1, i - limit);
  const last = Math.min(b.length, i + limit);
  const letter = a.charCodeAt(i - 1);
  const letterBefore = i > 1 ? a.charCodeAt(i - 2) : -1;
  let left = first === 1 ? i : FAR;
  row[first - 1] = left;
  let least = left;
  let otherBefore = first > 1 ? b.charCodeAt(first - 2) : -1;
  for (let j = first; j <= last; j++) {
    const other = b.charCodeAt(j - 1);
    const replaced = (above[j - 1] as number) + (letter === other ? 0 : 1);
    left = Math.min(replaced, (above[j] as number) + 1, left + 1);
    const isSwapped = letterBefore === other && letter === otherBefore;
    if (isSwapped) left = Math.min(left, (before[j - 2] as number) + 1);
    row[j] = left;
    least = Math.min(least, left);
    otherBefore = other;
  }
  if (last < b.length) row[last + 1] = FAR;
  return least;
}

/** How far two words are apart. */

/** Farther than any limit that is asked for. */
const FAR = 1 << 29;

/** Rows of the table, used again: who looks for the nearest of thousands of words would make as many lists as they have letters. */
let rows: [Int32Array, Int32Array, Int32Array] = newRows(128);

function newRows(length: number): typeof rows {
  return [new Int32Array(length), new Int32Array(length), new Int32Array(length)];
}

/** Letters to insert, drop, replace or swap with their neighbour. Of words that are farther apart than `limit`: more than that. */
export function editDistance(a: string, b: string, limit = Math.max(a.length, b.length)): number {
  let start = 0;
  let endA = a.length;
  let endB = b.length;
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  const height = endA - start;
  const width = endB - start;
  if (Math.abs(height - width) > limit) return limit + 1;
  if (height === 0 || width === 0) return height + width;
  if (rows[0].length < width + 2) rows = newRows(width + 2);
  let [before, above, row] = rows;
  for (let j = 0; j <= width; j++) above[j] = j;
  let leastAbove = 0;
  for (let i = 1; i <= height; i++) {
    // What is farther from the diagonal than the limit is out of reach.
    const first = Math.max(1, i - limit);
    const last = Math.min(width, i + limit);
    row[first - 1] = first === 1 ? i : FAR;
    let least = row[first - 1] as number;
    const letter = a.charCodeAt(start + i - 1);
    const letterBefore = i > 1 ? a.charCodeAt(start + i - 2) : -1;
    for (let j = first; j <= last; j++) {
      const other = b.charCodeAt(start + j - 1);
      let best = (above[j - 1] as number) + (letter === other ? 0 : 1);
      best = Math.min(best, (above[j] as number) + 1, (row[j - 1] as number) + 1);
      if (j > 1 && letterBefore === other && letter === b.charCodeAt(start + j - 2)) {
        best = Math.min(best, (before[j - 2] as number) + 1);
      }
      row[j] = best;
      least = Math.min(least, best);
    }
    if (last < width) row[last + 1] = FAR;
    if (least > limit && leastAbove > limit) return limit + 1;
    leastAbove = least;
    [before, above, row] = [above, row, before];
  }
  return above[width] as number;
}

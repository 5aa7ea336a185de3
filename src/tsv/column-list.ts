/** One set of columns for samples of different content: each finds its own values in order. */

/** Groups of neighbouring columns; groups of one key hold the same kind of thing. Each cell is a header and a text. */
export type ColumnList = { key: string; cells: [header: string, text: string][] }[];

interface Group {
  key: string;
  headers: string[];
}

export interface SharedColumns {
  headers: string[];
  /** The texts of one list by column, empty where it has none. */
  place(list: ColumnList): string[];
}

/** The shortest run of groups in which every list is found in its own order, taken greedily. */
export function columnSupersequence(lists: readonly ColumnList[]): SharedColumns {
  const groups: Group[] = [];
  const headersOf = new Map<string, string[]>();
  for (const list of lists) {
    let at = 0;
    for (const { key, cells } of list) {
      const headers = headersOf.get(key) ?? [];
      headersOf.set(key, headers);
      mergeHeaders(headers, cells);
      const found = groups.findIndex((group, i) => i >= at && group.key === key);
      if (found < 0) groups.splice(at, 0, { key, headers });
      at = (found < 0 ? at : found) + 1;
    }
  }
  return { headers: groups.flatMap(({ headers }) => headers), place: (list) => placed(list, groups) };
}

/** Every group of a key has the same columns: the most terms and the unit that any sample of it needs. */
function mergeHeaders(headers: string[], cells: readonly [string, string][]): void {
  let at = 0;
  for (const [header] of cells) {
    const found = headers.indexOf(header, at);
    if (found < 0) headers.splice(at, 0, header);
    at = (found < 0 ? at : found) + 1;
  }
}

function placed(list: ColumnList, groups: readonly Group[]): string[] {
  const texts: string[] = [];
  let next = 0;
  for (const { key, headers } of groups) {
    const own = list[next]?.key === key ? list[next++] : undefined;
    let at = 0;
    for (const header of headers) {
      const cell = own?.cells[at];
      if (cell && cell[0] === header) at++;
      texts.push(cell && cell[0] === header ? cell[1] : '');
    }
  }
  return texts;
}

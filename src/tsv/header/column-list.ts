/** One set of columns for samples of different content: each finds its own values in order. */

/** One value. Within a group, cells of the same role stand for the same column; a role may occur several times. */
export interface PlacedCell {
  role: string;
  header: string;
  text: string;
}

/** Groups of neighbouring columns; groups of one key hold the same kind of thing. */
export type ColumnList = { key: string; cells: PlacedCell[] }[];

type Column = Omit<PlacedCell, 'text'>;

interface Group {
  key: string;
  columns: Column[];
}

export interface SharedColumns {
  headers: string[];
  /** The texts of one list by column, empty where it has none. */
  place(list: ColumnList): string[];
}

/** The shortest run of groups in which every list is found in its own order, taken greedily. */
export function columnSupersequence(lists: readonly ColumnList[]): SharedColumns {
  const groups: Group[] = [];
  const columnsOf = new Map<string, Column[]>();
  for (const list of lists) {
    let at = 0;
    for (const { key, cells } of list) {
      const columns = columnsOf.get(key) ?? [];
      columnsOf.set(key, columns);
      mergeColumns(columns, cells);
      const found = groups.findIndex((group, i) => i >= at && group.key === key);
      if (found < 0) groups.splice(at, 0, { key, columns });
      at = (found < 0 ? at : found) + 1;
    }
  }
  const headers = () => groups.flatMap(({ columns }) => columns.map(({ header }) => header));
  return { headers: headers(), place: (list) => placed(list, groups) };
}

/** Every group of a key has the same columns: the most terms and the unit that any sample of it needs. */
function mergeColumns(columns: Column[], cells: readonly PlacedCell[]): void {
  let at = 0;
  for (const { role, header } of cells) {
    const found = columns.findIndex((column, i) => i >= at && column.role === role);
    if (found < 0) columns.splice(at, 0, { role, header });
    at = (found < 0 ? at : found) + 1;
  }
}

function placed(list: ColumnList, groups: readonly Group[]): string[] {
  const texts: string[] = [];
  let next = 0;
  for (const { key, columns } of groups) {
    const own = list[next]?.key === key ? list[next++] : undefined;
    let at = 0;
    for (const { role } of columns) {
      const cell = own?.cells[at];
      if (cell?.role === role) at++;
      texts.push(cell?.role === role ? cell.text : '');
    }
  }
  return texts;
}

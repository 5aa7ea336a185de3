/** One set of columns for samples of different content: each finds its own values in order. */

/** One value. Within a group, cells of the same role stand for the same column; a role may occur several times. */
export interface PlacedCell {
  role: string;
  header: string;
  text: string;
  /** Within a group, columns of a higher one stand behind those of a lower one; absent: 0. */
  order?: number;
}

/** Groups of neighbouring columns; groups of one key hold the same kind of thing. */
export type ColumnList = { key: string; cells: PlacedCell[] }[];

type Column = Omit<PlacedCell, 'text'>;

interface Group {
  key: string;
  columns: Column[];
}

/** The shortest run of groups in which every list is found in its own order, taken greedily. */
export class SharedColumns {
  #groups: Group[] = [];
  readonly #ofKey = new Map<string, Group>();

  /** Work in proportion to the columns that there are and the list's own. */
  add(list: ColumnList): void {
    const wanted = list.map(({ key, cells }) => {
      const group = this.#ofKey.get(key) ?? { key, columns: [] };
      this.#ofKey.set(key, group);
      // Every group of a key has the same columns: the most terms and the unit that any sample of it needs.
      const columns = merged(group.columns, cells, ({ role }) => role);
      // A term behind a unit would be the unit's.
      if (columns !== group.columns) {
        group.columns = columns.sort((one, other) => (one.order ?? 0) - (other.order ?? 0));
      }
      return group;
    });
    this.#groups = merged(this.#groups, wanted, ({ key }) => key);
  }

  get width(): number {
    return this.#groups.reduce((sum, { columns }) => sum + columns.length, 0);
  }

  headers(): string[] {
    return this.#groups.flatMap(({ columns }) => columns.map(({ header }) => header));
  }

  /** The texts of one list by column, empty where it has none. */
  place(list: ColumnList): string[] {
    return placed(list, this.#groups);
  }
}

/** `present` with what is wanted and not in it, in the order of both; itself when nothing is to be added. */
function merged<T>(present: T[], wanted: readonly T[], keyOf: (one: T) => string): T[] {
  if (wanted.length <= present.length && wanted.every((one, at) => keyOf(one) === keyOf(present[at] as T)))
    return present;
  /** Where each key is, the first place last. */
  const places = new Map<string, number[]>();
  for (let at = present.length - 1; at >= 0; at--) {
    const key = keyOf(present[at] as T);
    const own = places.get(key);
    if (own) own.push(at);
    else places.set(key, [at]);
  }
  const result: T[] = [];
  let next = 0;
  for (const one of wanted) {
    const own = places.get(keyOf(one)) ?? [];
    while (own.length > 0 && (own.at(-1) as number) < next) own.pop();
    const found = own.at(-1);
    if (found === undefined) result.push(one);
    else while (next <= found) result.push(present[next++] as T);
  }
  while (next < present.length) result.push(present[next++] as T);
  return result;
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

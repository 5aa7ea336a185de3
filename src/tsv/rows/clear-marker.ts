/** Cells that say that a value is to be taken away (docs/decisions/0126-cells-that-clear.md). */

import type { Cleared } from '../../registry/merge.js';
import type { SampleLayout } from '../../registry/packed-sample.js';
import { rowIssue } from '../../registry/row-issue.js';
import type { Issue } from '../../registry/sample-batch.js';
import type { Row } from '../bytes/row.js';
import { isClearMarker } from '../dialect.js';
import { cellPlace } from '../header/cell-place.js';
import type { SheetPlan } from '../header/columns.js';
import { spell } from './read-cells.js';

export class MarkedCells {
  /** Columns of the row that was read last whose cells held the marker; they are empty now. */
  columns: readonly number[] = [];
  readonly #marker: string;
  /** These take nothing away: a sample has a release in any case, and an identifier is none of its values. */
  readonly #kept: readonly (number | undefined)[];
  #text = '';
  /** Where the marker's first character comes next in that text; -1 when it does not. */
  #next = -1;

  constructor(
    marker: string,
    { releaseColumn, identifierColumn }: Pick<SheetPlan, 'releaseColumn' | 'identifierColumn'>,
  ) {
    this.#marker = marker;
    this.#kept = [releaseColumn, identifierColumn];
  }

  /** Empties the cells of the row that hold the marker. */
  read(row: Row): void {
    if (this.columns.length > 0) this.columns = [];
    if (!this.#mayHold(row)) return;
    const columns: number[] = [];
    for (let cell = 0; cell < row.cells; cell++) {
      if (!this.#kept.includes(cell) && isClearMarker(row.cell(cell), this.#marker)) columns.push(cell);
    }
    if (columns.length === 0) return;
    const cells = row.toCells();
    for (const column of columns) cells[column] = '';
    spell(row, cells);
    this.columns = columns;
  }

  /** Most texts hold no such character, and are looked through once for all of their rows. */
  #mayHold(row: Row): boolean {
    if (row.cells === 0) return false;
    const from = row.starts[0] as number;
    if (row.text !== this.#text) {
      this.#text = row.text;
      this.#next = this.#find(from);
    } else if (this.#next !== -1 && this.#next < from) this.#next = this.#find(from);
    return this.#next !== -1 && this.#next < (row.ends[row.cells - 1] as number);
  }

  #find(from: number): number {
    const [first] = this.#marker as unknown as [string];
    const [low, high] = [this.#text.indexOf(first, from), this.#text.indexOf(first.toUpperCase(), from)];
    return low === -1 || high === -1 ? Math.max(low, high) : Math.min(low, high);
  }
}

/** What of a sample the cells of these columns say: units and terms go with their value, and take nothing away by themselves (`unitsAlone`). */
export function clearedBy(columns: readonly number[], { keptColumns, layout }: SheetPlan): Cleared | undefined {
  const cells = new Set(columns.map((column) => keptColumns.indexOf(column)));
  const holds = (records: SampleLayout['contact']): boolean =>
    records.some((record) => Object.values(record).some((cell) => cells.has(cell)));
  const cleared: Cleared = {
    characteristics: layout.characteristics.flatMap(({ name, text }) => (cells.has(text) ? [name] : [])),
    relationships: layout.relationships.flatMap(({ type, target }) => (cells.has(target) ? [type] : [])),
    lists: [
      ...(layout.externalReferences.some((cell) => cells.has(cell)) ? (['externalReferences'] as const) : []),
      ...(['contact', 'organization', 'publications'] as const).filter((list) => holds(layout[list])),
    ],
  };
  const count = cleared.characteristics.length + cleared.relationships.length + cleared.lists.length;
  return count === 0 ? undefined : cleared;
}

/** Marked units and terms whose value the row neither gives nor clears: a merge keeps such a characteristic as it is. */
export function unitsAlone(columns: readonly number[], row: Row, plan: SheetPlan): Issue[] {
  const { keptColumns, layout } = plan;
  return columns.flatMap((column) => {
    const cell = keptColumns.indexOf(column);
    const of = cell < 0 ? undefined : layout.characteristics.find((each) => cellsBeside(each).includes(cell));
    if (of === undefined) return [];
    const value = keptColumns[of.text] as number;
    if (columns.includes(value) || row.isFilled(value)) return [];
    const message = `Nothing is taken away: a unit or term goes with its value. Write the value into Characteristics[${of.name}] again to have it without, or put the marker there to take away both.`;
    return [rowIssue('clear.unit-alone', cellPlace(plan, row.line, column), { message })];
  });
}

const cellsBeside = ({ unit, terms = [], unitTerms = [] }: SampleLayout['characteristics'][number]): number[] => [
  ...(unit === undefined ? [] : [unit]),
  ...[...terms, ...unitTerms].flatMap((term) => Object.values(term) as number[]),
];

/** What of a sample the columns of a sheet say, where a marker in their cells takes it away (docs/decisions/0126-cells-that-clear.md). */

import { rowIssue } from '../../registry/row-issue.js';
import type { Cleared } from '../../registry/samples/merge.js';
import type { CharacteristicCells, RecordCells } from '../../registry/samples/packed-sample.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import type { Row } from '../bytes/row.js';
import { cellPlace } from '../header/cell-place.js';
import type { SheetPlan } from '../header/columns.js';

type Part = { of: 'characteristics' | 'relationships'; name: string } | { of: 'lists'; name: Cleared['lists'][number] };

/** Made once for a sheet: a row may have thousands of such cells, and there may be a million rows. */
export class ClearedParts {
  /** By column of the sheet, of the columns that give a value. */
  readonly #parts = new Map<number, Part>();
  /** By column of a unit or a term: the characteristic, and the column of its value. */
  readonly #besides = new Map<number, { name: string; value: number }>();

  constructor(private readonly plan: Pick<SheetPlan, 'layout' | 'keptColumns' | 'header' | 'added'>) {
    const { layout } = plan;
    for (const characteristic of layout.characteristics) {
      const { name, text } = characteristic;
      this.#give(text, { of: 'characteristics', name });
      for (const cell of cellsBeside(characteristic))
        this.#besides.set(this.#column(cell), { name, value: this.#column(text) });
    }
    for (const { type, target } of layout.relationships) this.#give(target, { of: 'relationships', name: type });
    for (const cell of layout.externalReferences) this.#give(cell, { of: 'lists', name: 'externalReferences' });
    for (const name of ['contact', 'organization', 'publications'] as const) {
      for (const cell of layout[name].flatMap(cellsOf)) this.#give(cell, { of: 'lists', name });
    }
  }

  /** Units and terms go with their value, and take nothing away by themselves (`unitsAlone`). */
  clearedBy(columns: readonly number[]): Cleared | undefined {
    const parts = columns.flatMap((column) => this.#parts.get(column) ?? []);
    if (parts.length === 0) return undefined;
    const names = (of: Part['of']): string[] => [
      ...new Set(parts.flatMap((part) => (part.of === of ? [part.name] : []))),
    ];
    return {
      characteristics: names('characteristics'),
      relationships: names('relationships'),
      lists: names('lists') as Cleared['lists'],
    };
  }

  /** Marked units and terms whose value the row neither gives nor clears: a merge keeps such a characteristic as it is. */
  unitsAlone(columns: readonly number[], row: Row): Issue[] {
    const marked = new Set(columns);
    return columns.flatMap((column) => {
      const beside = this.#besides.get(column);
      if (beside === undefined || marked.has(beside.value) || row.isFilled(beside.value)) return [];
      const message = `Nothing is taken away: a unit or term goes with its value. Write the value into Characteristics[${beside.name}] again to have it without, or put the marker there to take away both.`;
      return [rowIssue('clear.unit-alone', cellPlace(this.plan, row.line, column), { message })];
    });
  }

  #give(cell: number, part: Part): void {
    this.#parts.set(this.#column(cell), part);
  }

  #column(cell: number): number {
    return this.plan.keptColumns[cell] as number;
  }
}

const cellsOf = (record: RecordCells): number[] => Object.values(record);

const cellsBeside = ({ unit, terms = [], unitTerms = [] }: CharacteristicCells): number[] => [
  ...(unit === undefined ? [] : [unit]),
  ...[...terms, ...unitTerms].flatMap((term) => Object.values(term) as number[]),
];

/** Units that stand behind another column than theirs: a second one behind a characteristic, and those beside words. */

import { rowIssue, shorten } from '../../registry/row-issue.js';
import type { CharacteristicCells } from '../../registry/samples/packed-sample.js';
import { batchCells, type Issue, type LaidOutBatch } from '../../registry/samples/sample-batch.js';
import { columnLetter } from '../../tsv/dialect.js';
import { cellPlace } from '../../tsv/header/cell-place.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import { columnKind } from '../../tsv/header/header-name.js';

/** Rows that are looked at, and different values of a column that must be words alone. */
const MOST_ROWS = 200;
const FEWEST_VALUES = 2;
/** Second units that are named. */
const MOST_SAID = 10;

const WHERE = 'A Unit belongs right behind the column whose unit it says';

export const unitsAstray = (plan: SheetPlan, batch: LaidOutBatch): Issue[] => [
  ...secondUnits(plan),
  ...unitsOfWords(plan, batch),
];

/** As where columns were sorted, or all units stand behind all values. */
function secondUnits({ layout, keptColumns, header, headerLine }: SheetPlan): Issue[] {
  const cells = new Map(keptColumns.map((column, cell) => [column, cell]));
  const owners = new Map(layout.characteristics.map((characteristic) => [characteristic.text, characteristic]));
  const issues: Issue[] = [];
  let owner: CharacteristicCells | undefined;
  for (let column = 0; column < header.length && issues.length < MOST_SAID; column++) {
    const cell = cells.get(column);
    const { kind } = columnKind(header[column] as string);
    if (cell !== undefined) owner = owners.get(cell) ?? owner;
    else if (kind === 'owner' || kind === 'unknown') owner = undefined;
    else if (kind === 'unit' && owner?.unit !== undefined) {
      const first = columnLetter(keptColumns[owner.unit] as number);
      const message = `Behind "${shorten(owner.name)}" there are two Unit columns: that in ${first} is taken for its unit, this one (${columnLetter(column)}) is not stored. ${WHERE}; move there what is of another.`;
      issues.push(rowIssue('unit.astray', cellPlace({ header }, headerLine, column), { message }));
    }
  }
  return issues;
}

/** As where a column was put between a value and its unit. */
function unitsOfWords(plan: SheetPlan, batch: LaidOutBatch): Issue[] {
  const { layout, keptColumns, headerLine } = plan;
  const measured = layout.characteristics.filter(({ unit }) => unit !== undefined);
  if (measured.length === 0) return [];
  const rows = Array.from({ length: Math.min(batch.count, MOST_ROWS) }, (_, row) => row)
    .filter((row) => !batch.documents.has(row))
    .map((row) => batchCells(batch, row).split('\t'));
  return measured.flatMap(({ name, text, unit }): Issue[] => {
    const values = rows.filter((cells) => cells[text] && cells[unit as number]).map((cells) => cells[text] as string);
    if (new Set(values).size < FEWEST_VALUES || values.some((value) => /\d/.test(value))) return [];
    const column = keptColumns[unit as number] as number;
    const example = rows.find((cells) => cells[text] && cells[unit as number]) as string[];
    const said = `${shorten(example[text] as string)} ${shorten(example[unit as number] as string)}`;
    const message = `The unit is that of "${shorten(name)}", whose values are words: "${said}". ${WHERE}; if it is of another, move it there.`;
    return [
      rowIssue('unit.astray', cellPlace(plan, headerLine, column), {
        value: example[unit as number] as string,
        message,
      }),
    ];
  });
}

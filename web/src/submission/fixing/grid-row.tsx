import { Table } from '@mantine/core';
import { type ClipboardEvent, memo } from 'react';
import { columnLetter } from '../../../../src/tsv/dialect.js';
import type { CellIssue } from '../../api/contract.js';
import type { SheetRow } from '../../sheet/read-rows.js';
import { type Span, Undrawn } from '../../show/virtual-rows.js';
import { SeverityMark } from '../issue-groups.js';
import { placeOf } from '../issue-list.js';
import { GridField } from './grid-field.js';

export interface Cell {
  row: SheetRow;
  place: number;
}

/** The same list each time, so that a row without issues is not drawn again. */
export const NO_ISSUES: readonly CellIssue[] = [];

interface GridRowProps extends Span {
  row: SheetRow;
  columns: readonly string[];
  edits: ReadonlyMap<number, string> | undefined;
  issues: readonly CellIssue[];
  onEdit: (row: SheetRow, place: number, text: string) => void;
  onEnter: (cell: Cell) => void;
  onPaste: (cell: Cell, event: ClipboardEvent<HTMLElement>) => void;
}

/** Cells of a line. Drawn again only when something of this line is another. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, from, to, columns, edits, issues, onEdit, onEnter, onPaste } = props;
  const ofRow = issues.filter((issue) => placeOf(issue, columns) === undefined);
  return (
    <>
      <Table.Th scope="row" fw={400} aria-colindex={1} title={wordsOf(ofRow)}>
        <span className="marked">
          {row.line}
          <Mark issues={ofRow} />
        </span>
      </Table.Th>
      <Undrawn when={props.before} />
      {Array.from({ length: to - from }, (_, at) => from + at).map((place) => {
        const here = issues.filter((issue) => placeOf(issue, columns) === place);
        const tone = toneOf(here);
        return (
          <Table.Td key={place} p={2} aria-colindex={place + 2}>
            <span className="marked">
              <GridField
                label={`Line ${row.line}, column ${columnLetter(place)} ${columns[place] ?? ''}`}
                tone={tone ?? (edits?.has(place) ? 'changed' : undefined)}
                title={wordsOf(here)}
                value={edits?.get(place) ?? row.cells[place] ?? ''}
                onText={(text) => onEdit(row, place, text)}
                onFocus={() => onEnter({ row, place })}
                onPaste={(event) => onPaste({ row, place }, event)}
              />
              <Mark issues={here} />
            </span>
          </Table.Td>
        );
      })}
      <Undrawn when={props.after} />
    </>
  );
});

/** By shape and word, not by colour alone. */
function Mark({ issues }: { issues: readonly CellIssue[] }) {
  const tone = toneOf(issues);
  return tone && <SeverityMark severity={tone === 'bad' ? 'error' : 'warning'} />;
}

function toneOf(issues: readonly CellIssue[]): 'bad' | 'care' | undefined {
  if (issues.length === 0) return undefined;
  return issues.some(({ severity }) => severity === 'error') ? 'bad' : 'care';
}

const wordsOf = (issues: readonly CellIssue[]): string | undefined =>
  issues.length === 0 ? undefined : issues.map(({ message }) => message).join(' ');

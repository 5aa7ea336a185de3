import { Button, Checkbox, Group, Stack, Table, Text } from '@mantine/core';
import { type ClipboardEvent, useCallback, useMemo, useState } from 'react';
import { columnLetter } from '../../../../src/tsv/dialect.js';
import type { IssueReport } from '../../api/issues.js';
import type { SheetRow } from '../../sheet/read-rows.js';
import { ALL_COLUMNS, Undrawn, VirtualRows } from '../../show/virtual-rows.js';
import { count, counted } from '../../show/words.js';
import { placeOf } from '../issue-list.js';
import { MisspeltHeaders } from '../misspelt-headers.js';
import type { RowChecks } from '../row-checks.js';
import type { EditableSheet } from './editable-sheet.js';
import type { Edit, Edits } from './fixing.js';
import { emptyBelow, textAt } from './grid-cells.js';
import { type Cell, GridRow, NO_ISSUES } from './grid-row.js';
import { copiedCells, pasteInto } from './pasted-cells.js';
import { ReplaceInSheet } from './replace-in-sheet.js';

const LINE_PIXELS = 72;
const CELL_PIXELS = 170;

interface SheetGridProps {
  sheet: EditableSheet;
  report: IssueReport;
  edits: Edits;
  checks: RowChecks;
  onEdit: (edits: readonly Edit[]) => void;
}

/** The sheet itself: every cell to be changed where it stands, each with what is wrong with it as it is now. */
export function SheetGrid({ sheet, report, edits, checks, onEdit }: SheetGridProps) {
  const [onlyBad, setOnlyBad] = useState(false);
  const [at, setAt] = useState<Cell>();
  const reported = useMemo(() => new Map(report.rows.map(({ line, issues }) => [line, issues])), [report]);
  const rows = useMemo(() => {
    const shown = onlyBad ? sheet.rows.filter(({ line }) => reported.has(line)) : sheet.rows;
    return sheet.header ? [sheet.header, ...shown] : shown;
  }, [sheet, reported, onlyBad]);
  const width = useMemo(() => rows.reduce((most, { cells }) => Math.max(most, cells.length), 0), [rows]);
  const issuesOf = (line: number) => (edits.has(line) ? checks.issuesOf(line) : reported.get(line)) ?? NO_ISSUES;
  const edit = useCallback(
    ({ line, cells }: SheetRow, column: number, text: string) =>
      onEdit([{ line, column, text, original: cells[column] ?? '' }]),
    [onEdit],
  );
  const [leftOut, setLeftOut] = useState(0);
  const paste = useCallback(
    ({ row, place }: Cell, event: ClipboardEvent<HTMLElement>) => {
      const copied = copiedCells(event.clipboardData.getData('text/plain'));
      if (!copied) return setLeftOut(0);
      event.preventDefault();
      const pasted = pasteInto(rows, width, { line: row.line, place }, copied);
      setLeftOut(pasted.leftOut);
      onEdit(pasted.edits);
    },
    [rows, width, onEdit],
  );
  return (
    <Stack gap="sm">
      {sheet.header && <MisspeltHeaders header={sheet.header} edits={edits} onEdit={onEdit} />}
      <ReplaceInSheet sheet={sheet} edits={edits} onEdit={onEdit} />
      <Checkbox
        label={`Only the ${counted(reported.size, 'row')} with something to look at`}
        checked={onlyBad}
        onChange={(event) => setOnlyBad(event.currentTarget.checked)}
      />
      <VirtualRows
        label="The sheet"
        columns={width + 1}
        count={rows.length}
        rowHeight={33}
        maxHeight={560}
        minWidth={LINE_PIXELS + CELL_PIXELS * width}
        widths={{ first: LINE_PIXELS, others: CELL_PIXELS }}
        rowKey={(index) => rows[index]?.line ?? index}
        head={({ from, to, before, after }) => (
          <>
            <Table.Th w={LINE_PIXELS} aria-colindex={1}>
              Line
            </Table.Th>
            <Undrawn when={before} />
            {Array.from({ length: to - from }, (_, at) => from + at).map((place) => (
              <Table.Th key={place} className="name" aria-colindex={place + 2}>
                <Text component="span" inherit c="dimmed">
                  {columnLetter(place)}
                </Text>{' '}
                {edits.get(sheet.header?.line ?? 0)?.get(place) ?? sheet.columns[place] ?? ''}
              </Table.Th>
            ))}
            <Undrawn when={after} />
          </>
        )}
        row={(index, { from, to, before, after }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <GridRow
              row={row}
              from={from}
              to={to}
              before={before}
              after={after}
              columns={sheet.columns}
              edits={edits.get(row.line)}
              issues={issuesOf(row.line)}
              onEdit={edit}
              onEnter={setAt}
              onPaste={paste}
            />
          );
        }}
      />
      {width > ALL_COLUMNS && (
        <Text size="sm" c="dimmed">
          {counted(width, 'column')}: those in sight are drawn, and the browser’s own search finds nothing in the
          others. Scroll sideways, or find cells of any column with “Find” above.
        </Text>
      )}
      {leftOut > 0 && (
        <Text size="sm" role="alert">
          {counted(leftOut, 'pasted cell')} {leftOut === 1 ? 'was' : 'were'} left out: the sheet has no row or column
          there. Paste from a cell further up or left, or add rows in your spreadsheet program.
        </Text>
      )}
      <AboutCell at={at} sheet={sheet} edits={edits} issuesOf={issuesOf} onEdit={onEdit} />
    </Stack>
  );
}

interface AboutCellProps extends Pick<SheetGridProps, 'sheet' | 'edits' | 'onEdit'> {
  at: Cell | undefined;
  issuesOf: (line: number) => typeof NO_ISSUES;
}

/** What is wrong in the cell where the cursor stands, and what can be done with it. */
function AboutCell({ at, sheet, edits, issuesOf, onEdit }: AboutCellProps) {
  if (!at) {
    return (
      <Text size="sm" c="dimmed" role="status">
        Go to a cell to read what is said of it.
      </Text>
    );
  }
  const { row, place } = at;
  const issues = issuesOf(row.line).filter((issue) => {
    const there = placeOf(issue, sheet.columns);
    return there === place || there === undefined;
  });
  const text = textAt(row, place, edits);
  const isHeader = row.line === sheet.header?.line;
  const below = text === '' || isHeader ? [] : emptyBelow(sheet.rows, row.line, place, edits);
  const put = (cells: readonly SheetRow[], value: string) =>
    onEdit(cells.map(({ line, cells: of }) => ({ line, column: place, text: value, original: of[place] ?? '' })));
  return (
    <Group gap="sm">
      <Text size="sm" role="status" className="name">
        {columnLetter(place)}
        {count(row.line)}: {issues.length === 0 ? 'nothing to say' : issues.map(({ message }) => message).join(' ')}
      </Text>
      {issues.map(({ suggestion, code }) =>
        suggestion === undefined ? null : (
          <Button
            key={`${code} ${suggestion}`}
            size="compact-sm"
            variant="default"
            onClick={() => put([row], suggestion)}
          >
            Use {suggestion}
          </Button>
        ),
      )}
      {below.length > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => put(below, text)}>
          Fill {counted(below.length, 'empty cell')} below with {text.slice(0, 40)}
        </Button>
      )}
    </Group>
  );
}

import { Table } from '@mantine/core';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { useKeptTable } from './kept-table.js';
import { ScrollBox } from './scroll-box.js';

interface VirtualRowsProps {
  label: string;
  head: ReactNode | ((columns: Span) => ReactNode);
  columns: number;
  count: number;
  /** Pixels; rows may be taller, they are measured. */
  rowHeight: number;
  /** Pixels, or any CSS length. */
  maxHeight?: number | string;
  minWidth?: number;
  /** Rows that come to be at its end are scrolled to. */
  showsAdded?: boolean;
  /** Of a table whose columns are alike but for the first: its width and that of each other one, in pixels. */
  widths?: { first: number; others: number };
  rowKey: (index: number) => string | number;
  /** The cells of one row. */
  row: (index: number, columns: Span) => ReactNode;
}

/** Of the columns behind the first: those from `from` to before `to` are drawn, with an empty cell for all on each side. */
export interface Span {
  from: number;
  to: number;
  before: boolean;
  after: boolean;
}

/** Tables with more columns have those in sight alone drawn. */
export const ALL_COLUMNS = 60;

/** A table of any length and width: only what is in sight is in the document, assistive software knows how much there is. */
export function VirtualRows(props: VirtualRowsProps) {
  const { widths } = props;
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: props.count,
    getScrollElement: () => box.current,
    estimateSize: () => props.rowHeight,
    getItemKey: props.rowKey,
    overscan: 8,
  });
  useKeptTable(box, rows, props);
  const counted = useRef(props.count);
  useEffect(() => {
    if (props.showsAdded && props.count > counted.current) rows.scrollToIndex(props.count - 1);
    counted.current = props.count;
  }, [props.showsAdded, props.count, rows]);
  const others = props.columns - 1;
  const bounded = widths !== undefined && others > ALL_COLUMNS ? widths : undefined;
  const columns = useVirtualizer({
    horizontal: true,
    count: bounded ? others : 0,
    getScrollElement: () => box.current,
    estimateSize: () => bounded?.others ?? 0,
    paddingStart: bounded?.first ?? 0,
    overscan: 4,
  });
  const span = bounded ? spanOf(columns, others) : { from: 0, to: others, before: false, after: false };
  const drawn = bounded ? 1 + span.to - span.from + Number(span.before) + Number(span.after) : props.columns;
  const shown = rows.getVirtualItems();
  const above = shown[0]?.start ?? 0;
  const below = rows.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <ScrollBox ref={box} label={props.label} maxHeight={props.maxHeight ?? 520}>
      <Table
        miw={props.minWidth ?? 640}
        aria-rowcount={props.count + 1}
        {...(bounded ? { 'aria-colcount': props.columns, layout: 'fixed' as const, w: props.minWidth } : {})}
      >
        {bounded && <Widths {...bounded} span={span} all={others} />}
        <Table.Thead>
          <Table.Tr aria-rowindex={1}>{typeof props.head === 'function' ? props.head(span) : props.head}</Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Spacer height={above} columns={drawn} />
          {shown.map((item) => (
            <Table.Tr key={item.key} data-index={item.index} ref={rows.measureElement} aria-rowindex={item.index + 2}>
              {props.row(item.index, span)}
            </Table.Tr>
          ))}
          <Spacer height={below} columns={drawn} />
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function spanOf(columns: Virtualizer<HTMLDivElement, Element>, all: number): Span {
  const shown = columns.getVirtualItems();
  const from = shown[0]?.index ?? 0;
  // Before the box has been measured nothing is in sight.
  const to = shown.length === 0 ? Math.min(all, ALL_COLUMNS) : (shown.at(-1)?.index ?? 0) + 1;
  return { from, to, before: from > 0, after: to < all };
}

interface WidthsProps {
  first: number;
  others: number;
  span: Span;
  all: number;
}

function Widths({ first, others, span: { from, to, before, after }, all }: WidthsProps) {
  return (
    <colgroup>
      <col style={{ width: first }} />
      {before && <col style={{ width: from * others }} />}
      {Array.from({ length: to - from }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
        <col key={place} style={{ width: others }} />
      ))}
      {after && <col style={{ width: (all - to) * others }} />}
    </colgroup>
  );
}

/** What stands for all columns on one side that are not drawn. */
export const Undrawn = ({ when }: { when: boolean }) => when && <td aria-hidden style={{ padding: 0 }} />;

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden style={{ height }}>
      <td colSpan={columns} style={{ padding: 0 }} />
    </tr>
  );
}

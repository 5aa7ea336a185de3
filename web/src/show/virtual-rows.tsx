import { Table } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { ScrollBox } from './scroll-box.js';

interface VirtualRowsProps {
  label: string;
  head: ReactNode;
  columns: number;
  count: number;
  /** Pixels; rows may be taller, they are measured. */
  rowHeight: number;
  /** Pixels, or any CSS length. */
  maxHeight?: number | string;
  minWidth?: number;
  rowKey: (index: number) => string | number;
  /** The cells of one row. */
  row: (index: number) => ReactNode;
}

/** A table of any length: only the rows in sight are in the document, assistive software knows how many there are. */
export function VirtualRows(props: VirtualRowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: props.count,
    getScrollElement: () => box.current,
    estimateSize: () => props.rowHeight,
    getItemKey: props.rowKey,
    overscan: 8,
  });
  const shown = rows.getVirtualItems();
  const above = shown[0]?.start ?? 0;
  const below = rows.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <ScrollBox ref={box} label={props.label} maxHeight={props.maxHeight ?? 520}>
      <Table miw={props.minWidth ?? 640} aria-rowcount={props.count + 1}>
        <Table.Thead>
          <Table.Tr aria-rowindex={1}>{props.head}</Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Spacer height={above} columns={props.columns} />
          {shown.map((item) => (
            <Table.Tr key={item.key} data-index={item.index} ref={rows.measureElement} aria-rowindex={item.index + 2}>
              {props.row(item.index)}
            </Table.Tr>
          ))}
          <Spacer height={below} columns={props.columns} />
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden style={{ height }}>
      <td colSpan={columns} style={{ padding: 0 }} />
    </tr>
  );
}

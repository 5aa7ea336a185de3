import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { keepTable, keptTable, type TablePlace } from './kept-places.js';
import { whenStill } from './when-still.js';

interface KeptTable {
  label: string;
  count: number;
  rowKey: (index: number) => string | number;
}

type Rows = Virtualizer<HTMLDivElement, Element>;

/** A long table says where the reader is in it, and begins there when they come back. */
export function useKeptTable(box: RefObject<HTMLDivElement | null>, rows: Rows, table: KeptTable): void {
  const latest = useRef(table);
  latest.current = table;
  const [before] = useState(() => keptTable(table.label));
  useLayoutEffect(
    () => keepTable(table.label, () => (box.current ? placeIn(box.current, rows, latest.current) : undefined)),
    [box, rows, table.label],
  );
  useEffect(() => {
    const element = box.current;
    const inside = element?.firstElementChild;
    if (before === undefined || !element || !inside) return;
    return whenStill(inside, () => scrolledTo(before, element, rows, latest.current));
  }, [box, rows, before]);
}

function placeIn(element: HTMLElement, rows: Rows, { count, rowKey }: KeptTable): TablePlace | undefined {
  const [top, left] = [element.scrollTop, element.scrollLeft];
  const first = rows.getVirtualItems().find(({ end }) => end > top);
  return first && first.index < count
    ? { row: rowKey(first.index), above: top - first.start, top, left, count }
    : undefined;
}

/** True: it is there. Rows above may be measured only now, and further rows may have to come. */
function scrolledTo(place: TablePlace, element: HTMLElement, rows: Rows, { count, rowKey }: KeptTable): boolean {
  const index = Array.from({ length: count }, (_, at) => rowKey(at)).indexOf(place.row);
  if (index === -1 && count < place.count) return false;
  const start = index === -1 ? undefined : rows.measurementsCache[index]?.start;
  const top = start === undefined ? place.top : start + place.above;
  element.scrollTo(place.left, top);
  const most = element.scrollHeight - element.clientHeight;
  return (
    Math.abs(element.scrollTop - Math.min(top, most)) <= 1 &&
    rows.getVirtualItems().some((item) => item.index === index)
  );
}

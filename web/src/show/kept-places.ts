/**
 * Where the reader was in each view: how far down, and at which row of its long tables. Back, Forward and the way up from one
 * of a list lead there again, every other link to the top. For as long as the page is open.
 */
import { whenStill } from './when-still.js';

/** Of a long table. */
export interface TablePlace {
  /** The first row in sight, and how many pixels of it are above the edge. */
  row: string | number;
  above: number;
  /** How far it was scrolled; for when that row is there no more. */
  top: number;
  left: number;
  /** Rows it had. */
  count: number;
}

interface Place {
  top: number;
  tables: ReadonlyMap<string, TablePlace>;
}

/** Addresses of which it is known; the oldest is forgotten. */
const MOST_PLACES = 100;

const places = new Map<string, Place>();
/** The tables that are shown, by their labels. */
const shown = new Map<string, () => TablePlace | undefined>();
/** With which query each view was left. */
const leftWith = new Map<string, string>();

const address = (): string => location.hash.replace(/^#?\/?/, '/');
const viewOf = (of: string): string => of.split('?')[0] as string;
const isBelow = (view: string, list: string): boolean => list !== '/' && view.startsWith(`${list}/`);

let present = address();
let returnedTo: Place | undefined;
let stop = (): void => undefined;

/** Where the reader was in this table of the view to which they have come back. */
export const keptTable = (label: string): TablePlace | undefined => returnedTo?.tables.get(label);

/** Says where the reader is in a table, for as long as it is shown. */
export function keepTable(label: string, place: () => TablePlace | undefined): () => void {
  shown.set(label, place);
  return () => {
    if (shown.get(label) === place) shown.delete(label);
  };
}

/** Where a link to a list leads: from one of it to the list as it was left, from elsewhere to all of it. */
export const wayTo = (list: string, view: string): string =>
  isBelow(view, list) ? (leftWith.get(list) ?? list) : list;

/** The address is another one now, and the view that was left is still drawn. */
export function addressChanged(byLink: boolean): void {
  const [from, to] = [present, address()];
  present = to;
  if (viewOf(to) === viewOf(from)) {
    // Another search: its list begins at its top.
    returnedTo = undefined;
    return;
  }
  keep(from);
  returnedTo = !byLink || isBelow(viewOf(from), viewOf(to)) ? places.get(to) : undefined;
  stop();
  if (returnedTo === undefined) {
    scrollTo(0, 0);
    return;
  }
  const { top } = returnedTo;
  // The view may come in parts: it is not yet long enough for where the reader was.
  stop = whenStill(document.documentElement, () => {
    scrollTo(0, top);
    return Math.abs(scrollY - top) <= 1;
  });
}

function keep(left: string): void {
  const tables = new Map<string, TablePlace>();
  for (const [label, place] of shown) {
    const one = place();
    if (one) tables.set(label, one);
  }
  places.delete(left);
  places.set(left, { top: scrollY, tables });
  leftWith.set(viewOf(left), left);
  const [oldest] = places.keys();
  if (places.size <= MOST_PLACES || oldest === undefined) return;
  places.delete(oldest);
  if (leftWith.get(viewOf(oldest)) === oldest) leftWith.delete(viewOf(oldest));
}

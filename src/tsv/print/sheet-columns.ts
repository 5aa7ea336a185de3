/**
 * The columns of a sheet of any number of samples, found before its first row, and the rows below them. Samples that
 * came from one sheet share a layout: where their cells go is worked out once for all of them, so that a row costs little
 * more than copying it.
 */
import { addTo } from '../../registry/lists.js';
import {
  CELL_SEPARATOR,
  type CharacteristicCells,
  type SampleLayout,
  type TermCells,
  unpackCells,
} from '../../registry/samples/packed-sample.js';
import type { SampleContent } from '../../registry/samples/sample.js';
import { COLUMN_LIMIT } from '../dialect.js';
import { type ColumnList, type PlacedCell, SharedColumns } from '../header/column-list.js';
import type { SheetPlan } from '../header/columns.js';
import { cellsOf, OWN, planOfSamples, saysTheSame, valueCell } from './sample-sheet.js';

/** A sheet of these samples would have more columns than are read. */
export class TooManyColumns extends Error {}

/** Where the cells of a layout's samples go: for each column of the sheet the cell, or -1. */
export interface DirectLayout {
  cells: readonly number[];
  /** The first `layout.cells` columns are the sample's cells in their order, the rest are empty. */
  inOrder: boolean;
}

export class SheetColumns {
  readonly #columns = new SharedColumns();

  /** @throws TooManyColumns */
  addLayout(layout: SampleLayout): void {
    this.#add(numberedCells(layout) ?? filledCells(layout));
  }

  /** @throws TooManyColumns */
  addContent(content: SampleContent): void {
    this.#add(cellsOf(content));
  }

  /** When all are added. */
  finish(prefix: string): SheetRows {
    return new SheetRows(this.#columns, prefix);
  }

  #add(list: ColumnList): void {
    this.#columns.add(list);
    if (OWN.length + this.#columns.width > COLUMN_LIMIT) throw new TooManyColumns();
  }
}

/** The sheet's header, and what stands in its rows behind the columns of every sheet (`OWN`). */
export class SheetRows {
  readonly header: string[];
  readonly #plan: SheetPlan;
  readonly #direct = new WeakMap<SampleLayout, DirectLayout | 'none'>();

  constructor(
    private readonly columns: SharedColumns,
    prefix: string,
  ) {
    this.header = [...OWN, ...columns.headers()];
    this.#plan = planOfSamples(this.header, prefix);
  }

  /** Undefined where the samples of the layout have to be placed one by one. */
  directOf(layout: SampleLayout): DirectLayout | undefined {
    let known = this.#direct.get(layout);
    if (known === undefined) {
      known = this.#placeLayout(layout) ?? 'none';
      this.#direct.set(layout, known);
    }
    return known === 'none' ? undefined : known;
  }

  /** The cells of a content, or undefined when the sheet would be read as something else. */
  place(content: SampleContent): string[] | undefined {
    const cells = this.columns.place(cellsOf(content));
    return saysTheSame([...OWN, ...cells], this.#plan, content) ? cells : undefined;
  }

  #placeLayout(layout: SampleLayout): DirectLayout | undefined {
    const list = numberedCells(layout);
    if (list === undefined) return undefined;
    const placed = this.columns.place(list);
    const filled = Array.from({ length: layout.cells }, (_, cell) => `${cell}`);
    // What holds with every cell filled holds with any of them empty: each is read by itself.
    if (!saysTheSame([...OWN, ...placed], this.#plan, unpackCells(layout, filled))) return undefined;
    const cells = placed.map((text) => (text === '' ? -1 : Number(text)));
    const inOrder = cells.every((cell, at) => cell === (at < layout.cells ? at : -1));
    return { cells, inOrder };
  }
}

/** The layout's columns, in each cell the number of the stored one; undefined where a cell is made of something else, or would be read otherwise. */
function numberedCells(layout: SampleLayout): ColumnList | undefined {
  const { characteristics, relationships, externalReferences } = layout;
  if (characteristics.some((each) => each.fixedUnit !== undefined || joinsOtherwise(each))) return undefined;
  const byName = new Map<string, typeof characteristics>();
  for (const plan of characteristics) addTo(byName, plan.name, plan);
  const list: ColumnList = [...byName].flatMap(([name, plans]) =>
    plans.map(({ text, terms, unit, unitTerms }) => ({
      key: `c ${name}`,
      cells: [
        valueCell('text', `Characteristics[${name}]`, `${text}`),
        ...(terms ?? []).flatMap((term) => termCells('term', term)),
        ...(unit === undefined ? [] : [valueCell('unit', 'Unit', `${unit}`)]),
        ...(unitTerms ?? []).flatMap((term) => termCells('unit term', term)),
      ],
    })),
  );
  // The rest is spelled by the one who spells contents, out of a content whose texts are the numbers.
  const texts = Array.from({ length: layout.cells }, (_, at) => `${at}`);
  const others = unpackCells({ ...layout, characteristics: [], relationships, externalReferences }, texts);
  return [...list, ...cellsOf(others)];
}

/** Of a layout from before accessions could name their ontology themselves: a sheet of its cells would be read by that rule. */
const joinsOtherwise = ({ terms = [], unitTerms = [], prefixes }: CharacteristicCells): boolean =>
  !prefixes &&
  [...terms, ...unitTerms].some(({ source, accession }) => source !== undefined && accession !== undefined);

function termCells(role: 'term' | 'unit term', { source, accession }: TermCells): PlacedCell[] {
  if (accession === undefined) return [];
  return [
    ...(source === undefined ? [] : [valueCell(`${role} source`, 'Term Source REF', `${source}`)]),
    valueCell(role, 'Term Accession Number', `${accession}`),
  ];
}

/** The layout's columns as those of a sample whose cells are all filled. */
const filledCells = (layout: SampleLayout): ColumnList =>
  cellsOf(unpackCells(layout, Array<string>(layout.cells).fill('x')));

/** The cells that a direct layout puts into a row. */
export function directCells({ cells }: DirectLayout, doc: string): string[] {
  const stored = doc.split(CELL_SEPARATOR);
  return cells.map((number) => stored[number] ?? '');
}

/**
 * The compact spelling of a sample that came from a table row: the row's kept cells, joined by TAB, beside a layout
 * that says what each cell is and is shared by every row of the sheet. A million rows are then stored as the bytes
 * that were uploaded, without a JSON document being built for any of them (docs/decisions/0003-packed-samples.md).
 *
 * The layout is data, not code: it is stored, so its meaning may grow but never change.
 */
import {
  type Characteristic,
  type Characteristics,
  emptyContent,
  type SampleContent,
  type TextRecord,
} from './sample.js';

/** Cell numbers are positions among the kept cells, 0-based, in the order of the sheet. */
export interface TermCells {
  source?: number;
  accession?: number;
}

export interface CharacteristicCells {
  name: string;
  text: number;
  terms?: TermCells[];
  unit?: number;
  /** The unit of every row, from a sheet that names it once for the column; the cell of `unit`, where there is one, wins. */
  fixedUnit?: string;
  unitTerms?: TermCells[];
  /** An accession that names its ontology itself (`EFO_1`) is not given its source once more; layouts from before say nothing of it. */
  prefixes?: true;
}

/** Member name → cell, for one contact, organization or publication. */
export type RecordCells = Record<string, number>;

export interface SampleLayout {
  /** How many cells are kept of each row; missing ones at the end count as empty. */
  cells: number;
  characteristics: CharacteristicCells[];
  relationships: { type: string; target: number }[];
  externalReferences: number[];
  contact: RecordCells[];
  organization: RecordCells[];
  publications: RecordCells[];
}

/** The layout of a sheet that keeps nothing. */
export const emptyLayout = (): SampleLayout => ({
  cells: 0,
  characteristics: [],
  relationships: [],
  externalReferences: [],
  contact: [],
  organization: [],
  publications: [],
});

/** Whether two layouts say the same of each cell, but perhaps not how terms are joined: a row of the one is a row of the other. */
export const haveSameCells = (one: SampleLayout, other: SampleLayout): boolean =>
  one === other || cellsAsText(one) === cellsAsText(other);

/** Asked for each row of a sheet, of the same two. */
const TEXTS = new WeakMap<SampleLayout, string>();

function cellsAsText(layout: SampleLayout): string {
  let text = TEXTS.get(layout);
  if (text === undefined) {
    const { characteristics, ...others } = layout;
    text = JSON.stringify([characteristics.map(({ prefixes: _, ...cells }) => cells), others]);
    TEXTS.set(layout, text);
  }
  return text;
}

/** Between packed cells. A cell that holds one cannot be packed; such a row is stored as a document. */
export const CELL_SEPARATOR = '\t';

/** The content that packed cells spell. Empty cells give nothing; a characteristic with an empty text is absent with its unit and terms. */
export const unpackSample = (layout: SampleLayout, packed: string): SampleContent =>
  unpackCells(layout, packed.split(CELL_SEPARATOR));

/** The same of cells that were not joined, because one of them holds the separator. */
export function unpackCells(layout: SampleLayout, cells: readonly string[]): SampleContent {
  const content = emptyContent();
  content.characteristics = unpackCharacteristics(layout.characteristics, cells);
  for (const { type, target } of layout.relationships) {
    if (cells[target]) content.relationships.push({ type, target: cells[target] });
  }
  for (const at of layout.externalReferences) {
    if (cells[at]) content.externalReferences.push({ url: cells[at] });
  }
  addRecords(content.contact, layout.contact, cells);
  addRecords(content.organization, layout.organization, cells);
  addRecords(content.publications, layout.publications, cells);
  return content;
}

export function unpackCharacteristics(
  plans: readonly CharacteristicCells[],
  cells: readonly string[],
): Characteristics {
  const { characteristics } = emptyContent();
  for (const plan of plans) {
    const entry = readCharacteristic(plan, cells);
    if (entry === undefined) continue;
    const entries = characteristics[plan.name];
    if (entries) entries.push(entry);
    else characteristics[plan.name] = [entry];
  }
  return characteristics;
}

/** Undefined where its text is empty. */
export function readCharacteristic(plan: CharacteristicCells, cells: readonly string[]): Characteristic | undefined {
  const text = cells[plan.text];
  if (!text) return undefined;
  const entry: Characteristic = { text };
  const terms = plan.terms && readTerms(plan.terms, plan, cells);
  if (terms && terms.length > 0) entry.ontologyTerms = terms;
  const unit = (plan.unit === undefined ? undefined : cells[plan.unit]) || plan.fixedUnit;
  if (unit) {
    entry.unit = unit;
    const unitTerms = plan.unitTerms && readTerms(plan.unitTerms, plan, cells);
    if (unitTerms && unitTerms.length > 0) entry.unitOntologyTerms = unitTerms;
  }
  return entry;
}

function readTerms(plans: readonly TermCells[], { prefixes }: CharacteristicCells, cells: readonly string[]): string[] {
  const terms: string[] = [];
  for (const { source, accession } of plans) {
    const term = accession === undefined ? undefined : cells[accession];
    if (!term) continue;
    const named = source === undefined ? undefined : cells[source];
    terms.push(named ? joinTerm(named, term, prefixes) : term);
  }
  return terms;
}

/** URLs and CURIEs stay as they are; a bare id becomes `SOURCE:id`. */
function joinTerm(source: string, term: string, prefixes?: true): string {
  if (term.includes(':')) return term;
  const prefix = prefixes ? prefixOf(source, term) : 0;
  return prefix > 0 ? `${term.slice(0, prefix)}:${term.slice(prefix + 1)}` : `${source}:${term}`;
}

/** `EFO_1`, with a source that begins with `EFO`; and an id of seven digits or more, as ontologies import each other's terms under. */
const PREFIXED = /^([a-z]+)_([a-z]*\d+)$/i;
const IMPORTED = /^[a-z]+_\d{7,}$/i;

/** Where the underscore stands with which an accession names its ontology, 0 where it names none. Stored layouts mean it: it never changes. */
function prefixOf(source: string, term: string): number {
  const { length } = source;
  const folded = source.toLowerCase();
  if (term[length] === '_' && term.length > length + 1 && term.slice(0, length).toLowerCase() === folded) return length;
  const [, prefix = ''] = PREFIXED.exec(term) ?? [];
  return IMPORTED.test(term) || folded.replace(/[^a-z]/g, '').startsWith(prefix.toLowerCase()) ? prefix.length : 0;
}

function addRecords(into: TextRecord[], plans: RecordCells[], cells: readonly string[]): void {
  for (const plan of plans) {
    const record: TextRecord = Object.create(null) as TextRecord;
    let filled = false;
    for (const member of Object.keys(plan)) {
      const cell = cells[plan[member] as number];
      if (cell) {
        record[member] = cell;
        filled = true;
      }
    }
    if (filled) into.push(record);
  }
}

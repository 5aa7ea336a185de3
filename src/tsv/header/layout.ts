/** The columns of a sheet → the layout of its samples: units and terms by adjacency, repeated groups side by side. */
import type {
  CharacteristicCells,
  RecordCells,
  SampleLayout,
  TermCells,
} from '../../registry/samples/packed-sample.js';
import { bindElsewhere, type Elsewhere, type Named, type Owner, type StandIn } from './elsewhere.js';
import type { ColumnKind } from './header-name.js';

export interface BoundColumns {
  layout: SampleLayout;
  /** Sheet column of each packed cell. */
  keptColumns: number[];
  standIns: StandIn[];
}

type RecordColumn = { column: number; member: string };

/**
 * Positions are columns of the sheet until `pack` turns them into packed cells. `units`: of the columns that have one
 * for all their rows, in the order of the sheet.
 */
export function bindColumns(kinds: readonly ColumnKind[], units: readonly string[] = []): BoundColumns {
  const characteristics: Named[] = [];
  const relationships: { type: string; target: number }[] = [];
  const externalReferences: number[] = [];
  const records: Record<'contact' | 'organization' | 'publications', RecordColumn[]> = {
    contact: [],
    organization: [],
    publications: [],
  };
  const elsewhere: Elsewhere[] = [];
  let owner: Owner | undefined;
  kinds.forEach((kind, column) => {
    switch (kind.kind) {
      case 'characteristic': {
        const named: Named = {
          name: kind.name,
          text: column,
          terms: [],
          unit: undefined,
          unitTerms: [],
          fixedUnit: kind.unit ?? units[column],
        };
        characteristics.push(named);
        owner = named;
        break;
      }
      case 'term-of':
      case 'unit-of':
      case 'term-at':
      case 'unit-at':
        elsewhere.push({ ...kind, at: column });
        owner = undefined;
        break;
      case 'owner':
      case 'unknown':
        // Its units and terms are its own, and not stored.
        owner = { terms: [], unit: undefined, unitTerms: [] };
        break;
      case 'unit':
        if (owner && owner.unit === undefined) owner.unit = column;
        break;
      case 'term-source':
      case 'term-accession':
        if (owner)
          addTerm(owner.unit === undefined ? owner.terms : owner.unitTerms, kind.kind, column, kinds[column + 1]);
        break;
      case 'relationship':
        relationships.push({ type: kind.type, target: column });
        break;
      case 'reference':
        externalReferences.push(column);
        break;
      case 'record':
        records[kind.of].push({ column, member: kind.member });
        break;
    }
  });
  const standIns = bindElsewhere(characteristics, elsewhere);
  const bound = pack({
    cells: 0,
    characteristics: characteristics.map(spell),
    relationships,
    externalReferences,
    contact: groupRecords(records.contact),
    organization: groupRecords(records.organization),
    publications: groupRecords(records.publications),
  });
  return { ...bound, standIns };
}

/** A source begins a new term, unless it completes an accession on its left that has none and is not itself followed by one. */
function addTerm(
  terms: TermCells[],
  kind: 'term-source' | 'term-accession',
  column: number,
  next: ColumnKind | undefined,
): void {
  const last = terms.at(-1);
  if (kind === 'term-accession') {
    if (last && last.accession === undefined) last.accession = column;
    else terms.push({ accession: column });
  } else if (last && last.source === undefined && next?.kind !== 'term-accession') last.source = column;
  else terms.push({ source: column });
}

/** Where an accession stands first and a source last, each source is that of the accession before it, not of the one behind. */
function paired(terms: readonly TermCells[]): readonly TermCells[] {
  if (terms[0]?.source !== undefined || terms.at(-1)?.accession !== undefined) return terms;
  return terms.map(({ accession }, at) => {
    const source = terms[at + 1]?.source;
    return {
      ...(accession === undefined ? {} : { accession }),
      ...(source === undefined ? {} : { source }),
    };
  });
}

/** Terms without an accession column say nothing. */
function spell({ name, text, terms, unit, unitTerms, fixedUnit }: Named): CharacteristicCells {
  const cells: CharacteristicCells = { name, text };
  const reported = paired(terms).filter(({ accession }) => accession !== undefined);
  const unitReported = paired(unitTerms).filter(({ accession }) => accession !== undefined);
  if (reported.length > 0) cells.terms = reported;
  if (unit !== undefined) cells.unit = unit;
  if (fixedUnit?.trim()) cells.fixedUnit = fixedUnit.trim();
  if (unitReported.length > 0) cells.unitTerms = unitReported;
  if ([...reported, ...unitReported].some(({ source }) => source !== undefined)) cells.prefixes = true;
  return cells;
}

/**
 * Columns of one kind → records. Neighbours belong together until a member repeats. Where no member repeats at all,
 * the columns are one record wherever they stand.
 */
function groupRecords(columns: readonly RecordColumn[]): RecordCells[] {
  const repeats = new Set(columns.map(({ member }) => member)).size < columns.length;
  const groups: RecordCells[] = [];
  let current: RecordCells | undefined;
  let previous = -1;
  for (const { column, member } of columns) {
    if (current === undefined || Object.hasOwn(current, member) || (repeats && column !== previous + 1)) {
      current = Object.create(null) as RecordCells;
      groups.push(current);
    }
    current[member] = column;
    previous = column;
  }
  return groups;
}

function pack(bound: SampleLayout): Omit<BoundColumns, 'standIns'> {
  const kept = [...columnsOf(bound)].sort((a, b) => a - b);
  const cellOf = new Map(kept.map((column, cell) => [column, cell]));
  const cell = (column: number): number => cellOf.get(column) as number;
  const term = ({ source, accession }: TermCells): TermCells => ({
    ...(source === undefined ? {} : { source: cell(source) }),
    ...(accession === undefined ? {} : { accession: cell(accession) }),
  });
  const record = (columns: RecordCells): RecordCells => {
    const cells = Object.create(null) as RecordCells;
    for (const member of Object.keys(columns)) cells[member] = cell(columns[member] as number);
    return cells;
  };
  const layout: SampleLayout = {
    cells: kept.length,
    characteristics: bound.characteristics.map(({ name, text, terms, unit, fixedUnit, unitTerms, prefixes }) => ({
      name,
      text: cell(text),
      ...(terms ? { terms: terms.map(term) } : {}),
      ...(unit === undefined ? {} : { unit: cell(unit) }),
      ...(fixedUnit === undefined ? {} : { fixedUnit }),
      ...(unitTerms ? { unitTerms: unitTerms.map(term) } : {}),
      ...(prefixes ? { prefixes } : {}),
    })),
    relationships: bound.relationships.map(({ type, target }) => ({ type, target: cell(target) })),
    externalReferences: bound.externalReferences.map(cell),
    contact: bound.contact.map(record),
    organization: bound.organization.map(record),
    publications: bound.publications.map(record),
  };
  return { layout, keptColumns: kept };
}

function columnsOf(bound: SampleLayout): Set<number> {
  const columns = new Set<number>();
  const terms = (cells: TermCells[] | undefined): void => {
    for (const { source, accession } of cells ?? []) {
      if (source !== undefined) columns.add(source);
      if (accession !== undefined) columns.add(accession);
    }
  };
  for (const characteristic of bound.characteristics) {
    columns.add(characteristic.text);
    terms(characteristic.terms);
    if (characteristic.unit !== undefined) columns.add(characteristic.unit);
    terms(characteristic.unitTerms);
  }
  for (const { target } of bound.relationships) columns.add(target);
  for (const column of bound.externalReferences) columns.add(column);
  for (const records of [bound.contact, bound.organization, bound.publications]) {
    for (const record of records) for (const member of Object.keys(record)) columns.add(record[member] as number);
  }
  return columns;
}

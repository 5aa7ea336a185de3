/**
 * What samples are found and counted by, part by part: samples that say the same have one object for it. Of a row of a
 * sheet, each group of cells that says one thing is a part, made once for all rows that have the same in these cells;
 * they give the terms that search-terms.ts makes of the whole content.
 */

import { formatAccession } from '../accession.js';
import { ownText } from '../own-text.js';
import {
  CELL_SEPARATOR,
  type CharacteristicCells,
  readCharacteristic,
  type SampleLayout,
  unpackCharacteristics,
  unpackSample,
} from '../samples/packed-sample.js';
import { emptyContent } from '../samples/sample.js';
import { folded } from './filter-parts.js';
import { RecentMap, RecentRoom } from './recent-map.js';
import { COUNTED_CHARACTERISTICS, type CountedCharacteristic, noFacets, type SampleFacets } from './sample-facets.js';
import {
  termsOf,
  termsOfContent,
  termsOfNames,
  termsOfOnly,
  termsOfRecord,
  termsOfRelationship,
} from './search-terms.js';
import type { Terms } from './term-keys.js';

export interface SamplePart {
  readonly terms: readonly Terms[];
  /** The characteristic that it is counted by. */
  readonly counted?: CountedCharacteristic | undefined;
}

export interface IndexedParts {
  parts: readonly SamplePart[];
  /** There are more characteristics or values than are counted by. */
  more: boolean;
  /** Why the sample is found by its name and accession alone. */
  nameOnly?: string;
}

/** A sample without curations as it is stored of a sheet's row. */
export interface SheetRow {
  layout: SampleLayout;
  /** Its cells, joined. */
  doc: string;
}

export function partsOf({ terms, facets }: { terms: readonly Terms[]; facets: SampleFacets }): IndexedParts {
  const parts: SamplePart[] = [{ terms }];
  for (const counted of facets.characteristics) parts.push({ terms: [], counted });
  return { parts, more: facets.more };
}

export function partsOfRow(
  prefix: string,
  head: { id: number; name: string },
  { layout, doc }: SheetRow,
): IndexedParts {
  const known = rowParts(layout);
  if (known !== undefined) return known.take(prefix, head, doc);
  const facets = noFacets();
  return partsOf({ terms: termsOf(prefix, head, unpackSample(layout, doc), facets), facets });
}

/** Of more, a row may have more characteristics than are counted by, and what is kept for each would be much. */
const plansOf = ({ characteristics, relationships, externalReferences, ...records }: SampleLayout): number =>
  [characteristics, relationships, externalReferences, records.contact, records.organization, records.publications]
    .map(({ length }) => length)
    .reduce((sum, length) => sum + length);

/** Undefined of a layout whose rows have none. */
function rowParts(layout: SampleLayout): RowParts | undefined {
  if (known.has(layout)) return known.get(layout);
  const [oldest] = known.keys();
  if (oldest && known.size === LAYOUTS) known.delete(oldest);
  const made = plansOf(layout) <= COUNTED_CHARACTERISTICS ? new RowParts(layout) : undefined;
  known.set(layout, made);
  return made;
}

/** Layouts whose parts are kept: as many accounts have turns in the index without making them anew. */
const LAYOUTS = 8;
const known = new Map<SampleLayout, RowParts | undefined>();
/** Parts that are kept of a layout until its room turns, of some 600 bytes. */
const KEPT = 1_000;

/** The sample that a row is of. */
interface Owner {
  prefix: string;
  id: number;
}

/** Cells that say one thing: other cells have no say in it. */
interface Group {
  cells: readonly number[];
  make(cells: readonly string[], owner: Owner): MadePart;
  /** Absent where a part depends on whose it is. */
  recent?: RecentMap<MadePart>;
}

interface MadePart extends SamplePart {
  more: boolean;
}

const EMPTY: MadePart = { terms: [], more: false };

class RowParts {
  readonly #groups: Group[];
  /** Of the row before. */
  #before: { cells: readonly string[]; parts: readonly MadePart[] } = { cells: [], parts: [] };

  constructor(layout: SampleLayout) {
    this.#groups = groupsOf(layout, new RecentRoom(KEPT));
  }

  /** A part of the names first, then one of each group, empty or not: parts of one place are alike. */
  take(prefix: string, { id, name }: { id: number; name: string }, doc: string): IndexedParts {
    const owner = { prefix, id };
    const cells = doc.split(CELL_SEPARATOR);
    const { cells: cellsBefore, parts: partsBefore } = this.#before;
    const groups = this.#groups;
    const parts = new Array<MadePart>(groups.length + 1);
    parts[0] = { terms: termsOfNames(prefix, name), more: false };
    let more = false;
    for (let at = 0; at < groups.length; at++) {
      const group = groups[at] as Group;
      const before = group.recent && partsBefore[at + 1];
      const part = before && areSame(group.cells, cells, cellsBefore) ? before : partOf(group, cells, owner);
      if (part.more) more = true;
      parts[at + 1] = part;
    }
    this.#before = { cells, parts };
    return { parts, more };
  }
}

function partOf(group: Group, cells: string[], owner: Owner): MadePart {
  const key = keyOf(group, cells);
  if (key === '') return EMPTY;
  const { recent } = group;
  if (recent === undefined) return group.make(cells, owner);
  const before = recent.get(key);
  if (before !== undefined) return before;
  if (!recent.keeps(key)) return group.make(cells, owner);
  const own: string[] = [];
  for (const at of group.cells) own[at] = ownText(cells[at] ?? '');
  const part = group.make(own, owner);
  recent.set(keyOf(group, own), part);
  return part;
}

function areSame(own: readonly number[], cells: readonly string[], before: readonly string[]): boolean {
  for (let at = 0; at < own.length; at++) if (cells[own[at] as number] !== before[own[at] as number]) return false;
  return true;
}

function keyOf({ cells: own }: Group, cells: readonly string[]): string {
  let key = cells[own[0] as number] ?? '';
  for (let at = 1; at < own.length; at++) key += CELL_SEPARATOR + (cells[own[at] as number] ?? '');
  return key;
}

function groupsOf(layout: SampleLayout, room: RecentRoom): Group[] {
  const named = new Map<string, CharacteristicCells[]>();
  for (const plan of layout.characteristics) {
    const plans = named.get(folded(plan.name));
    if (plans) plans.push(plan);
    else named.set(folded(plan.name), [plan]);
  }
  const records = [...layout.contact, ...layout.organization, ...layout.publications];
  return [
    ...[...named.values()].map((plans) => characteristicGroup(plans, room)),
    ...layout.relationships.map(
      ({ type, target }): Group => ({
        cells: [target],
        make: (cells, { prefix, id }) => {
          const relationship = { type, target: cells[target] as string };
          return { terms: termsOfRelationship(relationship, formatAccession(prefix, id)), more: false };
        },
      }),
    ),
    ...[...layout.externalReferences.map((at) => [at]), ...records.map((record) => Object.values(record))].map(
      (own): Group => ({
        cells: own,
        make: (cells) => ({ terms: termsOfRecord(textsIn(own, cells)), more: false }),
        recent: new RecentMap(room),
      }),
    ),
  ];
}

/** Of these cells, those that say anything. */
function textsIn(own: readonly number[], cells: readonly string[]): string[] {
  const texts: string[] = [];
  for (const at of own) {
    const text = cells[at];
    if (text) texts.push(text);
  }
  return texts;
}

/** Those of one name, however it is spelled, are counted together. */
function characteristicGroup(plans: readonly CharacteristicCells[], room: RecentRoom): Group {
  const cells = plans.flatMap(({ text, unit, terms = [], unitTerms = [] }) => [
    text,
    ...(unit === undefined ? [] : [unit]),
    ...[...terms, ...unitTerms].flatMap((term): number[] => Object.values(term)),
  ]);
  const [only, ...others] = plans as [CharacteristicCells, ...CharacteristicCells[]];
  return {
    cells: [...new Set(cells)],
    make: (row) => {
      const first = readCharacteristic(only, row);
      if (first === undefined && others.length === 0) return EMPTY;
      const alone = first && others.length === 0 ? termsOfOnly(only.name, first) : undefined;
      return alone ? { terms: alone.terms, counted: alone.counted, more: false } : makeCounted(plans, row);
    },
    recent: new RecentMap(room),
  };
}

function makeCounted(plans: readonly CharacteristicCells[], row: readonly string[]): MadePart {
  const facets = noFacets();
  const terms = termsOfContent({ ...emptyContent(), characteristics: unpackCharacteristics(plans, row) }, '', facets);
  const [counted] = facets.characteristics;
  if (counted) counted[1].shared = true;
  return { terms, counted, more: facets.more };
}

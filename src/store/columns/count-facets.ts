/** Facets of what a query finds: counted in the columns, and in the samples that the index does not have yet. */
import { type FoundFacet, type FoundFacets, type FoundRange, MOST_FACETS } from '../../registry/search/facets.js';
import type { IdSet } from '../../registry/search/id-set.js';
import type { Wanted } from '../../registry/search/pending-samples.js';
import type { CharacteristicFacets, SampleFacets } from '../../registry/search/sample-facets.js';
import { attributeTerm } from '../../registry/search/search-terms.js';
import { codeOf } from '../../registry/search/term-keys.js';
import { type Found, RangeCount, ValueCount } from './counts.js';
import { KEYS, MORE } from './entries.js';
import { matching, sizeOf } from './matching.js';
import { ask, eachBlock, type Reading } from './reading.js';
import { highest, ValueTable } from './value-table.js';

/** Blocks whose values the ends of ranges are chosen by. */
const SPREAD = 24;
/** Samples that are read at once for how they spell what was counted. */
const READ_AT_ONCE = 50;

/** A characteristic that is counted: its code, and its column where the index has one. */
interface Counted {
  code: number;
  column: number | undefined;
  /** Samples that have it. */
  samples: number;
  /** As asked for. */
  name?: string;
}

/**
 * `fresh` are the found ones among the samples that the index does not have; `missing` those that nobody knows of;
 * `among` those with a number or a date in the ranges that are asked for (matching.ts).
 * @throws RegistryError whatever the driver throws
 */
export function* countFacets(
  wanted: Wanted,
  fresh: ReadonlyMap<number, SampleFacets>,
  missing: number,
  among: IdSet | undefined,
): Reading<FoundFacets> {
  const { of, values } = wanted.query.facets ?? { of: 0, values: 0 };
  const found: Found = { masks: yield* matching(wanted, among), fresh };
  const keys = yield* countKeys(found);
  const list: FoundFacet[] = [];
  for (const counted of typeof of === 'number' ? yield* mostFrequent(keys, found, of) : yield* named(keys, found, of)) {
    list.push(yield* facetOf(counted, found, values));
  }
  if (typeof of === 'number') list.sort((a, b) => b.samples - a.samples);
  const more = [...fresh.values()].filter((facets) => facets.more).length + keys.more;
  return { samples: sizeOf(found.masks) + fresh.size, list, missing, more };
}

interface KeyCounts {
  table: ValueTable;
  more: number;
}

/** How many of the samples have each characteristic. */
function* countKeys(found: Found): Reading<KeyCounts> {
  const table = new ValueTable();
  const counter = new ValueCount(found.masks);
  let more = 0;
  yield* eachBlock(KEYS, (block, data) =>
    counter.keys(block, data, (key, count, example) => {
      if (key === MORE) more += count;
      else table.add(key, count, true, example);
    }),
  );
  return { table, more };
}

function* named({ table }: KeyCounts, { fresh }: Found, names: readonly string[]): Reading<Counted[]> {
  const codes = names.map((name) => codeOf(attributeTerm(name)));
  const columns = yield* ask({ kind: 'columns', codes });
  const further = new Map(codes.map((code) => [code, 0]));
  for (const { characteristics } of fresh.values()) {
    for (const [code, count] of further) if (characteristics.has(code)) further.set(code, count + 1);
  }
  const each = names.map((name, at): Counted => {
    const [code, column] = [codes[at] as number, columns[at]];
    const indexed = column === undefined ? 0 : table.countOf(column);
    return { name, code, column, samples: indexed + (further.get(code) as number) };
  });
  return each.filter(({ code }, at) => codes.indexOf(code) === at).slice(0, MOST_FACETS);
}

/** Those of the index, by a sample that has each, and those that only new samples have. */
function* mostFrequent({ table }: KeyCounts, { fresh }: Found, most: number): Reading<Counted[]> {
  const further = new Map<number, number>();
  for (const { characteristics } of fresh.values()) {
    for (const code of characteristics.keys()) further.set(code, (further.get(code) ?? 0) + 1);
  }
  const codes = [...further.keys()];
  const columns = yield* ask({ kind: 'columns', codes });
  const ofNew: Counted[] = [];
  for (const [at, code] of codes.entries()) {
    const column = columns[at];
    const count = further.get(code) as number;
    ofNew.push({ code, column, samples: count });
    if (column !== undefined) table.add(column, count, true, Number.NaN);
  }
  const known = new Map(ofNew.flatMap((each) => (each.column === undefined ? [] : [[each.column, each]])));
  const all = ofNew.filter(({ column }) => column === undefined);
  const unnamed: (Pick<Counted, 'samples'> & { column: number; example: number })[] = [];
  for (const at of highest(table, most)) {
    const column = table.codeOf(at);
    const samples = table.samplesWith(at);
    const each = known.get(column);
    if (each) all.push({ ...each, samples });
    else unnamed.push({ column, example: table.exampleOf(at), samples });
  }
  all.push(...(yield* codesOf(unnamed)));
  return all.sort((a, b) => b.samples - a.samples || a.code - b.code).slice(0, most);
}

/** Which characteristics these columns are: their samples tell. */
function* codesOf(unnamed: readonly (Pick<Counted, 'samples'> & { column: number; example: number })[]) {
  const samples = yield* readSamples(unnamed.map(({ example }) => example));
  const codes = [
    ...new Set(unnamed.flatMap(({ example }) => [...(samples.get(example)?.characteristics.keys() ?? [])])),
  ];
  const columns = yield* ask({ kind: 'columns', codes });
  const code = new Map(columns.map((column, at) => [column, codes[at] as number]));
  return unnamed.flatMap(({ column, samples: count }) => {
    const known = code.get(column);
    return known === undefined ? [] : [{ code: known, column, samples: count }];
  });
}

function* facetOf({ code, column, name, samples }: Counted, found: Found, most: number): Reading<FoundFacet> {
  const counter = new ValueCount(found.masks);
  const table = new ValueTable();
  yield* eachBlock(column, (block, data) => {
    counter.values(block, data, table);
    return !table.full;
  });
  const spelled = new Map<number, string | undefined>();
  const fresh = [...found.fresh].flatMap(([id, { characteristics }]) => {
    const known = characteristics.get(code);
    return known === undefined ? [] : [{ id, known }];
  });
  for (const { id, known } of fresh) countFresh(id, known, table, spelled);
  let spelledName = name ?? fresh[0]?.known.name;
  const best = table.full ? [] : highest(table, most);
  const unspelled = best.filter((at) => !spelled.has(table.codeOf(at)));
  const examples = yield* readSamples(unspelled.map((at) => table.exampleOf(at)));
  for (const at of unspelled) {
    const known = examples.get(table.exampleOf(at))?.characteristics.get(code);
    const value = known?.values.find(({ code: own }) => own === table.codeOf(at));
    spelledName ??= known?.name;
    if (value) spelled.set(value.code, value.text);
  }
  const ranges = samples > 0 ? yield* rangesOf({ code, column, samples }, found, table) : undefined;
  const values = best.flatMap((at) => {
    const value = spelled.get(table.codeOf(at));
    return value === undefined ? [] : [{ value, samples: table.samplesWith(at) }];
  });
  return {
    name: spelledName ?? (yield* nameOf(code, column, found)) ?? '',
    samples,
    values,
    ...(table.full ? {} : { others: table.saidSize - values.length }),
    ...(ranges ? { ranges } : {}),
  };
}

/** Counts what a sample says that is in no column yet, and enters how it spells the values. */
function countFresh(
  id: number,
  { values }: CharacteristicFacets,
  table: ValueTable,
  spelled: Map<number, string | undefined>,
): void {
  let measures = 0;
  for (const { code, said, text, number, date } of values) {
    if (table.add(code, 1, said, id) && number !== undefined) table.measure(number, date === true);
    if (number !== undefined && (!said || ++measures > 1)) table.mixed = true;
    if (said) spelled.set(code, text);
  }
}

/** Of a characteristic whose values nobody says: any sample that has it. */
function* nameOf(code: number, column: number | undefined, { masks }: Found): Reading<string | undefined> {
  let example: number | undefined;
  yield* eachBlock(column, (block, data) => {
    example = new ValueCount(masks).first(block, data);
    return example === undefined;
  });
  if (example === undefined) return undefined;
  return (yield* readSamples([example])).get(example)?.characteristics.get(code)?.name;
}

function* rangesOf({ code, column, samples }: Counted, found: Found, table: ValueTable): Reading<FoundFacet['ranges']> {
  // The first of very many values may all be small: ends are chosen by some of everywhere.
  const some = table.full ? yield* spread(column, found) : table;
  const date = mostlyDates(some);
  const counter = RangeCount.of(some, date);
  if (counter === undefined) return undefined;
  if (table.full || table.mixed) {
    yield* eachBlock(column, (block, data) => counter.add(found.masks, block, data));
    for (const { characteristics } of found.fresh.values()) counter.addFresh(characteristics.get(code)?.values);
  } else counter.addAll(table);
  if (counter.samples * 2 < samples) return undefined;
  const { ends } = counter;
  const list = counter.counts.map((count, at): FoundRange => {
    const [from, below] = [ends[at - 1], ends[at]];
    return { ...(from === undefined ? {} : { from }), ...(below === undefined ? {} : { below }), samples: count };
  });
  return { date, list: list.filter((range) => range.samples > 0) };
}

/** The values of some blocks, as far from each other as they can be. */
function* spread(column: number | undefined, { masks }: Found): Reading<ValueTable> {
  const table = new ValueTable();
  const counter = new ValueCount(masks);
  const last = Math.max(0, ...masks.keys());
  const step = Math.ceil((last + 1) / SPREAD);
  for (let from = 0; column !== undefined && from <= last; from += step) {
    for (const { block, data } of yield* ask({ kind: 'blocks', column, from, most: 1 })) {
      counter.values(block, data, table);
    }
  }
  return table;
}

function mostlyDates(table: ValueTable): boolean {
  let dates = 0;
  for (const at of table.places()) {
    if (!Number.isNaN(table.numberOf(at))) dates += (table.isDate(at) ? 1 : -1) * table.samplesSaying(at);
  }
  return dates > 0;
}

function* readSamples(ids: readonly number[]): Reading<Map<number, SampleFacets>> {
  const all = [...new Set(ids)].filter((id) => !Number.isNaN(id));
  const samples = new Map<number, SampleFacets>();
  for (let at = 0; at < all.length; at += READ_AT_ONCE) {
    const some = yield* ask({ kind: 'samples', ids: all.slice(at, at + READ_AT_ONCE) });
    for (const [id, facets] of some) samples.set(id, facets);
  }
  return samples;
}

import { numberOfWord, numberTerm } from './accession-terms.js';
/** What a client asks to find, as a query for the index. */

import { parseAccession } from '../accession.js';
import { DAY_MS, parseDateTime, WANTED_DATE } from '../date-time.js';
import { RegistryError } from '../errors.js';
import type { LineageFilter } from '../lineage/lineage-filter.js';
import { addTo } from '../lists.js';
import { type FilterParts, filterParts, writtenRange } from './filter-parts.js';
import { measureOf } from './sample-facets.js';
import type { SearchQuery, TimeRange, ValueRange } from './search-store.js';
import { attributeTerm, nameTerm, relatedTerm, relationshipTerm, valueTerm, wordTerms } from './search-terms.js';
import { codeOf, hasWord } from './term-keys.js';

const KNOWN_FILTERS =
  'acc:ACCESSION, name:NAME, attr:NAME[:VALUE], range:NAME:from=VALUE[until=VALUE|below=VALUE], dt:release|update:from=DATEuntil=DATE, rel:TYPE[:ACCESSION], descendantOf|ancestorOf:ACCESSION[:TYPE], account:ACCOUNT, status:withdrawn|any';

/** Each may walk through thousands of samples. */
const MOST_LINEAGES = 4;

/** `lineage`: to be resolved before the store can be asked (lineage-filter.ts). */
type Asked = Pick<
  SearchQuery,
  'terms' | 'attributes' | 'ranges' | 'ids' | 'accounts' | 'release' | 'updated' | 'withdrawn'
> & {
  lineage?: LineageFilter[];
};

/**
 * Every word of `text` must occur. Filters of one kind (for attributes, ranges and relationships: and of one name) are
 * alternatives; different ones must all be met. Of each time there is one range.
 * @throws RegistryError request.invalid for an unknown or unreadable filter
 */
export function parseSearch(prefix: string, text: string | undefined, filters: readonly string[]): Asked {
  const asked: Asked = { terms: [...wordTerms(text ?? '')].map((word) => orNumber(prefix, word)) };
  const findsNothing = text !== undefined && text.trim() !== '' && !hasWord(text);
  const groups = new Map<string, string[]>();
  for (const filter of filters) {
    const alternative = readTerm(filter);
    if (alternative) addTo(groups, alternative.group, alternative.term);
    else if (!readMeasures(filter, asked)) readColumn(prefix, filter, asked);
  }
  const attributes = new Map<number, number>();
  for (const [group, terms] of groups) {
    const at = asked.terms.push(terms) - 1;
    if (group.startsWith('a')) attributes.set(at, codeOf(group));
  }
  if (attributes.size > 0) asked.attributes = attributes;
  for (const [name, range] of [
    ['release', asked.release],
    ['update', asked.updated],
  ] as const) {
    if (range) refuseBackwards(`dt:${name}`, range);
  }
  // Who names a sample wants it, whatever became of it.
  if (asked.ids) asked.withdrawn ??= 'too';
  // No sample holds a word of a text without words.
  return findsNothing ? { ...asked, ids: [] } : asked;
}

/** A word, and the sample in whose accession it stands. */
function orNumber(prefix: string, word: string): string[] {
  const id = numberOfWord(prefix, word);
  return id === undefined ? [word] : [word, numberTerm(id)];
}

/** Filters that begin with a name: without one they would find nothing, whatever stands behind it. */
const NAMING = new Set(['attr', 'range', 'rel', 'descendantOf', 'ancestorOf']);

/** @throws RegistryError request.invalid for a filter that says nothing, or of what */
function partsOf(filter: string): FilterParts {
  const parts = filterParts(filter);
  if (parts.value === '' || (NAMING.has(parts.kind) && parts.name === '')) throw unreadable(filter);
  return parts;
}

/** Filters that are answered by terms. */
function readTerm(filter: string): { group: string; term: string } | undefined {
  const { kind, value, name, detail } = partsOf(filter);
  if (kind === 'name') return { group: kind, term: nameTerm(value) };
  if (kind === 'attr') {
    return { group: attributeTerm(name), term: detail === '' ? attributeTerm(name) : valueTerm(name, detail) };
  }
  if (kind === 'rel') {
    return { group: relationshipTerm(name), term: detail === '' ? relationshipTerm(name) : relatedTerm(name, detail) };
  }
  return undefined;
}

function readColumn(prefix: string, filter: string, asked: Asked): void {
  const { kind, value, name, detail } = partsOf(filter);
  if (kind === 'acc') asked.ids = [...(asked.ids ?? []), parseAccession(prefix, value) ?? 0];
  else if (kind === 'account') asked.accounts = [...(asked.accounts ?? []), value];
  else if (kind === 'status' && (value === 'withdrawn' || value === 'any')) {
    asked.withdrawn = value === 'any' || asked.withdrawn === 'too' ? 'too' : 'only';
  } else if (kind === 'dt' && (name === 'release' || name === 'update')) {
    const field = name === 'release' ? 'release' : 'updated';
    asked[field] = joined(name, asked[field], readRange(filter, detail));
  } else if (kind === 'descendantOf') addLineage(asked, 'descendants', name, detail);
  else if (kind === 'ancestorOf') addLineage(asked, 'ancestors', name, detail);
  else throw unreadable(filter);
}

function addLineage(asked: Asked, direction: LineageFilter['direction'], accession: string, type: string): void {
  asked.lineage = [...(asked.lineage ?? []), { direction, accession, ...(type ? { type } : {}) }];
  if (asked.lineage.length <= MOST_LINEAGES) return;
  throw new RegistryError(
    'request.invalid',
    `A search takes ${MOST_LINEAGES} filters descendantOf: and ancestorOf: at most.`,
  );
}

/** `range:age:from=10below=20`; numbers or dates, either end alone. */
function readMeasures(filter: string, asked: Asked): boolean {
  const { kind, name, detail } = partsOf(filter);
  if (kind !== 'range') return false;
  const written = writtenRange(detail);
  const from = readMeasure(filter, written.from);
  const to = readMeasure(filter, written.until ?? written.below);
  if (from === undefined && to === undefined) throw unreadable(filter);
  if (from && to && from.date !== to.date) {
    throw new RegistryError(
      'request.invalid',
      `The filter "${filter.slice(0, 100)}" needs two numbers or two dates, not one of each.`,
    );
  }
  const range: ValueRange = { date: (from ?? to)?.date === true };
  if (from) range.from = from.number;
  if (to && written.below !== undefined) range.below = to.number;
  // A day as the last one means all of it.
  else if (to) range.until = to.date && written.until?.length === 10 ? to.number + DAY_MS - 1 : to.number;
  refuseBackwards(filter, range);
  const code = codeOf(attributeTerm(name));
  asked.ranges ??= new Map();
  addTo(asked.ranges, code, range);
  return true;
}

function readMeasure(filter: string, text: string | undefined): ReturnType<typeof measureOf> {
  if (text === undefined) return undefined;
  const measure = measureOf(text);
  if (measure === undefined) {
    throw new RegistryError(
      'request.invalid',
      `The filter "${filter.slice(0, 100)}" needs numbers or dates such as 12.5 or 2024-11-21; "${text.slice(0, 40)}" is neither.`,
    );
  }
  return measure;
}

/** `from=2024-01-01until=2024-12-31`, either end alone, with or without dots between them. */
function readRange(filter: string, text: string): TimeRange {
  const { from, until } = writtenRange(text, 'until');
  const range = { ...readEnd(filter, 'from', from), ...readEnd(filter, 'until', until) };
  if (Object.keys(range).length === 0) throw unreadable(filter);
  return range;
}

/** Both ends may come in filters of their own. One that is given twice would be passed over. @throws RegistryError request.invalid */
function joined(name: string, before: TimeRange = {}, range: TimeRange = {}): TimeRange {
  const end = (['from', 'until'] as const).find(
    (one) => before[one] !== undefined && range[one] !== undefined && before[one] !== range[one],
  );
  if (end === undefined) return { ...before, ...range };
  throw new RegistryError(
    'request.invalid',
    `Two filters dt:${name}: say ${end}=, and a search takes one range of each kind; give one, or search once for each range.`,
  );
}

/** Its ends may have come in filters of their own. Nothing would be found, without a word of why. @throws RegistryError request.invalid */
function refuseBackwards(filter: string, { from, until, below }: TimeRange & Pick<ValueRange, 'below'>): void {
  const last = until ?? below;
  if (from === undefined || last === undefined || from <= last) return;
  throw new RegistryError(
    'request.invalid',
    `The filter "${filter.slice(0, 100)}" begins after it ends, so that nothing can be within it; what stands behind "from=" comes first.`,
  );
}

function readEnd(filter: string, end: 'from' | 'until', text: string | undefined): TimeRange {
  const trimmed = text?.trim();
  if (!trimmed) return {};
  const time = parseDateTime(trimmed);
  if (typeof time !== 'number') {
    throw new RegistryError(
      'request.invalid',
      `The filter "${filter.slice(0, 100)}" needs ${WANTED_DATE} after "${end}=".`,
    );
  }
  // A day as the last one means all of it.
  return { [end]: end === 'until' && trimmed.length === 10 ? time + DAY_MS - 1 : time };
}

const unreadable = (filter: string): RegistryError =>
  new RegistryError('request.invalid', `The filter "${filter.slice(0, 100)}" is not one of ${KNOWN_FILTERS}.`);

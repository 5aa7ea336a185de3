/**
 * What a sample can be found by. The same functions make the terms of samples and of queries. Changing them calls for a
 * rebuilt index.
 */

import { formatAccession } from '../accession.js';
import { foldType } from '../curations/curation-rules.js';
import { ownText } from '../own-text.js';
import type { Characteristic, Relationship, SampleContent } from '../samples/sample.js';
import { lastWordAt } from './accession-terms.js';
import { folded } from './filter-parts.js';
import { RecentMap, RecentRoom } from './recent-map.js';
import {
  addFacet,
  addShared,
  type CharacteristicFacets,
  type CountedCharacteristic,
  characteristicOf,
  type SampleFacets,
  sharedCharacteristic,
} from './sample-facets.js';
import {
  codedKey,
  codeOf,
  type HashState,
  hash,
  hashNumber,
  hashOfFolded,
  hashState,
  Terms,
  termsOfWords,
} from './term-keys.js';

/** Words without case and accents, each with the letter `w` before it. */
export const wordTerms = (text: string): Set<string> => new Set(termsOfWords(text));

const NAME = 'm';
/** A sample with this name, compared without case. */
export const nameTerm = (name: string): string => NAME + hash(folded(name));
/** The key of that term. */
export const nameKey = (name: string): number => codedKey(NAME, hashOfFolded(name));
/** Whether a term is of a name. */
export const isNameTerm = (term: string): boolean => term.startsWith(NAME);
/** A sample that has this characteristic. */
export const attributeTerm = (name: string): string => `a${hash(folded(name))}`;
/** A sample that has this value under this characteristic. */
export const valueTerm = (name: string, value: string): string => `v${hash(`${folded(name)}\0${folded(value)}`)}`;
/** A sample with a relationship of this type. */
export const relationshipTerm = (type: string): string => `r${hash(foldType(type))}`;
/** A sample with a relationship of this type to or from this accession. */
export const relatedTerm = (type: string, accession: string): string => `t${hash(`${foldType(type)}\0${accession}`)}`;

/** A sample that says of this accession, and not of itself, that it is the source of a relationship of this type with it. */
export const sourceTerm = (type: string, accession: string): string => `u${hash(`${foldType(type)}\0${accession}`)}`;

/** Everything that a sample is found by. `content` is its curated one; `facets` takes what it is counted by. */
export const termsOf = (
  prefix: string,
  head: { id: number; name: string },
  content: SampleContent,
  facets?: SampleFacets,
): Terms[] => [
  ...termsOfNames(prefix, head.name),
  ...termsOfContent(content, formatAccession(prefix, head.id), facets),
];

/** Without the last word of its accession, which no other sample has: who asks for that knows the number (`numberOfWord`). */
export const termsOfNames = (prefix: string, name: string): Terms[] => {
  const shared = prefix.slice(0, lastWordAt(prefix));
  const terms = new Terms(name, NAME, hashOfFolded(name));
  return shared === '' ? [terms] : [terms, new Terms(shared)];
};

export function termsOfContent(content: SampleContent, accession: string, facets?: SampleFacets): Terms[] {
  const terms: Terms[] = [];
  for (const [attribute, entries] of Object.entries(content.characteristics)) {
    addAttribute(attribute, entries, terms, facets);
  }
  for (const relationship of content.relationships) terms.push(...termsOfRelationship(relationship, accession));
  for (const { url } of content.externalReferences) terms.push(new Terms(url));
  for (const list of [content.contact, content.organization, content.publications]) {
    for (const record of list) terms.push(...termsOfRecord(Object.values(record)));
  }
  return terms;
}

/** Of the characteristics of one name. */
export function addAttribute(
  name: string,
  entries: readonly Characteristic[],
  terms: Terms[],
  facets: SampleFacets | undefined,
): void {
  const attribute = termsOfAttribute(name);
  terms.push(attribute.terms);
  // A name of blanks cannot be asked for.
  const counted = facets !== undefined && attribute.key !== '';
  const [only] = entries;
  if (counted && only && entries.length === 1 && addOnly(attribute, name, only, terms, facets)) return;
  const into = counted ? characteristicOf(facets, attribute.code, name) : undefined;
  for (const { text, unit, ontologyTerms } of entries) {
    if (text) addValue(attribute, text, true, terms, facets, into);
    if (ontologyTerms)
      for (const term of ontologyTerms) if (term) addValue(attribute, term, false, terms, facets, into);
    if (unit) terms.push(termsOfUnit(unit));
  }
}

/** A characteristic that one text says, as most are; false where the rules of `addValue` are needed. */
function addOnly(
  attribute: AttributeTerms,
  name: string,
  only: Characteristic,
  terms: Terms[],
  facets: SampleFacets,
): boolean {
  const value = onlyValue(attribute, name, only);
  if (value === undefined || !addShared(facets, attribute.code, value.only)) return false;
  terms.push(value.terms);
  if (only.unit) terms.push(termsOfUnit(only.unit));
  return true;
}

/** The same of a sample that has no other characteristic of the name; undefined where the other rules are needed. */
export function termsOfOnly(
  name: string,
  only: Characteristic,
): { terms: Terms[]; counted: CountedCharacteristic } | undefined {
  const attribute = termsOfAttribute(name);
  const value = attribute.key === '' ? undefined : onlyValue(attribute, name, only);
  if (value === undefined) return undefined;
  const terms = [attribute.terms, value.terms];
  if (only.unit) terms.push(termsOfUnit(only.unit));
  return { terms, counted: [attribute.code, value.only] };
}

type OnlyValue = ValueTerms & Required<Pick<ValueTerms, 'only'>>;

function onlyValue(attribute: AttributeTerms, name: string, only: Characteristic): OnlyValue | undefined {
  const { text, ontologyTerms } = only;
  if (!text || ontologyTerms) return undefined;
  const value = termsOfValue(attribute, text);
  if (value.plain === '') return undefined;
  value.only ??= sharedCharacteristic(name, value.code, value.text, value.plain);
  return value as OnlyValue;
}

function addValue(
  attribute: AttributeTerms,
  text: string,
  said: boolean,
  terms: Terms[],
  facets: SampleFacets | undefined,
  into: CharacteristicFacets | undefined,
): void {
  const { plain, code, terms: some } = termsOfValue(attribute, text);
  terms.push(some);
  // Nor can a value of blanks.
  if (facets && into && plain !== '') addFacet(facets, into, code, text, said ? plain : undefined);
}

/** What a characteristic, and a value under it, is found by. */
interface AttributeTerms {
  key: string;
  code: number;
  terms: Terms;
  /** After its key and what stands between that and a value. */
  beforeValue: HashState;
  values: RecentMap<ValueTerms>;
}
interface ValueTerms {
  text: string;
  plain: string;
  code: number;
  terms: Terms;
  /** Its characteristic, where a sample has nothing else under it. */
  only?: CharacteristicFacets;
}

/** Those that were met last: the samples of a sheet mostly say the same. Making them anew took a third of the indexer's time. */
const met = new Map<string, AttributeTerms>();
/** Characteristics of at most so many characters are kept, and at most so many; then all are forgotten. */
const KEPT_LENGTH = 100;
const KEPT_ATTRIBUTES = 500;
/** Values and units that are kept until their room turns: 7 MB with those of before. */
const KEPT = 2_000;
let room = new RecentRoom(KEPT);
let units = new RecentMap<Terms>(room);

function forget(): void {
  met.clear();
  room = new RecentRoom(KEPT);
  units = new RecentMap(room);
}

function termsOfAttribute(name: string): AttributeTerms {
  const known = met.get(name);
  if (known !== undefined) return known;
  const key = folded(name);
  const beforeValue = hashState(`${key}\0`);
  const code = hashNumber(key);
  if (met.size >= KEPT_ATTRIBUTES) forget();
  const isKept = name.length <= KEPT_LENGTH;
  const values = new RecentMap<ValueTerms>(isKept ? room : new RecentRoom(1));
  const made = { key, code, beforeValue, terms: new Terms(name, 'a', code), values };
  if (isKept) met.set(name, made);
  return made;
}

function termsOfValue({ beforeValue, values }: AttributeTerms, text: string): ValueTerms {
  const known = values.get(text);
  if (known !== undefined) return known;
  const isKept = values.keeps(text);
  const own = isKept ? ownText(text) : text;
  const plain = folded(own);
  const code = hashNumber(plain, beforeValue);
  const made: ValueTerms = { text: own, plain, code, terms: new Terms(own, 'v', code) };
  if (isKept) values.set(own, made);
  return made;
}

function termsOfUnit(unit: string): Terms {
  const known = units.get(unit);
  if (known !== undefined) return known;
  const isKept = units.keeps(unit);
  const own = isKept ? ownText(unit) : unit;
  const made = new Terms(own);
  if (isKept) units.set(own, made);
  return made;
}

export function termsOfRelationship({ source, type, target }: Relationship, accession: string): Terms[] {
  const coded = [relationshipTerm(type)];
  for (const one of [source ?? accession, target]) if (one !== accession) coded.push(relatedTerm(type, one));
  if (source && source !== accession && target === accession) coded.push(sourceTerm(type, source));
  // Its own accession finds it anyway.
  const words = [source ?? accession, target].filter((one) => one !== accession).join(' ');
  return coded.map((term, at) => new Terms(at === 0 ? words : '', term[0], codeOf(term)));
}

/** Of the members of a contact, an organization or a publication. */
export const termsOfRecord = (members: readonly string[]): Terms[] => members.map((text) => new Terms(text));

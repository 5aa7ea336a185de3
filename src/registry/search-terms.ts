/**
 * What a sample can be found by, as flat terms that any index can hold: words, and short hashes of names and values.
 * The same functions make the terms of samples and of queries. Changing them calls for a rebuilt index.
 */

import { foldType } from './curation-rules.js';
import { folded } from './filter-parts.js';
import type { Characteristic, Relationship, SampleContent, TextRecord } from './sample.js';
import { addFacet, type CharacteristicFacets, characteristicOf, type SampleFacets } from './sample-facets.js';

/** Longer words are cut, in samples and queries alike. */
const WORD_LENGTH = 40;
const WORDS = /[\p{L}\p{N}]+/gu;
/** Texts in which a word is letters and digits without accents, found in three quarters of the time. */
const PLAIN = /^[ -~]*$/;
const PLAIN_WORDS = /[a-z0-9]+/g;
/** Part of nearly every sample. */
const DULL = new Set(['http', 'https', 'www']);

/** Words without case and accents, each with the letter `w` before it. */
export function wordTerms(text: string, into: Set<string> = new Set()): Set<string> {
  for (const word of wordsOf(text) ?? []) if (!DULL.has(word)) into.add(`w${word.slice(0, WORD_LENGTH)}`);
  return into;
}

function wordsOf(text: string): string[] | null {
  if (PLAIN.test(text)) return text.toLowerCase().match(PLAIN_WORDS);
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(WORDS);
}

/** Whether a text holds anything that can be searched by. */
export const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text.normalize('NFKD'));

/** A sample with this name, compared without case. */
export const nameTerm = (name: string): string => `m${hash(folded(name))}`;
/** A sample that has this characteristic. */
export const attributeTerm = (name: string): string => `a${hash(folded(name))}`;
/** A sample that has this value under this characteristic. */
export const valueTerm = (name: string, value: string): string => `v${hash(`${folded(name)}\0${folded(value)}`)}`;
/** The number in a term of a characteristic or of a value of one. */
export const codeOf = (term: string): number => Number.parseInt(term.slice(1), 36);
/** A sample with a relationship of this type. */
export const relationshipTerm = (type: string): string => `r${hash(foldType(type))}`;
/** A sample with a relationship of this type to or from this accession. */
export const relatedTerm = (type: string, accession: string): string => `t${hash(`${foldType(type)}\0${accession}`)}`;

/** A sample that says of this accession, and not of itself, that it is the source of a relationship of this type with it. */
export const sourceTerm = (type: string, accession: string): string => `u${hash(`${foldType(type)}\0${accession}`)}`;

/** Everything that a sample is found by. `content` is its curated one; `facets` takes what it is counted by. */
export function searchTerms(
  name: string,
  accession: string,
  content: SampleContent,
  facets?: SampleFacets | undefined,
): string[] {
  const terms = new Set<string>([nameTerm(name)]);
  wordTerms(name, terms);
  wordTerms(accession, terms);
  for (const [attribute, entries] of Object.entries(content.characteristics)) {
    addAttribute(attribute, entries, terms, facets);
  }
  for (const relationship of content.relationships) addRelationship(relationship, accession, terms);
  for (const { url } of content.externalReferences) wordTerms(url, terms);
  for (const list of [content.contact, content.organization, content.publications]) addRecords(list, terms);
  return [...terms];
}

function addAttribute(
  name: string,
  entries: readonly Characteristic[],
  terms: Set<string>,
  facets: SampleFacets | undefined,
): void {
  const attribute = termsOfAttribute(name);
  addAll(attribute.terms, terms);
  // A name of blanks cannot be asked for.
  const counted = facets !== undefined && attribute.key !== '';
  const into = counted ? characteristicOf(facets, attribute.code, name) : undefined;
  for (const { text, unit, ontologyTerms } of entries) {
    if (text) addValue(attribute, text, true, terms, facets, into);
    if (ontologyTerms)
      for (const term of ontologyTerms) if (term) addValue(attribute, term, false, terms, facets, into);
    if (unit) wordTerms(unit, terms);
  }
}

function addValue(
  attribute: AttributeTerms,
  text: string,
  said: boolean,
  terms: Set<string>,
  facets: SampleFacets | undefined,
  into: CharacteristicFacets | undefined,
): void {
  const { plain, code, terms: some } = termsOfValue(attribute, text);
  addAll(some, terms);
  // Nor can a value of blanks.
  if (facets && into && plain !== '') addFacet(facets, into, code, text, said ? plain : undefined);
}

function addAll(some: readonly string[], terms: Set<string>): void {
  for (const term of some) terms.add(term);
}

/** What a characteristic, and a value under it, is found by. */
interface AttributeTerms {
  key: string;
  code: number;
  terms: readonly string[];
  values: Map<string, ValueTerms>;
}
interface ValueTerms {
  plain: string;
  code: number;
  terms: readonly string[];
}

/** Those that were met last: the samples of a sheet mostly say the same. Making them anew took a third of the indexer's time. */
const met = new Map<string, AttributeTerms>();
let keptValues = 0;
/** Of them at most so many, each of at most so many characters: 7 MB. */
const KEPT_VALUES = 4_000;
const KEPT_LENGTH = 100;

function termsOfAttribute(name: string): AttributeTerms {
  const known = met.get(name);
  if (known !== undefined) return known;
  const key = folded(name);
  const code = hashNumber(key);
  const made = { key, code, terms: [...wordTerms(name, new Set([`a${code.toString(36)}`]))], values: new Map() };
  if (name.length <= KEPT_LENGTH) keep(met, name, made);
  return made;
}

function termsOfValue({ key, values }: AttributeTerms, text: string): ValueTerms {
  const known = values.get(text);
  if (known !== undefined) return known;
  const plain = folded(text);
  const code = hashNumber(`${key}\0${plain}`);
  const made = { plain, code, terms: [...wordTerms(text).add(`v${code.toString(36)}`)] };
  if (text.length <= KEPT_LENGTH) keep(values, text, made);
  return made;
}

function keep<T>(into: Map<string, T>, text: string, made: T): void {
  if (++keptValues > KEPT_VALUES) {
    met.clear();
    keptValues = 0;
  }
  into.set(text, made);
}

function addRelationship({ source, type, target }: Relationship, accession: string, terms: Set<string>): void {
  terms.add(relationshipTerm(type));
  for (const one of [source ?? accession, target]) {
    wordTerms(one, terms);
    if (one !== accession) terms.add(relatedTerm(type, one));
  }
  if (source && source !== accession && target === accession) terms.add(sourceTerm(type, source));
}

function addRecords(records: readonly TextRecord[], terms: Set<string>): void {
  for (const record of records) for (const value of Object.values(record)) wordTerms(value, terms);
}

/** Short, and equal for equal terms alone, but for chance: 106 bits. */
export const termsDigest = (terms: string): string => hash(terms) + hash(`\0${terms}`);

/**
 * 53 bits in base 36 (the mixing of MurmurHash3 on two lanes): five times faster than SHA-1 from node:crypto, and a
 * collision costs a wrong hit, not a wrong sample.
 */
const hash = (text: string): string => hashNumber(text).toString(36);

function hashNumber(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
